import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { livedPlace, PASSED_ON, start, stopPrograms } from './actors/program.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}

type Block = {
  commands: string
  /** The place of the block, for messages. */
  at: string
  output: { kind: string; text: string } | undefined
}

/** The fenced `sh` blocks of a document in order, each with the output block that follows it, if there is one. */
function blocksOf(document: string): Block[] {
  const markdown = readFileSync(join(ROOT, document), 'utf8')
  const fences = [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
  return fences.flatMap((fence, i) => {
    const [whole, kind, commands = ''] = fence
    if (kind !== 'sh') return []
    const next = fences[i + 1]
    const between = next && markdown.slice(fence.index + whole.length, next.index)
    const output =
      next && next[1] !== 'sh' && between?.trim() === ''
        ? { kind: next[1] ?? '', text: next[2] ?? '' }
        : undefined
    const line = markdown.slice(0, fence.index).split('\n').length + 1
    return [{ commands, at: `line ${line} of ${document}`, output }]
  })
}

const readme = blocksOf('README.md')
/** Blocks that install, start and test everything would run this very test, so they are only compared. */
const isNpm = ({ commands }: Block): boolean => /^npm /m.test(commands)
/** The pages in the order in which they run beside one service: the walk begins with an unused wallet. */
const PAGES = [
  'docs/walk.md',
  'docs/cli.md',
  'docs/doctor.md',
  'docs/evidence.md',
  'docs/credentials.md',
  'docs/approvals.md',
  'docs/drafts.md',
  'docs/limits.md',
  'docs/fees.md',
  'docs/membership.md',
  'docs/webhooks.md',
  'docs/feed.md',
  'docs/market.md',
  'README.md',
  'docs/agents.md',
  'docs/direct.md',
  'docs/crt-markets.md',
  // Moves the clock of the service ahead of that of the x402 clients, so it comes last.
  'docs/billing.md',
]
const DEMO = 'npx purser demo\n'
/** Two pages have the demo. It runs for the one that shows what it prints. */
const blocksToRun = (page: string): Block[] =>
  blocksOf(page).filter((block) => !isNpm(block) && (block.output || block.commands !== DEMO))

/** Commands that only show something need no second run. Each starts a program, most of them the service's own. */
const SHOWS =
  /^npx purser (demo|verify|doctor|balance|fees|plans|meter|\w+ (list|show|get|entries|plans|decisions)( .*)?)$/
const withoutShows = (block: Block): Block => {
  const lines = block.commands.split('\n').filter((line) => !SHOWS.test(line))
  return { ...block, commands: lines.join('\n') }
}

/** Text without the parts that differ between runs: ids, addresses, hashes, times, ports and the width of columns. */
const masked = (text: string): string =>
  text
    .replace(/\b([a-z]{2,4})_[0-9a-z]{26}[rs]?\b/g, '$1_…')
    .replace(/\bPL_[0-9A-Z]{10}\b/g, 'PL_…')
    .replace(/\b0x[0-9a-fA-F]{40,64}\b/g, '0x…')
    .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
    .replace(/ +/g, ' ')
    .replace(/ $/gm, '')
    .trim()

let env: NodeJS.ProcessEnv

beforeAll(async () => {
  const lived = await livedPlace()
  env = {
    ...PASSED_ON,
    ...lived,
    PATH: [join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
    HOME: process.env.HOME,
    // A command that is not installed must fail instead of being downloaded.
    npm_config_yes: 'false',
  }
  await start(lived)
}, 600_000)
afterAll(stopPrograms, 600_000)

const MARK = '--- end of block'

/** npm takes 0.35 s of CPU to find a program that is here; the first test asks it, as a reader does. */
const NPX = `npx() { "${ROOT}node_modules/.bin/$1" "\${@:2}"; }`

/** Runs the blocks one after the other in one shell, as a reader would. Returns the output of each. */
async function runAll(blocks: Block[]): Promise<string[]> {
  const script = blocks
    .map(({ commands }, i) => `${i === 0 ? NPX : ''}\n${commands}\nprintf '\\n${MARK}\\n'\n`)
    .join('')
  return new Promise((resolve, reject) => {
    execFile(
      'bash',
      ['-c', `set -euo pipefail\n${script}`],
      { cwd: ROOT, env, maxBuffer: 16_000_000 },
      (error, stdout, stderr) => {
        const outputs = stdout.split(`${MARK}\n`)
        const failed = blocks[outputs.length - 1]
        if (!error) return resolve(outputs)
        const where = `the commands at ${failed?.at} failed`
        reject(new Error(`${where}:\n${failed?.commands}\n${outputs.at(-1)}\n${stderr}`))
      },
    )
  })
}

test('npx finds the program', async () => {
  const { stdout } = await promisify(execFile)('npx', ['purser', '--version'], { cwd: ROOT, env })
  expect(stdout).toMatch(/^\d+\.\d+\.\d+$/m)
})

test.each(PAGES)(
  '%s works alone, prints what it shows, and works again',
  async (page) => {
    const blocks = blocksToRun(page)
    const outputs = await runAll(blocks)
    for (const [i, { at, output }] of blocks.entries()) {
      const printed = outputs[i] ?? ''
      if (output?.kind === 'json')
        expect(JSON.parse(masked(printed)), at).toEqual(JSON.parse(masked(output.text)))
      else if (output) expect(masked(printed), at).toBe(masked(output.text))
    }
    await runAll(blocks.map(withoutShows))
  },
  900_000,
)

test('the pages leave books that are right, and each page with commands is among them', async () => {
  await runAll([{ commands: 'npx purser verify', at: 'the end', output: undefined }])
  const withCommands = DOCUMENTS.filter(
    (path) => /^(README|docs\/[\w-]+)\.md$/.test(path) && blocksToRun(path).length > 0,
  )
  expect(withCommands.sort()).toEqual([...PAGES].sort())
}, 900_000)

test('pick says what the answer was when it has no such member', async () => {
  const asked = `. docs/shell.sh; pick '{"error":"no money","code":"insufficient_funds"}' card.id`
  const failed = await promisify(execFile)('bash', ['-c', asked], { cwd: ROOT, env }).catch(
    (error) => error,
  )
  expect([failed.code, failed.stderr]).toEqual([
    1,
    'There is no "card.id" in the answer: {"error":"no money","code":"insufficient_funds"}\n',
  ])
})

test('the two commands that start and test everything are scripts of the package', () => {
  const commands = readme.filter(isNpm).map((block) => block.commands.trim())
  expect(commands).toEqual(['npm ci && npm start', 'npm ci && npm test'])
  expect(existsSync(join(ROOT, 'package-lock.json'))).toBe(true)
  expect(scripts.start).toMatch(/^exec node( --[\w-]+)* packages\/service\/src\/main\.ts( start)?$/)
  expect(scripts.test).toContain('node scripts/test.ts')
})

test('the check of the repository runs what the README names', () => {
  const run = join(ROOT, '.ci', 'run')
  expect(readFileSync(run, 'utf8')).toContain('\nnpm ci && npm test && npm run test:slow\n')
  expect(statSync(run).mode & 0o111).toBe(0o111)
})

const DOCUMENTS = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]
/** The folders that a document's paths may be relative to. */
const BASES = ['', 'packages/service', 'packages/service/src', 'packages/service/test']

test.each(DOCUMENTS)('%s links to and names only files that are there', (document) => {
  const text = readFileSync(join(ROOT, document), 'utf8')
  const links = [...text.matchAll(/\]\((?!https?:|mailto:)([^)#]+)[^)]*\)/g)].map(
    ([, path = '']) => path,
  )
  for (const path of links)
    expect(existsSync(join(ROOT, dirname(document), path)), `${document} links to ${path}`).toBe(
      true,
    )
  const named = [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|sql|sol|js))`/g)]
  for (const [, path = ''] of named)
    expect(
      BASES.some((base) => existsSync(join(ROOT, base, path))),
      `${document} names ${path}`,
    ).toBe(true)
})
