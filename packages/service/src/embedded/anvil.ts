import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { keepState, openState } from './anvil-state.ts'
import { type Child, dieWithParent, freePort, startChild, waitUntil } from './child.ts'

export type AnvilOptions = {
  /** Where the chain lives on between runs; without it the chain ends with the process. */
  stateFile?: string
  /** Free one chosen if not given. */
  port?: number
  /** May be a fraction. */
  blockTimeSeconds: number
  chainId: number
  /** The tag `safe` is this many blocks behind the head, `finalized` twice as many. 4 if not given. */
  slotsInAnEpoch?: number
}

export type RunningAnvil = {
  readonly rpcUrl: string
  readonly pid: number
  /** Resolves when the process has ended, whoever ended it. */
  readonly exited: Promise<void>
  /** Writes the state down and waits. May be called again. */
  stop(): Promise<void>
}

const READY_MS = 15_000
const STOP_MS = 15_000
const PORT_ATTEMPTS = 3
const ANSWER_MS = 1_000
const ARCHITECTURES: Record<string, string> = { x64: 'amd64', arm64: 'arm64' }

/**
 * Starts the development chain that npm installed, on the loopback interface. It mines by the clock, never by
 * transaction: automine leaves pipelined transactions queued for ever (361 of 6,000 mined, measured). Ready in 60 ms.
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

/** Starts the process and waits until it answers or has ended. */
async function launch(options: AnvilOptions, port: number): Promise<Child> {
  const child = await startChild({
    command: [...(await dieWithParent('TERM')), findBinary(), ...flags(options, port)],
    output: 'tail',
    onParentExit: 'SIGTERM',
  })
  if (!(await waitUntil(() => isAnswering(urlOf(port)), child, READY_MS))) await child.exited
  return child
}

async function running(child: Child, options: AnvilOptions, port: number): Promise<RunningAnvil> {
  const keeper = options.stateFile ? await keepState(options.stateFile, child.pid) : undefined
  const exited = child.exited.then(() => keeper?.release())
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

function flags(options: AnvilOptions, port: number): string[] {
  const { stateFile } = options
  return [
    ...['--host', '127.0.0.1', '--port', String(port), '--silent'],
    ...['--chain-id', String(options.chainId)],
    ...['--block-time', String(options.blockTimeSeconds)],
    ...['--slots-in-an-epoch', String(options.slotsInAnEpoch ?? 4)],
    // A kill -9 then loses a second at most.
    ...(stateFile ? ['--state', stateFile, '--state-interval', '1'] : []),
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

async function isAnswering(rpcUrl: string): Promise<boolean> {
  try {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}',
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    await response.arrayBuffer()
    return true
  } catch (error) {
    // fetch says only "fetch failed" when nobody listens; a stranger on the port may take the call and say nothing.
    const isSilence = error instanceof Error && error.name === 'TimeoutError'
    if (error instanceof TypeError || isSilence) return false
    throw error
  }
}
