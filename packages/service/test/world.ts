import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { createWalletClient, http } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount } from 'viem/accounts'
import { createApp, createServices, tasks } from '../src/app.ts'
import { openChain } from '../src/chain/chain.ts'
import { readTransaction, readUsdcBalance } from '../src/chain/reads.ts'
import { localSigner } from '../src/chain/signers/local.ts'
import { openDb, openPool, sql } from '../src/db/sql.ts'
import { createEgress } from '../src/egress/egress.ts'
import { DEV_SETTLER, fundGas, mintUsdc } from '../src/embedded/dev/chain.ts'
import { createSchemas } from '../src/http/server/schemas.ts'
import type { Services } from '../src/http/services.ts'
import type { Settings } from '../src/http/settings.ts'
import { runDueJobs } from '../src/jobs/worker.ts'
import { USDC } from '../src/kernel/assets.ts'
import { newId } from '../src/kernel/ids.ts'
import { amount } from '../src/kernel/money.ts'
import { randomHex, Secret } from '../src/kernel/secrets.ts'
import { openAccount } from '../src/ledger/accounts.ts'
import { post } from '../src/ledger/post.ts'
import { erc20Abi } from '../src/protocols/evm/eip3009/abi.ts'
import { transferWithAuthorizationData } from '../src/protocols/evm/eip3009/calldata.ts'
import { parsePaymentSignature } from '../src/protocols/x402/payload.ts'
import { checkBooks } from '../src/reconcile/books/books.ts'
import { insertDeposits } from '../src/treasury/deposits/store.ts'
import { freshAccount, testChain } from './chain.ts'
import { copyDatabase, freshDatabase } from './postgres.ts'
import { recordExchange } from './record-exchange.ts'

export type Reply = {
  status: number
  body: any
  headers: Record<string, string | string[] | undefined>
  text: string
}
type CallOptions = { key?: string; headers?: Record<string, string> }
/** A chain instead of the run's one: its node, what the service asks instead of it, and how a block is made. */
export type OtherChain = { rpcUrl: string; rpcUrls?: string[]; mine(): Promise<void> }
/** A wallet with an API key, and calls made with it. */
export type User = {
  account: PrivateKeyAccount
  wallet: string
  key: string
  get(path: string, options?: CallOptions): Promise<Reply>
  post(path: string, body?: unknown, options?: CallOptions): Promise<Reply>
  send(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Reply>
  /** A card with money of its own: 5 USDC unless `limit` says otherwise. The rest is as `POST /api/issue` takes it. */
  card(order?: { limit?: number; [field: string]: unknown }): Promise<Card>
}
export type Card = { id: string; token: string }

type Options = {
  settings?: Partial<Settings>
  on?: OtherChain
  /** Another way to the same database. */
  databaseUrl?: string
}

/** Compiled once for all worlds of a run's process: it was a sixth of the CPU time of their tests. */
const schemas = createSchemas()

/** What makes two processes one service: its database, its keys, its time. */
const newIdentity = async () => ({
  database: await freshDatabase(),
  relayer: generatePrivateKey(),
  secret: new Secret(randomHex(32).slice(2)),
  operator: generatePrivateKey(),
  clock: newClock(),
})
type Identity = Awaited<ReturnType<typeof newIdentity>>

function newClock() {
  const clock = { offsetMs: 0, now: () => new Date(Date.now() + clock.offsetMs) }
  return clock
}

/**
 * A whole service of its own: database, treasury, clock, server. Everything is real; the chain is the one of the run,
 * with accounts of its own.
 */
export const world = async (options: Options = {}): Promise<World> =>
  open(options, await newIdentity())

/** Processes of one service beside the first: dispose of them before it. */
type Others = {
  /** A second machine: the same database, keys and time. */
  machine(other?: Options): Promise<World>
  /** A backup of the database as it stands. `restore` starts the service on it, beside the same chain. */
  backup(): Promise<{ restore(other?: Options): Promise<World> }>
}

async function open(options: Options, identity: Identity): Promise<World> {
  const { database } = identity
  const others: Others = {
    machine: (other = {}) =>
      open(
        { ...options, ...other },
        { ...identity, database: { ...database, drop: async () => {} } },
      ),
    backup: async () => {
      const copy = await copyDatabase(database.url)
      return {
        restore: (other = {}) => open({ ...options, ...other }, { ...identity, database: copy }),
      }
    },
  }
  return Object.assign(await start(options, identity), others)
}

async function start(options: Options, identity: Identity) {
  const { database, relayer, secret, operator, clock } = identity
  const databaseUrl = options.databaseUrl ?? database.url
  const db = openDb(databaseUrl, 12)
  const jobs = openPool(databaseUrl, 10)
  const { rpcUrl, chainId } = { ...testChain(), ...options.on }
  const asset = USDC[chainId]!
  const chain = openChain({
    asset,
    rpcUrls: options.on?.rpcUrls ?? [rpcUrl],
    treasury: localSigner(new Secret(operator)),
    relayers: [localSigner(new Secret(relayer))],
    secret,
  })
  const settings: Settings = {
    version: '0.0.0-test',
    publicUrl: 'http://127.0.0.1:4021',
    network: asset.network,
    mode: 'test',
    embeddedRpcUrl: rpcUrl,
    fee: { bps: 50n, flat: amount(0n) },
    withdrawal: { fee: amount(50_000n), minimum: amount(1_000_000n) },
    facilitator: { payTo: 'any', waitMs: 12_000 },
    gas: { minimum: amount(1_000n), sellerPerDay: 1_000_000_000n },
    accountFactories: [],
    explorerUrl: null,
    rateLimitPerMinute: 1_000_000,
    metrics: 'open',
    ...options.settings,
  }
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' })
  const egress = createEgress({ allow: ['127.0.0.1'] })
  const services: Services = createServices({
    db,
    chain,
    egress,
    settings,
    clock,
    log,
    secret,
    relay: { settler: DEV_SETTLER },
  })
  const app: FastifyInstance = await createApp(services, schemas)
  await app.ready()
  const gas = { ready: false }
  const transfers = new Map<string, Promise<unknown>>()

  async function call(
    method: string,
    path: string,
    body?: unknown,
    options: CallOptions = {},
  ): Promise<Reply> {
    const answer = await app.inject({
      method: method as 'GET',
      url: path,
      headers: {
        ...(options.key ? { authorization: `Bearer ${options.key}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(body === undefined
        ? {}
        : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const isJson = String(answer.headers['content-type']).includes('json')
    const reply = {
      status: answer.statusCode,
      headers: answer.headers as Reply['headers'],
      text: answer.body,
      body: isJson && answer.body ? JSON.parse(answer.body) : undefined,
    }
    recordExchange(method, path, body, reply)
    return reply
  }

  /** Calls of a wallet that has a key. */
  const asked = (account: PrivateKeyAccount, key: string): User => ({
    account,
    wallet: account.address,
    key,
    get: (path, options) => call('GET', path, undefined, { key, ...options }),
    post: (path, body, options) => call('POST', path, body, { key, ...options }),
    send: (method, path, body, options) => call(method, path, body, { key, ...options }),
    async card({ limit = 5, ...order } = {}) {
      await w.credit(account.address, BigInt(Math.round(limit * 1e6)))
      const body = { purpose: 'test', limit_amount: limit, ...order }
      const made = await call('POST', '/api/issue', body, { key })
      if (made.status !== 200) throw new Error(made.text)
      return made.body.card
    },
  })

  const w = {
    services,
    app,
    db,
    chain,
    clock,
    call,
    databaseUrl,
    rpcUrl,
    secret,
    operatorKey: operator,
    relayerKey: relayer,
    now: () => clock.now(),
    write: db.write,

    /** A wallet signed in through the API, with a key; `treasury` USDC stand in its balance, `usdc` on chain. */
    async user(funds: { treasury?: number; usdc?: number } = {}): Promise<User> {
      const usdc = BigInt(Math.round((funds.usdc ?? 0) * 1e6))
      const account = await freshAccount({ usdc, rpcUrl })
      const challenge = await call('POST', '/api/auth/challenge', {
        wallet_address: account.address,
      })
      const signature = await account.signMessage({ message: challenge.body.message })
      const session = await call('POST', '/api/auth/verify', {
        message: challenge.body.message,
        signature,
      })
      const made = await call('POST', '/api/keys/generate', undefined, { key: session.body.token })
      const key = made.body.api_key as string
      if (funds.treasury) await w.credit(account.address, BigInt(Math.round(funds.treasury * 1e6)))
      return asked(account, key)
    },

    /** The same wallet with the same key, asking this machine: for one that signed in at another. */
    as: (user: User): User => asked(user.account, user.key),

    /** Puts money on a wallet's treasury balance, with as much minted to the treasury on chain. */
    async credit(wallet: string, value: bigint): Promise<void> {
      const txHash = await w.fundTreasury(value)
      const mined = await readTransaction(chain, txHash)
      const [log] = mined?.transfers ?? []
      if (!log) throw new Error('nothing was minted')
      const id = newId('dep', clock.now())
      await db.write(async (tx) => {
        // Nobody's deposit, as it comes from the issuer; the books know its log all the same.
        await insertDeposits(tx, [
          {
            id,
            network: asset.network,
            txHash,
            logIndex: log.logIndex,
            walletAddress: wallet,
            asset: 'USDC',
            amount: log.value,
            blockNumber: log.blockNumber,
            blockHash: log.blockHash,
            createdAt: clock.now(),
          },
        ])
        const [custody, treasury] = [
          await openAccount(tx, {
            kind: 'custody',
            owner: 'house',
            network: asset.network,
            asset: 'USDC',
          }),
          await openAccount(tx, {
            kind: 'treasury',
            owner: wallet,
            network: asset.network,
            asset: 'USDC',
          }),
        ]
        await post(tx, clock.now(), [
          {
            kind: 'deposit',
            ref: id,
            entries: [
              { account: custody, amount: -value },
              { account: treasury, amount: value },
            ],
          },
        ])
      })
    },

    async fundTreasury(value: bigint): Promise<`0x${string}`> {
      const hash = await mintUsdc({ rpcUrl, chainId, to: chain.treasury.address, amount: value })
      await w.mined(hash)
      return hash
    },

    /** A plain USDC transfer on chain, mined. Transfers of one account go one after the other: it has one nonce. */
    transfer(from: PrivateKeyAccount, to: `0x${string}`, value: bigint): Promise<`0x${string}`> {
      const send = async () => {
        const wallet = createWalletClient({ account: from, transport: http(rpcUrl) })
        const hash = await wallet.writeContract({
          chain: null,
          address: asset.contract,
          abi: erc20Abi,
          functionName: 'transfer',
          args: [to, value],
        })
        await w.mined(hash)
        return hash
      }
      const sent = (transfers.get(from.address) ?? Promise.resolve()).then(send, send)
      transfers.set(from.address, sent)
      return sent
    },

    /** Carries the transfer that an x402 payment header holds to the chain, as anybody could who saw it. */
    async frontRun(header: string, runner: PrivateKeyAccount): Promise<void> {
      const parsed = parsePaymentSignature(header)
      if (!parsed.ok) throw new Error(parsed.detail)
      const { authorization, signature } = parsed.payload
      const wallet = createWalletClient({ account: runner, transport: http(rpcUrl) })
      const data = transferWithAuthorizationData(authorization, signature)
      await w.mined(await wallet.sendTransaction({ chain: null, to: asset.contract, data }))
    },

    /** The transaction of the newest USDC transfer to an address. */
    async lastTransferTo(to: `0x${string}`): Promise<`0x${string}`> {
      const logs = await chain.rpc.getContractEvents({
        address: asset.contract,
        abi: erc20Abi,
        eventName: 'Transfer',
        args: { to },
        fromBlock: 0n,
      })
      const last = logs.at(-1)
      if (!last) throw new Error(`no transfer to ${to}`)
      return last.transactionHash
    },

    /** USDC that the treasury holds on chain, in base units. */
    treasuryOnChain: (): Promise<bigint> => readUsdcBalance(chain, chain.treasury.address),

    /** Waits until what is mined now is safe. */
    async safe(): Promise<void> {
      const { number } = await chain.rpc.getBlock({ blockTag: 'latest' })
      while ((await chain.rpc.getBlock({ blockTag: 'safe' })).number < number)
        await new Promise((resolve) => setTimeout(resolve, 50))
    },

    async mined(hash: `0x${string}`): Promise<void> {
      await options.on?.mine()
      await chain.rpc.waitForTransactionReceipt({ hash, pollingInterval: 50 })
    },

    /** Gives the relayer gas; for tests that send to the chain. */
    async withGas(): Promise<void> {
      if (gas.ready) return
      await fundGas({ rpcUrl, address: chain.relayers[0]!.address, wei: 10n ** 19n })
      gas.ready = true
    },

    /** Runs every job that is due at the world's clock, the scheduled ones among them. */
    async runJobs(): Promise<void> {
      const scheduled = tasks.filter(({ cron }) => cron).map(({ name }) => name)
      await db.write((tx) =>
        sql`select graphile_worker.add_job(name, '{}'::json)
          from unnest(${scheduled}::text[]) as name`.execute(tx),
      )
      await runDueJobs(jobs, { tasks: [...tasks], services, now: clock.now, log })
    },

    /** Moves the clock, and with it the jobs that wait. */
    async advance(seconds: number): Promise<void> {
      clock.offsetMs += seconds * 1000
      await db.write((tx) =>
        sql`select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs),
          run_at => now() - interval '1 second')`.execute(tx),
      )
    },

    /** The faults that the books show; empty when they are in order. */
    faults: async () => (await checkBooks(db, { keys: services.checkpointKeys })).faults,

    /** Listens on a free port, for clients that speak HTTP; answers the base URL. */
    async listen(): Promise<string> {
      const url = await app.listen({ port: 0, host: '127.0.0.1' })
      settings.publicUrl = url
      return url
    },

    async [Symbol.asyncDispose]() {
      await app.close()
      await jobs.end()
      await db.close()
      await database.drop()
    },
  }
  return w
}
export type World = Awaited<ReturnType<typeof start>> & Others
