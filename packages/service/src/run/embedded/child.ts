import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
const TAIL_LENGTH = 2_000

export type Child = {
  readonly pid: number
  /** Resolves to the exit code when the process ends; null if a signal ended it. */
  readonly exited: Promise<number | null>
  isRunning(): boolean
  /** The end of its standard error, if `output` is 'tail'. */
  tail(): string
  /** Sends `signal` and waits; after `graceMs` the process is killed. May be called again. */
  stop(signal: NodeJS.Signals, graceMs: number): Promise<void>
}

export type ChildOptions = {
  command: readonly string[]
  /** A file descriptor for the process's output, or 'tail' to keep only the end of its standard error. */
  output: number | 'tail'
  /** The signal to send to the process if this one exits without stopping it. */
  onParentExit: NodeJS.Signals
  /**
   * The process stops at the end of its input instead. That also works if this process is killed, or without signals.
   */
  endsWithInput?: boolean
  cwd?: string
  env?: Record<string, string>
  uid?: number
  gid?: number
}

/**
 * Starts a process in its own process group, so that Ctrl-C in the terminal reaches only us and we decide the order of
 * the shutdown. Throws if it cannot be started.
 */
export async function startChild(options: ChildOptions): Promise<Child> {
  const [file = '', ...args] = options.command
  const { output, endsWithInput = false } = options
  const input = endsWithInput ? 'pipe' : 'ignore'
  const child: ChildProcess = spawn(file, args, {
    stdio: output === 'tail' ? [input, 'ignore', 'pipe'] : [input, output, output],
    detached: process.platform !== 'win32',
    windowsHide: true,
    ...(options.cwd ? { cwd: options.cwd } : {}),
    ...(options.env && process.platform !== 'win32' ? { env: options.env } : {}),
    ...(options.uid === undefined ? {} : { uid: options.uid }),
    ...(options.gid === undefined ? {} : { gid: options.gid }),
  })
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', reject)
  })
  let tail = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-TAIL_LENGTH)
  })
  const ask = (signal: NodeJS.Signals) => (endsWithInput ? child.stdin?.end() : child.kill(signal))
  const stopWithParent = () => ask(options.onParentExit)
  process.once('exit', stopWithParent)
  const exited = hasEnded(child)
    ? Promise.resolve(child.exitCode)
    : new Promise<number | null>((resolve) => child.once('close', resolve))
  void exited.then(() => process.removeListener('exit', stopWithParent))
  return {
    pid: child.pid ?? 0,
    exited,
    isRunning: () => !hasEnded(child),
    tail: () => tail,
    async stop(signal, graceMs) {
      if (!hasEnded(child)) ask(signal)
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs)
      await exited
      clearTimeout(timer)
    },
  }
}

const hasEnded = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null

/** Whether the command runs here and succeeds. */
export async function canRun(command: readonly string[]): Promise<boolean> {
  const [file = '', ...args] = command
  return run(file, args).then(
    () => true,
    () => false,
  )
}

/**
 * The prefix that makes Linux end a command with us, even if we are killed with -9. Empty without util-linux's
 * `setpriv`.
 */
export async function dieWithParent(signal: 'INT' | 'TERM'): Promise<string[]> {
  const prefix = ['setpriv', '--pdeathsig', signal]
  return process.platform === 'linux' && (await canRun([...prefix, 'true'])) ? prefix : []
}

/** A TCP port of the loopback interface that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('No TCP port is free.')
  return address.port
}

/**
 * Asks `isReady` every few milliseconds until it is; false if the process ends first. After `timeoutMs` the process is
 * killed, and this throws.
 */
export async function waitUntil(
  isReady: () => Promise<boolean>,
  child: Child,
  timeoutMs: number,
): Promise<boolean> {
  const until = performance.now() + timeoutMs
  while (child.isRunning()) {
    if (await isReady()) return true
    if (performance.now() > until) {
      await child.stop('SIGKILL', 0)
      throw new Error(`Process ${child.pid} was not ready within ${timeoutMs} ms.`)
    }
    await sleep(5)
  }
  return false
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ESRCH') return false
    if (code === 'EPERM') return true
    throw error
  }
}

/** Whether the process is alive and has this word on its command line: another process may have reused its id. */
export async function isRunningWith(pid: number, word: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  if (process.platform === 'win32') return true
  const command =
    process.platform === 'linux'
      ? readFile(`/proc/${pid}/cmdline`, 'utf8')
      : run('ps', ['-o', 'command=', '-p', String(pid)]).then((answer) => answer.stdout)
  return command.then(
    (words) => words.includes(word),
    // The process ended between the two checks.
    () => false,
  )
}
