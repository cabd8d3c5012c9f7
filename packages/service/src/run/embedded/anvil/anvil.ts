import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { guardProgram } from '../../../places.ts'
import { type Child, dieWithParent, freePort, startChild, waitUntil } from '../child.ts'
import { readClock, setClock } from './rpc.ts'
import {
  isListening,
  keepState,
  listeningFile,
  openState,
  readOwner,
  statesFolder,
} from './state.ts'

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
  /** A chain with a state file restarts after this many blocks, while requests wait. Default: 1,400. */
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
  const options: Prepared = { ...given, offsetSeconds: 0 }
  if (given.stateFile) {
    options.stateFile = resolve(given.stateFile)
    options.offsetSeconds = await openState(options.stateFile)
  }
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort())
    const states = options.stateFile ? statesFolder(options.stateFile) : ownStates()
    const child = await launch(options, { port, states })
    if (child.isRunning()) return running(child, options, { port, states })
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

type Prepared = AnvilOptions & {
  /** By how much the clock of the kept chain is ahead of the real one. */
  offsetSeconds: number
}

/** Its port, and the folder where anvil writes states of old blocks. */
type Place = { port: number; states: string }

/** Starts the process, through its guard if it has a state file, and waits until it answers or has ended. */
async function launch(options: Prepared, place: Place): Promise<Child> {
  await mkdir(place.states, { recursive: true })
  const child = await startChild({
    command: await commandFor(options, place),
    output: 'tail',
    onParentExit: 'SIGTERM',
    // Do not pass the service's own environment: it holds keys.
    env: { PATH: '/usr/bin:/bin', HOME: homedir() },
    ...(options.stateFile ? { endsWithInput: true } : {}),
  })
  const rpcUrl = urlOf(place.port)
  // The guard sets the clock of a chain that it keeps.
  const isReady = async () =>
    options.stateFile
      ? (await readClock(rpcUrl)) !== undefined
      : isListening(place.states) && setClock(rpcUrl, 0)
  if (!(await waitUntil(isReady, child, READY_MS))) await child.exited
  return child
}

async function commandFor(options: Prepared, { port, states }: Place): Promise<string[]> {
  const { stateFile, restartAfterBlocks = RESTART_BLOCKS, offsetSeconds } = options
  const anvil = [...(await dieWithParent('TERM')), findBinary(), ...flags(options, states)]
  if (!stateFile) return [...anvil, '--port', String(port)]
  const given = [port, stateFile, restartAfterBlocks, offsetSeconds].map(String)
  return [process.execPath, guardProgram(), ...given, ...anvil]
}

async function running(child: Child, { stateFile }: Prepared, place: Place): Promise<RunningAnvil> {
  const { port, states } = place
  const keeper = stateFile ? await keepState(stateFile, { pid: child.pid, port }) : undefined
  const exited = child.exited.then(async () => {
    await rm(states, { recursive: true, force: true })
    await keeper?.release()
  })
  return {
    rpcUrl: urlOf(port),
    pid: child.pid,
    exited,
    async stop() {
      await child.stop('SIGTERM', STOP_MS)
      await exited
    },
  }
}

const urlOf = (port: number): string => `http://127.0.0.1:${port}`

/** By itself anvil takes a folder below the home folder, and leaves gigabytes there. */
const ownStates = (): string => join(tmpdir(), `purser-chain-states-${randomUUID()}`)

function flags(options: AnvilOptions, states: string): string[] {
  const { stateFile } = options
  return [
    ...['--host', '127.0.0.1', '--silent'],
    ...['--chain-id', String(options.chainId)],
    ...['--block-time', String(options.blockTimeSeconds)],
    ...(options.minesAtOnce ? ['--mixed-mining'] : []),
    ...['--slots-in-an-epoch', String(options.slotsInAnEpoch ?? 4)],
    // So a kill -9 loses at most a second.
    ...(stateFile ? ['--state', stateFile, '--state-interval', '1'] : []),
    ...['--cache-path', states, '--config-out', listeningFile(states)],
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
