import { rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { homedir, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { guardProgram } from '../../places.ts'
import { type Child, dieWithParent, freePort, startChild, waitUntil } from '../child.ts'
import { callAnvil } from './rpc.ts'
import { keepState, openState, readOwner } from './state.ts'

export type AnvilOptions = {
  /** The file that keeps the chain between runs. Without it the chain ends with the process. */
  stateFile?: string
  /** Free one chosen if not given. */
  port?: number
  /** May be a fraction. */
  blockTimeSeconds: number
  /** Mines each transaction at once if possible. Others wait for the next timed block. */
  minesAtOnce?: boolean
  chainId: number
  /** A chain with a state file restarts after this many blocks, once no transaction is pending. Default: 1,800. */
  restartAfterBlocks?: number
  /** The tag `safe` is this many blocks behind the head, `finalized` twice as many. Default: 4. */
  slotsInAnEpoch?: number
}

export type RunningAnvil = {
  readonly rpcUrl: string
  /** The process id of anvil, or of its guard if the chain has a state file. */
  readonly pid: number
  /** Resolves when the process has ended, for any reason. */
  readonly exited: Promise<void>
  /** Stops the chain, after its state is saved. May be called again. */
  stop(): Promise<void>
}

const READY_MS = 15_000
/** Longer than the guard needs to pause the chain and to save its state. */
const STOP_MS = 30_000
const PORT_ATTEMPTS = 3
const LENGTH_CHECK_MS = 2_000
/**
 * Anvil rewrites its whole state every second and slows down with every block: after a day it would write 150 MB a
 * second. From 1,500 blocks on it also writes the state of each block, up to a megabyte. A restart drops the empty blocks
 * and takes 0.15 s.
 */
const RESTART_BLOCKS = 1_400
const ARCHITECTURES: Record<string, string> = { x64: 'amd64', arm64: 'arm64' }

/**
 * Starts the development chain that npm installed, on the loopback interface. It mines at intervals, never by
 * transaction alone: automine leaves pipelined transactions queued forever (361 of 6,000 mined). Ready in 60 ms.
 */
export async function startAnvil(given: AnvilOptions): Promise<RunningAnvil> {
  const options = { ...given }
  if (given.stateFile) {
    options.stateFile = resolve(given.stateFile)
    await openState(options.stateFile)
  }
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort())
    const child = await launch(options, port)
    if (child.isRunning()) return running(child, options, port)
    const reason = child.tail().trim()
    if (!reason.includes('Address already in use'))
      throw new Error(`The development chain did not start: ${reason}`)
    if (options.port !== undefined || attempt === PORT_ATTEMPTS)
      throw new Error(`The development chain cannot listen on port ${port}: another program does.`)
  }
}

/** The address of the chain that runs over the state file. Throws a sentence if none does. */
export async function findAnvil(stateFile: string): Promise<string> {
  const owner = await readOwner(stateFile)
  if (!owner?.port)
    throw new Error(`The development chain of ${stateFile} does not run: try again.`)
  return urlOf(owner.port)
}

/** Starts the process, through its guard if it has a state file, and waits until it answers or has ended. */
async function launch(options: AnvilOptions, port: number): Promise<Child> {
  const { stateFile } = options
  await removeStates(options, port)
  const anvil = [...(await dieWithParent('TERM')), findBinary(), ...flags(options, port)]
  const child = await startChild({
    command: stateFile
      ? [process.execPath, guardProgram(), urlOf(port), stateFile, ...anvil]
      : anvil,
    output: 'tail',
    onParentExit: 'SIGTERM',
    // Do not pass the service's own environment: it holds keys.
    env: { PATH: '/usr/bin:/bin', HOME: homedir() },
    ...(stateFile ? { endsWithInput: true } : {}),
  })
  if (!(await waitUntil(() => isAnswering(urlOf(port)), child, READY_MS))) await child.exited
  return child
}

/** Restarts a chain with a state file on the same port when it has grown long, so `pid` may change. */
async function running(first: Child, options: AnvilOptions, port: number): Promise<RunningAnvil> {
  const { stateFile, restartAfterBlocks = RESTART_BLOCKS } = options
  const stopping = new AbortController()
  let child = first
  let keeper = stateFile ? await keepState(stateFile, { pid: child.pid, port }) : undefined

  const restart = async (file: string) => {
    await child.stop('SIGTERM', STOP_MS)
    await keeper?.release()
    await openState(file)
    child = await launch(options, port)
    if (!child.isRunning())
      throw new Error(`The development chain did not start again: ${child.tail().trim()}`)
    keeper = await keepState(file, { pid: child.pid, port })
  }
  const supervise = async () => {
    for (;;) {
      const round = new AbortController()
      const signal = AbortSignal.any([round.signal, stopping.signal])
      const blocks = stateFile ? restartAfterBlocks : Number.POSITIVE_INFINITY
      await Promise.race([child.exited, untilLong(urlOf(port), blocks, signal)])
      round.abort()
      if (stopping.signal.aborted) await child.stop('SIGTERM', STOP_MS)
      if (!stateFile || !child.isRunning()) {
        await removeStates(options, port)
        return keeper?.release()
      }
      await restart(stateFile)
    }
  }
  const exited = supervise()
  return {
    rpcUrl: urlOf(port),
    get pid() {
      return child.pid
    },
    exited,
    stop() {
      stopping.abort()
      return exited
    },
  }
}

/** Resolves when the chain has grown by so many blocks and no transaction is pending, or at the signal. */
async function untilLong(rpcUrl: string, blocks: number, signal: AbortSignal): Promise<void> {
  let start: number | undefined
  while (await pause(LENGTH_CHECK_MS, signal)) {
    const status = await readStatus(rpcUrl)
    if (!status) continue
    start ??= status.height
    if (status.height - start >= blocks && status.waiting === 0) return
  }
}

/** The chain's height and its number of pending transactions; undefined if it does not answer. */
async function readStatus(
  rpcUrl: string,
): Promise<{ height: number; waiting: number } | undefined> {
  const answer = await callAnvil(rpcUrl, [['eth_blockNumber'], ['txpool_status']])
  if (!answer) return undefined
  const [height, pool] = answer as [string, { pending: string; queued: string }]
  return { height: Number(height), waiting: Number(pool.pending) + Number(pool.queued) }
}

/** Waits; false if the signal fired. */
const pause = (ms: number, signal: AbortSignal): Promise<boolean> =>
  sleep(ms, true, { signal, ref: false }).catch((error: Error) => {
    if (error.name === 'AbortError') return false
    throw error
  })

const urlOf = (port: number): string => `http://127.0.0.1:${port}`

/**
 * Where anvil writes states of old blocks. By itself it takes a folder below the home folder, and leaves gigabytes there.
 */
const statesFolder = ({ stateFile }: AnvilOptions, port: number): string =>
  stateFile ? join(dirname(stateFile), 'states') : join(tmpdir(), `purser-chain-states-${port}`)

const removeStates = (options: AnvilOptions, port: number): Promise<void> =>
  rm(statesFolder(options, port), { recursive: true, force: true })

function flags(options: AnvilOptions, port: number): string[] {
  const { stateFile } = options
  return [
    ...['--host', '127.0.0.1', '--port', String(port), '--silent'],
    ...['--chain-id', String(options.chainId)],
    ...['--block-time', String(options.blockTimeSeconds)],
    ...(options.minesAtOnce ? ['--mixed-mining'] : []),
    ...['--slots-in-an-epoch', String(options.slotsInAnEpoch ?? 4)],
    // So a kill -9 loses at most a second.
    ...(stateFile ? ['--state', stateFile, '--state-interval', '1'] : []),
    ...['--cache-path', statesFolder(options, port)],
  ]
}

function findBinary(): string {
  const platform = process.platform
  const name = `@foundry-rs/anvil-${platform}-${ARCHITECTURES[process.arch] ?? process.arch}`
  const file = `bin/anvil${platform === 'win32' ? '.exe' : ''}`
  const require = createRequire(import.meta.url)
  try {
    // The platform's package is a dependency of `@foundry-rs/anvil`, so it is looked up from there.
    return createRequire(require.resolve('@foundry-rs/anvil/package.json')).resolve(
      `${name}/${file}`,
    )
  } catch (cause) {
    throw new Error(
      `The development chain for this machine is not installed (package ${name}). ` +
        'Run "npm ci" again, or set PURSER_RPC_URL to a node of your own.',
      { cause },
    )
  }
}

const isAnswering = async (rpcUrl: string): Promise<boolean> =>
  (await callAnvil(rpcUrl, [['eth_chainId']])) !== undefined
