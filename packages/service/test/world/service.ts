import { pino } from 'pino'
import { getAddress } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { createSchemas } from '../../src/api/http/server/schemas.ts'
import type { Services } from '../../src/api/http/services.ts'
import type { Settings } from '../../src/api/http/settings.ts'
import { deliverDue } from '../../src/api/webhooks/deliver/deliver.ts'
import { sql } from '../../src/base/db/sql.ts'
import { createEgress } from '../../src/base/egress/egress.ts'
import { runDueJobs, runTasks } from '../../src/base/jobs/worker.ts'
import { type Asset, USDC } from '../../src/base/kernel/assets.ts'
import { amount } from '../../src/base/kernel/money.ts'
import { randomHex, Secret } from '../../src/base/kernel/secrets.ts'
import { Keyring } from '../../src/base/signing-keys/keyring.ts'
import { openChain } from '../../src/chain/client/chain.ts'
import { IDENTITY_REGISTRIES } from '../../src/chain/client/public/contracts.ts'
import { localSigner } from '../../src/chain/client/signers/local.ts'
import { createApp, createServices, tasks } from '../../src/run/app.ts'
import { DEV_SETTLER } from '../../src/run/embedded/dev/chain.ts'
import { DEV_MARKET } from '../../src/run/embedded/dev/market.ts'
import { slowness } from '../until.ts'
import type { WorldDatabase } from './database.ts'
import { checkDeclared, watchAnswers } from './declared.ts'
import { recordExchange } from './record-exchange.ts'

export type Reply = {
  status: number
  body: any
  headers: Record<string, string | string[] | undefined>
  text: string
}
export type CallOptions = {
  key?: string
  headers?: Record<string, string>
  /** Reads the feed as it is at once, without waiting for what is committed. */
  isImpatient?: boolean
  /** The address of the caller. */
  from?: string
}

/** The state that two processes of one service share besides the database: keys and time. */
export type Identity = ReturnType<typeof newIdentity>
export const newIdentity = () => ({
  relayer: generatePrivateKey(),
  secret: new Secret(randomHex(32).slice(2)),
  operator: generatePrivateKey(),
  settler: getAddress(randomHex(20)),
  vault: getAddress(randomHex(20)),
  clock: newClock(),
})

export const relayerOf = ({ relayer }: Identity) => privateKeyToAddress(relayer)

/** The vault of this service's identity tokens, and the key that it obeys. */
export const vaultOf = ({ vault, operator }: Identity) => ({
  address: vault,
  custodian: privateKeyToAddress(operator),
})

export const identitySettings = (chainId: number, { vault }: Identity): Settings['identity'] => ({
  registry: IDENTITY_REGISTRIES[`eip155:${chainId}`]!,
  vault,
  perDay: 1_000,
})

function newClock() {
  const clock = {
    offsetMs: 0,
    now: () => new Date(Date.now() + clock.offsetMs),
    real: () => new Date(),
    aheadMs: () => 0,
  }
  return clock
}

/** Compiled once for all worlds of a process: it was a sixth of the CPU time of their tests. */
const schemas = createSchemas()

const DAY_MS = 86_400_000
/** The schedule of a task that runs at one time of the day. */
const DAILY = /^\d+ \d+ /
const COMPARISON = 'reconcile'

export type WorldService = Awaited<ReturnType<typeof openService>>

/** The service itself: its server, its clock, and its jobs, which run on request. */
export async function openService(options: {
  database: WorldDatabase
  identity: Identity
  chainId: number
  rpcUrl: string
  rpcUrls: string[]
  hasOwnChain: boolean
  settings?: Partial<Settings> | undefined
  settler?: `0x${string}` | undefined
  serviceToken?: Asset | undefined
  besides?: readonly Asset[] | undefined
  demoKey?: Secret | undefined
  secrets?: Keyring | undefined
  depositRoots?: readonly Buffer[] | undefined
}) {
  const { database, identity, chainId, rpcUrl, rpcUrls } = options
  const { relayer, secret, operator, clock } = identity
  // On a chain of its own blocks come on request: a test may wait for the end of our patience.
  const patience = options.hasOwnChain ? 1 : slowness()
  const secrets = options.secrets ?? new Keyring([secret])
  const { db, jobs } = database
  const asset = USDC[chainId]!
  const chain = openChain({
    asset,
    rpcUrls,
    treasury: localSigner(new Secret(operator)),
    relayers: [localSigner(new Secret(relayer))],
    secrets,
    depositRoots: options.depositRoots,
    settler: options.settler ?? DEV_SETTLER,
    serviceToken: options.serviceToken,
    ...(options.besides && { besides: options.besides }),
  })
  const settings: Settings = {
    version: '0.0.0-test',
    publicUrl: 'http://127.0.0.1:4021',
    network: asset.network,
    mode: 'test',
    embeddedRpcUrl: rpcUrl,
    fee: { bps: 50n, flat: amount(0n) },
    withdrawal: { fee: amount(50_000n), minimum: amount(1_000_000n) },
    tokenWithdrawal: { fee: amount(10n ** 17n), minimum: amount(10n ** 18n) },
    payouts: { walletCap: null, treasuryCap: null, addressDelay: null, approvalAbove: null },
    facilitator: { payTo: 'any', waitMs: 12_000 * patience },
    gas: { minimum: amount(1_000n), sellerPerDay: 1_000_000_000n },
    accountFactories: [],
    webhooks: { hostRate: 2_000, bodyDays: 30 },
    eventDays: 400,
    verifyDays: 1,
    vestingDays: 365,
    explorerUrl: null,
    identity: null,
    onChainSales: { market: DEV_MARKET, feeReceiver: getAddress(randomHex(20)) },
    credentialLookups: 1_000,
    rateLimitPerMinute: 1_000_000,
    operators: [],
    keySources: { treasury: 'made', relayers: 'made' },
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
    secrets,
    demoKey: options.demoKey,
    relay: { settler: options.settler ?? DEV_SETTLER, patience },
  })
  const days = { last: clock.now().getTime() }
  const app = await createApp(services, schemas)
  const undeclared = watchAnswers(app)
  let isUnwatched = false
  await app.ready()

  async function call(
    method: string,
    path: string,
    body?: unknown,
    options: CallOptions = {},
  ): Promise<Reply> {
    // A test asks for what it has just caused. Readers of the feed ask again.
    const isFeed = method === 'GET' && /^\/api\/events(\?|$)/.test(path)
    if (isFeed && !options.isImpatient) await database.shown()
    const answer = await app.inject({
      method: method as 'GET',
      url: path,
      ...(options.from === undefined ? {} : { remoteAddress: options.from }),
      headers: {
        ...(options.key ? { authorization: `Bearer ${options.key}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(body === undefined
        ? {}
        : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const isJson = /[/+]json\b/.test(String(answer.headers['content-type']))
    const reply = {
      status: answer.statusCode,
      headers: answer.headers as Reply['headers'],
      text: answer.body,
      body: isJson && answer.body ? JSON.parse(answer.body) : undefined,
    }
    recordExchange({ method, path, request: body, headers: options.headers ?? {} }, reply)
    if (!isUnwatched) checkDeclared(undeclared)
    return reply
  }

  return {
    services,
    app,
    chain,
    clock,
    call,
    /** Throws if an answer so far is not in `openapi.json`. */
    checkDeclared: () => {
      if (!isUnwatched) checkDeclared(undeclared)
    },
    watchNoAnswers: () => {
      isUnwatched = true
    },
    secret,
    secrets,
    operatorKey: operator,
    relayerKey: relayer,
    now: () => clock.now(),

    /**
     * Runs every job that is due at the world's clock. Those of the schedule run once each, without the queue, which
     * takes more than half of their time. The daily ones run if a day has passed, or if asked. The comparison of the
     * books with the chain runs on a chain of the world's own, where blocks are undone, or if asked: it is a third of
     * all this.
     */
    async runJobs({
      daily = false,
      compares = daily || options.hasOwnChain,
    }: {
      daily?: boolean
      compares?: boolean
    } = {}): Promise<void> {
      const work = { services, now: clock.now, log }
      const isDayOver = clock.now().getTime() - days.last >= DAY_MS
      if (isDayOver) days.last = clock.now().getTime()
      const isDue = ({ name, cron }: { name: string; cron?: string }) =>
        cron && (compares || name !== COMPARISON) && (daily || isDayOver || !DAILY.test(cron))
      await runDueJobs(jobs, { ...work, tasks: [...tasks] })
      await runTasks({ ...work, tasks: tasks.filter(isDue) })
      await runDueJobs(jobs, { ...work, tasks: [...tasks] })
    },

    /** Delivers every event that is committed to the webhooks that are due, and returns. */
    async deliver(): Promise<void> {
      await database.shown()
      await deliverDue(services)
    },

    /** Moves the clock, the database's with it, and the waiting jobs. */
    async advance(seconds: number): Promise<void> {
      clock.offsetMs += seconds * 1000
      await db.write((tx) =>
        sql`insert into dev_clock (offset_ms) values (${Math.floor(clock.offsetMs)})
          on conflict (only_row) do update set offset_ms = excluded.offset_ms`.execute(tx),
      )
      await database.hastenJobs()
    },

    /** Listens on a free port, for HTTP clients. Returns the base URL. */
    async listen(): Promise<string> {
      const url = await app.listen({ port: 0, host: '127.0.0.1' })
      settings.publicUrl = url
      return url
    },
  }
}
