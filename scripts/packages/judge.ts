import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import type { Packed } from './pack.ts'

const exec = promisify(execFile)
const ATTW = fileURLToPath(
  new URL('../../node_modules/@arethetypeswrong/cli/dist/index.js', import.meta.url),
)
/** Said of every dry run on a machine that nobody publishes from. */
const LOGGED_OUT = /^npm warn publish This command requires you to be logged in/

/** Asks publint, attw and `npm publish --dry-run`. Returns what they have against a package: nothing, if it can be published. */
export async function faultsOf(packed: Packed): Promise<string[]> {
  const found = await Promise.all([lint(packed), judgeTypes(packed), tryToPublish(packed)])
  return found.flat()
}

async function lint({ tarball }: Packed): Promise<string[]> {
  const bytes = await readFile(tarball)
  const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true })
  return messages.map((message) => `publint: ${formatMessage(message, pkg)}`)
}

/** A program has no types to judge. */
async function judgeTypes({ tarball, copy }: Packed): Promise<string[]> {
  const { exports } = JSON.parse(await readFile(join(copy, 'package.json'), 'utf8'))
  if (!exports['.']) return []
  const args = [ATTW, tarball, '--no-color', '--no-emoji']
  return exec(process.execPath, args).then(
    () => [],
    (error) => [`attw: ${error.stdout || error.stderr}`],
  )
}

async function tryToPublish({ copy }: Packed): Promise<string[]> {
  const args = ['publish', '--dry-run', '--ignore-scripts', '--loglevel', 'warn']
  const { stderr } = await exec('npm', args, { cwd: copy }).catch((error) => error)
  return stderr
    .split('\n')
    .filter((line: string) => line.startsWith('npm ') && !LOGGED_OUT.test(line))
}
