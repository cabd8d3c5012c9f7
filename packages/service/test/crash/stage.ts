import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { createPublicClient, erc721Abi, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { assert } from '../../src/base/kernel/assert.ts'
import { randomHex } from '../../src/base/kernel/secrets.ts'
import { IDENTITY_REGISTRIES } from '../../src/chain/client/public/contracts.ts'
import { startAnvil } from '../../src/run/embedded/anvil/anvil.ts'
import {
  DEV_SETTLER,
  fundGas,
  placeSettler,
  prepareDevChain,
} from '../../src/run/embedded/dev/chain.ts'
import { DEV_VAULT, placeVault } from '../../src/run/embedded/dev/credentials.ts'
import { DEV_MARKET, DEV_REVENUE } from '../../src/run/embedded/dev/market.ts'
import { type RunningPostgres, startPostgres } from '../../src/run/embedded/postgres/postgres.ts'
import { ownPort } from '../run/own-port.ts'
import { until } from '../until.ts'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
export const CHAIN_ID = 84_532
const GAS_WEI = 10n ** 20n

export type Role = 'api,worker' | 'worker'

/** A process of the service, started as a person starts it. */
export class Process {
  readonly #child: ChildProcess
  readonly #logFile: string
  readonly exited: Promise<NodeJS.Signals | number | null>
  #said = ''

  /** `around` is a command that runs the program, as `unshare` does. */
  constructor(
    args: string[],
    env: Record<string, string>,
    logFile: string,
    around: readonly string[] = [],
  ) {
    this.#logFile = logFile
    const [command = '', ...words] = [...around, process.execPath, MAIN, ...args]
    this.#child = spawn(command, words, {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const hear = (text: Buffer) => {
      this.#said += text
      appendFileSync(this.#logFile, text)
    }
    this.#child.stdout?.on('data', hear)
    this.#child.stderr?.on('data', hear)
    // An interrupted soak leaves no process running.
    const end = () => this.#child.kill('SIGKILL')
    process.once('exit', end)
    this.exited = new Promise((resolve) =>
      this.#child.once('close', (code, signal) => {
        process.removeListener('exit', end)
        resolve(signal ?? code)
      }),
    )
  }

  get output(): string {
    return this.#said
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Waits until it serves. Throws its output if it ends before that or takes too long. */
  async ready(): Promise<this> {
    await until(
      () => ({ said: this.#said, isRunning: this.isRunning }),
      ({ said, isRunning }) => {
        if (said.includes('"msg":"ready"')) return true
        if (!isRunning) throw new Error(`the service was not ready but said:\n${said.slice(-3000)}`)
        return false
      },
      { everyMs: 25 },
    )
    return this
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.exited
  }
}

/**
 * The parts that stay while others are killed: PostgreSQL, a chain, and a way to start the service on them. Without
 * `processes`, a service chooses its own number. A migrated `database` saves a server, but only a server of its own can
 * be killed.
 */
export async function openStage(options: {
  blockTimeSeconds: number
  processes?: number
  logFile?: string
  database?: Database
}) {
  const folder = await mkdtemp(join(tmpdir(), 'purser-crash-'))
  const port = await ownPort()
  const { blockTimeSeconds, database = await ownDatabase(join(folder, 'postgres')) } = options
  const anvil = await startAnvil({ blockTimeSeconds, chainId: CHAIN_ID, slotsInAnEpoch: 1 })
  const rpcUrl = anvil.rpcUrl
  await prepareDevChain({ rpcUrl, chainId: CHAIN_ID })
  const [operator, ...relayers] = [1, 2, 3].map(() => generatePrivateKey())
  for (const key of relayers)
    await fundGas({ rpcUrl, address: privateKeyToAccount(key).address, wei: GAS_WEI })
  const custodian = privateKeyToAccount(operator ?? '0x').address
  await placeVault({ rpcUrl, chainId: CHAIN_ID, custodian })
  const [puller] = relayers
  if (puller) await placeSettler({ rpcUrl, operator: privateKeyToAccount(puller).address })
  const env = {
    DATABASE_URL: database.url,
    PURSER_RPC_URL: rpcUrl,
    PURSER_OPERATOR_KEY: operator ?? '',
    PURSER_RELAYER_KEYS: relayers.join(','),
    PURSER_SECRET: randomHex(32).slice(2),
    PURSER_EGRESS_ALLOW: '127.0.0.1',
    PURSER_BATCH_SETTLER: DEV_SETTLER,
    PURSER_CREDENTIAL_VAULT: DEV_VAULT,
    PURSER_CREDENTIAL_MARKET: DEV_MARKET,
    PURSER_REVENUE_ADDRESS: DEV_REVENUE,
    ...(options.processes ? { PURSER_PROCESSES: String(options.processes) } : {}),
    // Half of a start is compiling the source, and the service is started again and again.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(folder, 'compiled'),
  }
  const logFile = options.logFile ?? join(folder, 'service.log')
  const started = new Set<Process>()
  // A connection takes ten times as long as a question, and those who wait ask again and again.
  const pool = new pg.Pool({ connectionString: database.url, max: 4 })
  // The database may be killed meanwhile; the next query reports it.
  pool.on('error', () => undefined)
  const stage = {
    ...{ folder, logFile, rpcUrl, env },
    baseUrl: `http://127.0.0.1:${port}`,
    relayers: relayers.map((key) => privateKeyToAccount(key).address),
    launch(role: Role, fault?: string): Process {
      const program = new Process(
        [],
        {
          ...env,
          PORT: String(port),
          PURSER_ROLES: role,
          ...(fault ? { PURSER_FAULT_POINT: fault } : {}),
        },
        logFile,
      )
      started.add(program)
      void program.exited.then(() => started.delete(program))
      return program
    },
    /** How many identity tokens the vault holds. */
    tokensOfVault: (): Promise<bigint> =>
      createPublicClient({ transport: http(rpcUrl) }).readContract({
        abi: erc721Abi,
        address: IDENTITY_REGISTRIES[`eip155:${CHAIN_ID}`]!,
        functionName: 'balanceOf',
        args: [DEV_VAULT],
      }),
    async killAll(): Promise<void> {
      await Promise.all([...started].map((program) => program.kill()))
    },
    /** Runs a command of the service to its end, or to the fault point that it is armed for. */
    async command(args: string[], fault?: string): Promise<{ code: unknown; output: string }> {
      const armed = fault ? { PURSER_FAULT_POINT: fault } : {}
      const program = new Process(args, { ...env, ...armed }, logFile)
      return { code: await program.exited, output: program.output }
    },
    /** Kills the database as the kernel would, and restarts it on its files. */
    async killPostgres(): Promise<void> {
      assert(database.kill, 'the stage has a server of its own')
      await database.kill()
    },
    /** Runs statements in one transaction, with months and days of UTC. */
    batch: (statements: string): Promise<unknown> =>
      stage.query(`begin; set local timezone = 'UTC'; ${statements}; commit`),
    async query<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
      return (await pool.query(text, values)).rows as Row[]
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await stage.killAll()
      await pool.end()
      await Promise.all([database.drop(), anvil.stop()])
      await rm(folder, { recursive: true, force: true })
    },
  }
  if (options.database) return stage
  // This command ends by itself, so it stores its compile cache for processes that are killed later.
  const { code, output } = await stage.command(['migrate'])
  if (code !== 0) throw new Error(`the database could not be prepared:\n${output}`)
  return stage
}
export type Stage = Awaited<ReturnType<typeof openStage>>

type Database = {
  url: string
  drop(): Promise<void>
  /** Kills its server, and starts it again. */
  kill?(): Promise<void>
}

/** A database on a server of its own, of the PostgreSQL that the service brings along. */
export async function ownDatabase(dataDir: string): Promise<Database> {
  const port = await ownPort()
  let server: RunningPostgres = await startPostgres({ dataDir, port })
  return {
    url: server.url,
    drop: () => server.stop(),
    async kill() {
      process.kill(server.pid, 'SIGKILL')
      await server.exited
      server = await startPostgres({ dataDir, port })
    },
  }
}
