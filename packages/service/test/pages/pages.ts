import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { livedPlace, PASSED_ON, start } from '../actors/program.ts'

export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

export type Block = {
  commands: string
  /** The place of the block, for messages. */
  at: string
  /** The heading above it. */
  section: string
  output: { kind: string; text: string } | undefined
}

/** The fenced `sh` blocks of a document in order, each with the output block that follows it, if there is one. */
export function blocksOf(document: string): Block[] {
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
    const above = markdown.slice(0, fence.index)
    const line = above.split('\n').length + 1
    const section = [...above.matchAll(/^#+ (.*)$/gm)].at(-1)?.[1] ?? ''
    return [{ commands, at: `line ${line} of ${document}`, section, output }]
  })
}

/** Blocks that install, start and test everything would run this very test, so they are only compared. */
export const isNpm = ({ commands }: Block): boolean => /^npm /m.test(commands)
/** The pages in the order in which they run beside one service: the walk begins with an unused wallet. */
export const PAGES = [
  'docs/walk.md',
  'docs/cli.md',
  'docs/start.md',
  'docs/give-a-card.md',
  'docs/deposits.md',
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
  'docs/sdk.md',
  'docs/http.md',
  'docs/mcp.md',
  'docs/direct.md',
  'docs/operate/retention.md',
  'docs/checkout.md',
  'docs/crt-markets.md',
  // These move the clock of the service ahead of that of the x402 clients, so they come last.
  'docs/testing.md',
  'docs/billing.md',
]
const DEMO = 'npx purser demo\n'
/** Two pages have the demo. It runs for the one that shows what it prints. */
export const blocksToRun = (page: string): Block[] =>
  blocksOf(page).filter(
    (block) =>
      !isNpm(block) && !RUN_APART.has(block.section) && (block.output || block.commands !== DEMO),
  )
/** Needs a service of its own: `src/run/operate/retention`. */
const RUN_APART = new Set(['Put a month away'])

/** Commands that only show something need no second run. Each starts a program, most of them the service's own. */
const SHOWS =
  /^npx purser (demo|verify|doctor|balance|fees|plans|meter|\w+ (list|show|get|entries|plans|decisions)( .*)?)$/
export const withoutShows = (block: Block): Block => {
  const lines = block.commands.split('\n').filter((line) => !SHOWS.test(line))
  return { ...block, commands: lines.join('\n') }
}

/** A service that has lived, with no wallet of the pages in it, and the environment in which a reader of them works. */
export async function openPlace(): Promise<NodeJS.ProcessEnv> {
  const lived = await livedPlace()
  await start(lived)
  return {
    ...PASSED_ON,
    ...lived,
    PATH: [join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
    HOME: process.env.HOME,
    // A command that is not installed must fail instead of being downloaded.
    npm_config_yes: 'false',
  }
}

const MARK = '--- end of block'

/** npm takes 0.35 s of CPU to find a program that is here; the first test asks it, as a reader does. */
const NPX = `npx() { "${ROOT}node_modules/.bin/$1" "\${@:2}"; }
purser() { npx purser "$@"; }`

/** Runs the blocks one after the other in one shell, as a reader would. Returns the output of each. */
export function runAll(env: NodeJS.ProcessEnv, blocks: Block[]): Promise<string[]> {
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
