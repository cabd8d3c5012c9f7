import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stopPrograms } from './actors/program.ts'
import { RUN_BY } from './operate/fences.ts'
import { blocksOf, blocksToRun, isNpm, openPlace, PAGES, ROOT, runAll } from './pages/pages.ts'

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}
const readme = blocksOf('README.md')

/** Text without the parts that differ between runs: ids, addresses, hashes, times, ports and the width of columns. */
const masked = (text: string): string =>
  text
    .replace(/\b([a-z]{2,4})_[0-9a-z]{26}[rs]?\b/g, '$1_…')
    .replace(/\bPL_[0-9A-Z]{10}\b/g, 'PL_…')
    .replace(/\b0x[0-9a-fA-F]{40,64}\b/g, '0x…')
    .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
    .replace(/[ \t]+/g, ' ')
    .replace(/ $/gm, '')
    .trim()

let env: NodeJS.ProcessEnv
beforeAll(async () => {
  env = await openPlace()
}, 600_000)
afterAll(stopPrograms, 600_000)

test('npx finds the program', async () => {
  const { stdout } = await promisify(execFile)('npx', ['purser', '--version'], { cwd: ROOT, env })
  expect(stdout).toMatch(/^\d+\.\d+\.\d+$/m)
})

test.each(PAGES)(
  '%s works alone, and prints what it shows',
  async (page) => {
    const blocks = blocksToRun(page)
    const outputs = await runAll(env, blocks)
    for (const [i, { at, output }] of blocks.entries()) {
      const printed = outputs[i] ?? ''
      if (output?.kind === 'json')
        expect(JSON.parse(masked(printed)), at).toEqual(JSON.parse(masked(output.text)))
      else if (output) expect(masked(printed), at).toBe(masked(output.text))
    }
  },
  900_000,
)

/** Pages whose commands need a machine or a service of their own: `test/operate` says which test runs them. */
const RUN_ELSEWHERE = Object.keys(RUN_BY).map((page) => `docs/operate/${page}`)

test('the pages leave books that are right, and each page with commands is among them', async () => {
  await runAll(env, [
    { commands: 'npx purser verify', at: 'the end', section: '', output: undefined },
  ])
  const withCommands = DOCUMENTS.filter(
    (path) => /^(README|docs\/(operate\/)?[\w-]+)\.md$/.test(path) && blocksToRun(path).length > 0,
  )
  const alone = withCommands.filter((page) => !RUN_ELSEWHERE.includes(page) || PAGES.includes(page))
  expect(alone.sort()).toEqual([...PAGES].sort())
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
