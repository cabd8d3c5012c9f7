import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import {
  circlesOf,
  importsOf,
  readSources,
  sourcePaths,
  strongGroups,
} from '../../../scripts/figures/sources.ts'
import { namersOfServices } from '../../../scripts/figures/touch.ts'
import { FAULT_POINTS } from '../src/run/config/fault-points.ts'
import { foreignUses } from './house/foreign-tables.ts'
import { OLD_WORDS, readTexts } from './house/old-words.ts'
import { DISTRICTS, PARTS, partOf, placeOf, ROOMS, roomOf, withoutDistrict } from './house/rooms.ts'
import { FOREIGN_TABLES, USES_OF_OLD_WORDS } from './house/tidy-exceptions.ts'

/** Each outside dependency has one room that imports it. */
const DOORS: [what: string, pattern: RegExp, where: RegExp][] = [
  ['the database driver', /from '(pg|kysely)'/, /^(db|embedded|operate|jobs)\//],
  ['the job queue', /from 'graphile-worker'|graphile_worker/, /^(jobs\/|db\/migrate)/],
  ['chain clients', /create(Public|Wallet|Test)Client/, /^(client|embedded)\//],
  ['viem', /from 'viem/, /^(client|relay|transfers\/reads|protocols|embedded|keys|operate)\//],
  [
    'the HTTP framework',
    /from '(fastify|@fastify\/[a-z-]+)'/,
    /^(http\/|app\.ts|keys\/authenticate|mcp\/|status\/|operate\/)/,
  ],
  [
    'outgoing HTTP',
    /from 'undici'|(?<![.\w])fetch\(/,
    /^(egress|embedded|operate)\/|^client\/nodes\/rpc-transport/,
  ],
  ['the environment', /process\.env/, /^(program\.ts|embedded\/(child|postgres\/host)|operate\/)/],
  [
    'the real clock and chance',
    /\bnew Date\(\)|Date\.now\(|Math\.random\(|performance\.now\(/,
    /^(program\.ts|embedded\/|operate\/|kernel\/clock)/,
  ],
  ['traces', /from '@opentelemetry/, /^operate\/tracing\//],
  // The bundle is one file in another folder.
  ['its own place', /new URL\([^)]*import\.meta\.url/, /^places\.ts$/],
  // Garbage collection takes both before they fire, as `base/kernel/clock.ts` says.
  ['a deadline', /AbortSignal\.(any|timeout)\(/, /^kernel\/clock/],
  ['randomness', /randomBytes|randomUUID|getRandomValues/, /^(kernel|embedded|operate)\//],
  [
    'SQL',
    /\bsql(<[^>]*>)?`/,
    /\/store(-\w+)?\.ts$|^(ledger|db|jobs|events|embedded|operate|status)\/|^http\/idempotency|^cards\/(decisions|transactions)|^pay-links\/checkouts/,
  ],
]

const REPOSITORY = new URL('../../../', import.meta.url).pathname
const SRC = join(REPOSITORY, 'packages/service/src')
const MOST_FILES = 15
/** Files that run as separate processes, so that nothing imports them. */
const ENTRIES = ['main.ts', 'run/embedded/anvil/guard.ts']

const sources = readSources(SRC)
const texts = readTexts(REPOSITORY)

test.each(sources)('$path stays in its room', (source) => {
  const { path: file, tree } = source
  const floor = ROOMS.indexOf(roomOf(file))
  expect(floor, `${file} is in no room: name it in ROOMS`).toBeGreaterThanOrEqual(0)
  // Type imports count: a room knows nothing about the rooms above it.
  for (const { path } of importsOf(source)) {
    expect(ROOMS.indexOf(roomOf(path)), `${file} reaches up to ${path}`).toBeLessThanOrEqual(floor)
  }
  for (const [what, pattern, where] of DOORS) {
    if (!where.test(withoutDistrict(file)))
      expect(tree.text, `${file} has its own door to ${what}`).not.toMatch(pattern)
  }
})

test.each(ROOMS)('the parts of %s are in order', (room) => {
  const inside = sources.filter(({ path }) => roomOf(path) === room)
  const folders = new Set(
    inside.map(({ path }) => partOf(path)).filter((part) => !/\.ts$|^$/.test(part)),
  )
  const order = PARTS[room] ?? []
  const graph = new Map<string, string[]>()
  const upward: string[] = []
  for (const source of inside) {
    const part = partOf(source.path)
    const others = importsOf(source).filter(
      ({ path }) => roomOf(path) === room && partOf(path) !== part,
    )
    graph.set(part, [...(graph.get(part) ?? []), ...others.map(({ path }) => partOf(path))])
    for (const { path } of others)
      if (order.includes(part) && order.indexOf(partOf(path)) > order.indexOf(part))
        upward.push(`${source.path} reaches up to ${path}`)
  }
  // A file in the room's own folder is a part by itself, below or above the folders.
  const circles = strongGroups(graph).filter((group) => group.length > 1)
  expect({ circles, upward }).toEqual({ circles: [], upward: [] })
  expect(order.toSorted(), 'the list is PARTS').toEqual([...folders].sort())
})

test('no import runs in a circle, of a type or of a value', () => {
  expect(circlesOf(sources, 'types')).toEqual([])
})

/** Programs of browsers that keep a way without each of these; those of webhooks run on servers. */
const WITHOUT_TLS = /^(web\/checkout\/copy|sdk\/src\/(crypto|webhooks)\/)/

// Over plain HTTP on any host but this machine, browsers leave them out.
test('no page relies on what browsers keep for secure contexts', () => {
  const relying = ['sdk/src', 'web']
    .flatMap((name) =>
      sourcePaths(join(REPOSITORY, 'packages', name)).map((path) => `${name}/${path}`),
    )
    .filter((file) => !WITHOUT_TLS.test(file))
    .filter((file) =>
      /\brandomUUID\b|\bsubtle\b|navigator\.(?:clipboard|locks|serviceWorker|credentials|storage)/.test(
        readFileSync(join(REPOSITORY, 'packages', file), 'utf8').replaceAll(
          /^\s*(?:\*|\/[/*]).*$/gm,
          '',
        ),
      ),
    )
  expect(relying).toEqual([])
})

test('a folder holds fifteen source files at most', () => {
  const folders = ['service', 'signers-aws', 'signers-gcp', 'sdk', 'cli', 'web'].flatMap((name) => {
    const paths = sourcePaths(join(REPOSITORY, 'packages', name))
    return paths.map((path) => `packages/${name}/${dirname(path)}`)
  })
  const full = Object.entries(Object.groupBy(folders, (folder) => folder))
    .filter(([, files]) => files && files.length > MOST_FILES)
    .map(([folder]) => folder)
  expect(full).toEqual([])
})

test('the fault points that are listed are those that the code reaches', () => {
  const reached = sources.flatMap(({ tree }) =>
    [...tree.text.matchAll(/\breach\('([^']+)'\)/g)].map(([, point]) => point),
  )
  expect([...new Set(reached)].sort()).toEqual(FAULT_POINTS.toSorted())
})

/** Routes that write and look at an owner before: they ask a chain or a seller first, and lock the row again to write. */
const ASKS_FIRST = [
  // It writes nothing.
  '/api/cards/{id}/controls/backtest',
  '/api/cards/{id}/crt-market/vesting-confirm',
  '/api/cards/{id}/crt-market/prepare',
  '/api/cards/{id}/crt-market/confirm',
  '/api/listings/prepare',
  '/api/billing/agreements/prepare',
  '/api/billing/agreements',
  '/api/ap2/payment-methods',
  '/api/mpp/stream/close',
]

// A sale may be committed between a look at an owner and the lock.
test('an owner is compared on a locked row', () => {
  for (const { path, tree } of sources) {
    if (path === 'base/db/owned.ts') continue
    expect(tree.text, `${path} calls something its own`).not.toMatch(/\bas (unknown as )?Owned\b/)
    for (const [, first] of tree.text.matchAll(/\blockOwned(?:<[^>]*>)?\(\s*(\w+)/g))
      expect(first, `${path}: the first argument of lockOwned is a locking read`).toMatch(/^lock/)
  }
  const early = sources.flatMap(({ tree }) =>
    tree.text
      .split(/(?=\bkeyRoute\(\{)/)
      .slice(1)
      .filter(
        (route) =>
          !/method: 'GET'/.test(route) &&
          /\b(ownCard|findOwn\w*|ownAgreement|ownMarket)\(/.test(route.split('\n})')[0] ?? ''),
      )
      .map((route) => /path: '([^']*)'/.exec(route)?.[1]),
  )
  expect(early.toSorted()).toEqual(ASKS_FIRST.toSorted())
})

/** Checklists, and the judgement of an x402 signature or payment: results that have an `ok` field (STYLE, Errors). */
const SAYS_OK =
  /^(status\/checks|ap2\/settle\/dry-run|protocols\/ap2\/judge\/|protocols\/x402\/|client\/accounts\/judge-signature)/

test('a refusal is thrown, an outcome with a kind, or a ProtocolRefusal', () => {
  const saying = sources
    .filter(
      ({ path, tree }) => /\bok: false\b/.test(tree.text) && !SAYS_OK.test(withoutDistrict(path)),
    )
    .map(({ path }) => path)
  expect(saying, 'return `refuse(problem)` or an outcome with a `kind`').toEqual([])
  const protocols = sources.filter(({ path }) => path.startsWith('base/protocols/'))
  const errors = protocols.filter(({ tree }) =>
    /class \w*Refusal\b.* extends Error\b/.test(tree.text),
  )
  expect(errors.map(({ path }) => path)).toEqual(['base/protocols/refusal.ts'])
})

/** The edge is given the whole services. A function below says by `Uses` what it may touch. */
const EDGE = /(^|\/)([\w-]+-)?routes\.ts$|(^|\/)jobs\.ts$|^run\/|^api\/http\//

test('the whole Services stand at the edge alone', () => {
  const below = sources.filter(({ path }) => !EDGE.test(path))
  expect(namersOfServices(below), "take Uses<'db' | …>, the parts that it uses").toEqual([])
})

test('the service holds no file that nothing of it uses', () => {
  const used = new Set(sources.flatMap((source) => importsOf(source).map(({ path }) => path)))
  const dead = sources.map(({ path }) => path).filter((path) => !used.has(path))
  expect(dead.sort()).toEqual(ENTRIES.toSorted())
})

// A command that only reads the books would take half as long again if it loaded the whole service.
test('a command of the program reads no server and no routes', () => {
  const later = ['run/operate/start/start.ts', 'run/operate/start/serve.ts']
  const read = new Set(['program.ts'])
  for (const file of read)
    for (const { path, isType } of importsOf(sources.find((one) => one.path === file)!))
      if (!isType && !later.includes(path) && path.endsWith('.ts')) read.add(path)
  const routes = [...read].filter((path) => /(^|\/)(app|routes|server)\.ts$/.test(path))
  expect(routes).toEqual([])
})

test('a table is named in the SQL of its own room only, save in rooms that are listed', () => {
  const uses = foreignUses(sources, join(SRC, 'base/db/migrations'))
  const said = uses.map(({ room, verb, table }) => `${room} ${verb} ${table}`).sort()
  expect(said, 'the list is FOREIGN_TABLES').toEqual(Object.keys(FOREIGN_TABLES).sort())
})

test.each(OLD_WORDS)('"$word" is written nowhere, save in rooms that are listed', (old) => {
  const rooms = texts.filter((text) => old.isUsedIn(text)).map(({ room }) => room)
  expect([...new Set(rooms)].sort(), `use ${old.instead}; the list is USES_OF_OLD_WORDS`).toEqual(
    (USES_OF_OLD_WORDS[old.word] ?? []).toSorted(),
  )
})

test('a comment opens with its subject, not with Who, What, Whose or Of', () => {
  const poor = texts.flatMap(({ path, openings }) =>
    openings.map((opening) => `${path}: ${opening}`),
  )
  expect(poor).toEqual([])
})

/** Tests and what stands beside them, save the one place of waiting. */
const TESTING =
  /\.test\.ts$|^packages\/[\w-]+\/test\/(?!until\.ts$)|^conformance\/|^packages\/cli\/demo\/local-service/
/** Other ways to wait. `expect.poll` knows one test at a time, a loop of pauses does not say what it saw. */
const WAITS =
  /\bexpect\s*\.poll\(|\bvi\s*\.wait(For|Until)\(|from 'node:timers\/promises'|=> setTimeout\(resolve,|\b(while|for) \([^\n]*\)(?: if \([^\n]*\))?\s+await pause\(|\bfor \([^\n]*; await pause\(/
/** Programs of their own, and sellers that drip: they are slow for somebody else, who waits. */
const SLOW_PARTIES = [
  'packages/sdk/test/silent-server.ts',
  'packages/service/src/base/egress/forms.test.ts',
  'packages/service/src/base/kernel/clock.test.ts',
  'packages/service/test/hostile-sellers/answers.test.ts',
  'packages/service/test/webhooks/kill.test.ts',
]

test('a test waits by `until`, which says what it saw last, or lets time pass by `pause`', () => {
  const others = texts
    .map(({ path }) => path)
    .filter((path) => TESTING.test(path))
    .filter((path) => WAITS.test(readFileSync(join(REPOSITORY, path), 'utf8')))
  expect(others.filter((path) => !SLOW_PARTIES.includes(path))).toEqual([])
})

test('each decision has a number of its own', () => {
  const names = readdirSync(join(REPOSITORY, 'docs/decisions'))
  const shared = Object.values(Object.groupBy(names, (name) => name.slice(0, 4))).filter(
    (same) => same && same.length > 1,
  )
  expect(shared).toEqual([])
})

test('the map names every district and room', () => {
  const map = readFileSync(join(REPOSITORY, 'ARCHITECTURE.md'), 'utf8')
  for (const district of Object.keys(DISTRICTS)) expect(map).toContain(`\`${district}/\``)
  for (const room of ROOMS)
    expect(map).toContain(`\`${placeOf(room)}${room.endsWith('.ts') ? '' : '/'}\``)
})
