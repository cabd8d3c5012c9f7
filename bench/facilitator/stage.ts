/**
 * A service whose facilitator is measured or killed, or several machines of one. Its database is in a temporary folder, and its
 * chain outlives it.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { USDC } from '../../packages/service/src/base/kernel/assets.ts'
import { randomHex, Secret } from '../../packages/service/src/base/kernel/secrets.ts'
import { authorizationTypedData } from '../../packages/service/src/base/protocols/evm/eip3009/authorization.ts'
import { localSigner } from '../../packages/service/src/chain/client/signers/local.ts'
import type { Signer } from '../../packages/service/src/chain/client/signers/signer.ts'
import { startAnvil } from '../../packages/service/src/run/embedded/anvil/anvil.ts'
import { dieWithParent, freePort } from '../../packages/service/src/run/embedded/child.ts'
import {
  DEV_SETTLER,
  fundGas,
  mintUsdc,
  prepareDevChain,
  waitMined,
} from '../../packages/service/src/run/embedded/dev/chain.ts'
import { startPostgres } from '../../packages/service/src/run/embedded/postgres/postgres.ts'
import { openWallet } from '../../packages/service/test/webhooks/http-wallet.ts'
import { HERE, MAIN, nodeFlagsOf } from '../stage/service.ts'

type Hex = `0x${string}`
export type Body = {
  x402Version: 2
  paymentPayload: Record<string, unknown>
  paymentRequirements: Record<string, unknown>
}
export type Payment = { payTo: Hex; payer: Hex; nonce: Hex; body: Body }

export const CHAIN_ID = 84_532
export const PRICE = 1_000n
const READY_MS = 60_000
const RELAYERS = 4
const PAYERS = 32
const PAYER_USDC = 1_000_000_000n
const GAS_WEI = 10n ** 21n
const VALID_SECONDS = 24 * 3_600
const asset = USDC[CHAIN_ID] as NonNullable<(typeof USDC)[number]>

export const newSigner = (): Signer => localSigner(new Secret(randomHex(32)))

type StageOptions = {
  blockTimeSeconds: number
  minesAtOnce?: boolean
  /** Blocks until one is safe; twice as many until it is final. */
  slotsInAnEpoch?: number
  /** The service's processes; by default the machine decides. */
  processes?: number
  /** The tree whose service runs; this one if not given. */
  folder?: string
  /** Added to the flags that the tree's `npm start` gives to Node. */
  nodeFlags?: string[]
}

/**
 * Starts chain and database. `start` and `kill` start the service, kill it and start it again; `startBeside` starts another
 * machine on the same database.
 */
export async function openStage({
  processes,
  folder: tree = HERE,
  nodeFlags = [],
  ...chain
}: StageOptions) {
  const stack = new AsyncDisposableStack()
  const start = [process.execPath, ...nodeFlagsOf(tree), ...nodeFlags, join(tree, MAIN), 'start']
  const [program = '', ...args] = [...(await dieWithParent('TERM')), ...start]
  const folder = mkdtempSync(join(tmpdir(), 'purser-facilitator-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const anvil = await startAnvil({ ...chain, chainId: CHAIN_ID })
  stack.defer(() => anvil.stop())
  const { rpcUrl } = anvil
  await prepareDevChain({ rpcUrl, chainId: CHAIN_ID })
  const postgres = await startPostgres({
    dataDir: join(folder, 'postgres'),
    port: await freePort(),
  })
  stack.defer(() => postgres.stop())
  const relayers = Array.from({ length: RELAYERS }, () => randomHex(32))
  for (const key of relayers)
    await fundGas({ rpcUrl, address: localSigner(new Secret(key)).address, wei: GAS_WEI })
  const payers = Array.from({ length: PAYERS }, newSigner)
  const minted: Hex[] = []
  for (const { address: to } of payers)
    minted.push(await mintUsdc({ rpcUrl, chainId: CHAIN_ID, to, amount: PAYER_USDC }))
  for (const hash of minted) await waitMined({ rpcUrl, hash, timeoutMs: READY_MS })
  const port = await freePort()
  const env = {
    ...{ PATH: process.env.PATH, PORT: String(port), DATABASE_URL: postgres.url },
    ...{ PURSER_DRAIN_SECONDS: '0', PUBLIC_URL: `http://127.0.0.1:${port}` },
    ...{ PURSER_RPC_URL: rpcUrl, PURSER_OPERATOR_KEY: randomHex(32) },
    ...{ PURSER_RELAYER_KEYS: relayers.join(','), PURSER_SECRET: randomHex(32).slice(2) },
    ...{ PURSER_BATCH_SETTLER: DEV_SETTLER, PURSER_RATE_LIMIT: '100000000' },
    PURSER_DATA_DIR: join(folder, 'data'),
    PURSER_SELLER_GAS_PER_DAY: '0',
    ...(processes ? { PURSER_PROCESSES: String(processes) } : {}),
  }
  const url = `http://127.0.0.1:${port}`
  const launch = (variables = env): ChildProcess =>
    spawn(program, args, {
      ...{ cwd: folder, env: variables, stdio: ['ignore', 'ignore', 'inherit'] },
    })
  let child: ChildProcess | undefined
  const kill = async (signal: NodeJS.Signals): Promise<void> => {
    const ending = child
    child = undefined
    if (ending) await ended(ending, signal)
  }
  stack.defer(() => kill('SIGTERM'))
  return {
    ...{ url, port, rpcUrl, databaseUrl: postgres.url, payers, asset, kill },
    get pid(): number {
      return child?.pid ?? 0
    },
    /** The processes of the service, its database and its chain. */
    get pids(): number[] {
      return [child?.pid ?? 0, postgres.pid, anvil.pid]
    },
    async start(): Promise<void> {
      child = launch()
      await untilReady(child, url)
    },
    async startBeside(): Promise<{ port: number; pid: number }> {
      const other = { port: await freePort(), folder: join(folder, randomHex(4)) }
      const beside = launch({ ...env, PORT: String(other.port), PURSER_DATA_DIR: other.folder })
      stack.defer(() => ended(beside, 'SIGTERM'))
      await untilReady(beside, `http://127.0.0.1:${other.port}`)
      return { port: other.port, pid: beside.pid ?? 0 }
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
export type Stage = Awaited<ReturnType<typeof openStage>>

async function untilReady(child: ChildProcess, url: string): Promise<void> {
  const until = performance.now() + READY_MS
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`)
    if ((await fetch(`${url}/readyz`).catch(() => undefined))?.ok) return
    if (performance.now() > until) throw new Error('the service was not ready in time')
    await sleep(50)
  }
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const end = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await end
}

/** An API key of a new wallet. */
export const openSeller = async ({ url }: Stage): Promise<string> => (await openWallet(url)).apiKey

/** Payments by the payers in turn, each to its own address that nobody else pays. */
export async function signPayments({ payers }: Pick<Stage, 'payers'>, count: number) {
  const payments: Payment[] = []
  for (let i = 0; i < count; i++)
    payments.push(await signPayment(payers[i % payers.length] as Signer))
  return payments
}

export async function signPayment(payer: Signer): Promise<Payment> {
  const payTo = randomHex(20)
  const authorization = {
    ...{ from: payer.address, to: payTo, value: PRICE, validAfter: 0n, nonce: randomHex(32) },
    validBefore: BigInt(Math.floor(Date.now() / 1000) + VALID_SECONDS),
  }
  const signature = await payer.signTypedData(authorizationTypedData(asset, authorization))
  const paymentRequirements = {
    ...{ scheme: 'exact', network: asset.network, amount: String(PRICE), asset: asset.contract },
    ...{ payTo, maxTimeoutSeconds: VALID_SECONDS, extra: asset.eip712 },
  }
  const texts = {
    ...{ value: String(PRICE), validAfter: '0', validBefore: String(authorization.validBefore) },
  }
  const paymentPayload = {
    ...{
      x402Version: 2,
      accepted: paymentRequirements,
      resource: { url: 'https://seller.example/' },
    },
    payload: { signature, authorization: { ...authorization, ...texts } },
  }
  const body: Body = { x402Version: 2, paymentPayload, paymentRequirements }
  return { payTo, payer: payer.address, nonce: authorization.nonce, body }
}
