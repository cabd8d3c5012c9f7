/** Programs of a drill, and folders: all end with it, also by Ctrl-C. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const undo: (() => void)[] = []

/** Runs this when the drill ends, the last first. */
export const atEnd = (work: () => void): void => void undo.push(work)

/** Ends everything. It may be called again. */
export function cleanUp(): void {
  for (const work of undo.splice(0).reverse())
    try {
      work()
    } catch (error) {
      process.stderr.write(`${(error as Error).message}\n`)
    }
}

process.once('exit', cleanUp)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    cleanUp()
    process.exit(130)
  })

const hidden = new Set<string>()

/** Has `masked` leave these out: passwords and keys, of tests too, do not belong into a log. */
export function hide(secrets: readonly string[]): void {
  for (const secret of secrets) if (secret.length > 0) hidden.add(secret)
}

export const masked = (text: string): string =>
  [...hidden].reduce((rest, secret) => rest.replaceAll(secret, '***'), text)

/** Removes a folder. What was just killed in it may still be ending. */
export const removeFolder = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })

/** On a disk, and open to every account: the database does not run as root, and TMPDIR may be root's alone. */
const FOLDERS = '/var/tmp'

/** A folder that every account may enter. */
export function ownFolder(): string {
  const folder = mkdtempSync(join(FOLDERS, 'purser-drill-'))
  run('chmod', ['755', folder])
  atEnd(() => removeFolder(folder))
  return folder
}

/** Runs a command to its end. Throws what it complained about. */
export const run = (
  command: string,
  args: string[],
  { env, cwd }: { env?: Record<string, string>; cwd?: string } = {},
): string =>
  execFileSync(command, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(env ? { env: { PATH: process.env.PATH, ...env } } : {}),
    ...(cwd ? { cwd } : {}),
  })

/** Starts a program that writes to a file, and ends with the drill. */
export function launch(
  command: string,
  args: string[],
  { log, env = {}, cwd }: { log: string; env?: Record<string, string>; cwd?: string },
): ChildProcess {
  const out = openSync(log, 'a')
  const child = spawn(command, args, {
    stdio: ['ignore', out, out],
    env: { PATH: process.env.PATH, ...env },
    ...(cwd ? { cwd } : {}),
  })
  child.on('error', (error) => process.stderr.write(`${command}: ${error.message}\n`))
  atEnd(() => child.kill('SIGKILL'))
  return child
}

export const ended = (child: ChildProcess): Promise<number | null> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve(child.exitCode)
    : new Promise((resolve) => child.once('exit', (code) => resolve(code)))
