import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { ROOMS, roomOf } from './rooms.ts'

/** Each outside thing has one door. */
const DOORS: [what: string, pattern: RegExp, where: RegExp][] = [
  ['the database driver', /from '(pg|kysely)'/, /^(db|embedded|operate|jobs)\//],
  ['the job queue', /from 'graphile-worker'/, /^(jobs\/|db\/migrate)/],
  ['chain clients', /create(Public|Wallet|Test)Client/, /^(chain|embedded)\//],
  ['viem', /from 'viem/, /^(chain|protocols|embedded|keys|operate)\//],
  [
    'the HTTP framework',
    /from '(fastify|@fastify\/[a-z-]+)'/,
    /^(http\/|app\.ts|keys\/authenticate|status\/|operate\/)/,
  ],
  [
    'outgoing HTTP',
    /from 'undici'|(?<![.\w])fetch\(/,
    /^(egress|embedded|operate)\/|^chain\/rpc-transport/,
  ],
  ['the environment', /process\.env/, /^(main\.ts|embedded\/(child|postgres\/host)|operate\/)/],
  [
    'the real clock and chance',
    /\bnew Date\(\)|Date\.now\(|Math\.random\(|performance\.now\(/,
    /^(main\.ts|embedded\/|operate\/)/,
  ],
  ['randomness', /randomBytes|randomUUID|getRandomValues/, /^(kernel|embedded|operate)\//],
  [
    'SQL',
    /\bsql(<[^>]*>)?`/,
    /\/store(-\w+)?\.ts$|^(ledger|db|jobs|events|embedded|operate|status)\/|^http\/idempotency|^chain\/sender|^cards\/(decisions|transactions)|^pay-links\/checkouts/,
  ],
]

const SRC = new URL('../src/', import.meta.url).pathname
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
)

/** What a file imports of ours, as paths below src. Types count: a room knows nothing of what stands above it. */
const importsOf = (file: string, text: string): string[] =>
  [...text.matchAll(/from '(\.[^']+)'/g)].map(([, path = '']) =>
    relative(SRC, join(SRC, dirname(file), path)),
  )

test.each(files)('%s stays in its room', (file) => {
  const text = readFileSync(join(SRC, file), 'utf8')
  const floor = ROOMS.indexOf(roomOf(file))
  expect(floor, `${file} is in no room: name it in ROOMS`).toBeGreaterThanOrEqual(0)
  for (const path of importsOf(file, text)) {
    expect(ROOMS.indexOf(roomOf(path)), `${file} reaches up to ${path}`).toBeLessThanOrEqual(floor)
  }
  for (const [what, pattern, where] of DOORS) {
    if (!where.test(file)) expect(text, `${file} has its own door to ${what}`).not.toMatch(pattern)
  }
})

test('no value import runs in a circle', () => {
  const graph = new Map(
    files.map((file) => {
      const text = readFileSync(join(SRC, file), 'utf8').replace(
        /import type [^;]*?from '[^']+'/gs,
        '',
      )
      return [file, importsOf(file, text)]
    }),
  )
  const done = new Set<string>()
  const walk = (file: string, path: string[]): void => {
    if (path.includes(file))
      throw new Error(`circle: ${[...path.slice(path.indexOf(file)), file].join(' > ')}`)
    if (done.has(file)) return
    for (const next of graph.get(file) ?? []) walk(next, [...path, file])
    done.add(file)
  }
  for (const file of files) walk(file, [])
})

test('the map names every room', () => {
  const map = readFileSync(new URL('../../../ARCHITECTURE.md', import.meta.url), 'utf8')
  for (const room of ROOMS) expect(map).toContain(`\`${room}${room.endsWith('.ts') ? '' : '/'}\``)
})
