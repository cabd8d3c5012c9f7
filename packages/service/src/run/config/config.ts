import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import manifest from '../../../package.json' with { type: 'json' }
import type { Settings } from '../../api/http/settings.ts'
import { type Address, type Asset, isMainnet, USDC } from '../../base/kernel/assets.ts'
import type { Fault } from '../../base/kernel/fault-points.ts'
import type { Amount } from '../../base/kernel/money.ts'
import type { Secret, Secrets } from '../../base/kernel/secrets.ts'
import { type CreditLevel, readLevels, SAFE_LEVELS } from '../../chain/client/credit-level.ts'
import { type BackupKeys, readBackupKeys } from './backup-keys.ts'
import { type ChainChoice, readChain, readSecrets } from './chain.ts'
import { type CredentialChoice, readCredentials, readExplorerUrl } from './credentials.ts'
import { type DatabaseChoice, readDatabase } from './database.ts'
import { FAULT_POINTS, parseFault } from './fault-points.ts'
import { type OnChainSaleChoice, readOnChainSales } from './on-chain-sales.ts'
import { readPayouts } from './payouts.ts'
import { readServiceToken, readTokenWithdrawal } from './service-token.ts'
import { readTracing, type TracingChoice } from './tracing.ts'
import {
  faultsOfNames,
  readAccountFactories,
  readDays,
  readEgressAllow,
  readHosts,
  readMetricsToken,
  readOneOf,
  readOperators,
  readTrustedProxies,
  readWhole,
  readWholeUnits,
  type Source,
} from './values.ts'

export type Role = 'api' | 'worker'

/** The operator's settings. On the embedded chain, an absent key or secret is made on the first start. */
export type Config = {
  version: string
  host: string
  port: number
  /** The base of every public link, no trailing slash. */
  publicUrl: string
  /** Absolute path. Used only if the database or the chain is embedded. */
  dataDir: string
  database: DatabaseChoice
  /** Whether a start brings the database to the newest schema, or refuses one that is not. */
  migrate: 'start' | 'never'
  /** Keys that backups are encrypted for, and those that open them. */
  backup: BackupKeys
  asset: Asset
  /** A second token that balances are kept in, and that pays memberships. */
  serviceToken?: Asset
  chain: ChainChoice
  /** Secrets that bind MPP challenges and card tokens. Absent: the service's secret. */
  mppSecrets?: Secrets
  /** Secrets that authenticate checkpoints of the books. Absent: the service's secret. */
  ledgerSecrets?: Secrets
  creditLevels: readonly CreditLevel[]
  /** As `Settings.identity`, which follows from it. */
  credentials: CredentialChoice
  onChainSales: OnChainSaleChoice
  /** The explorer that links lead to; absent for the usual one. */
  explorerUrl?: string
  roles: readonly Role[]
  /** How many processes share the API's port. */
  processes: number
  /** The most connections to the database: of this machine, and of these for jobs; null for what fits. */
  connections: { all: number | null; jobs: number | null }
  /** How long a service that was asked to stop still serves. Its answers say that it will end soon. */
  drainSeconds: number
  /** As in `Settings`; absent where none is named. */
  operators?: readonly Address[]
  /** The token that a caller of /metrics must send. */
  metricsToken?: Secret
  /** Requests a minute allowed to a credential, or to an address without one, in each process. */
  rateLimitPerMinute: number
  /** Addresses and CIDR ranges of proxies whose X-Forwarded-For is trusted. */
  trustedProxies: readonly string[]
  /** Names besides that of `publicUrl` under which browsers may have a session. */
  hosts: readonly string[]
  fee: { bps: bigint; flat: Amount }
  withdrawal: { fee: Amount; minimum: Amount }
  /** As in `Settings`. */
  tokenWithdrawal: { fee: Amount; minimum: Amount }
  /** As in `Settings`. */
  payouts: Settings['payouts']
  /** As in `Settings`. */
  gas: { minimum: Amount; sellerPerDay: bigint | null }
  /** Which payees a key may name through the x402 facilitator. */
  facilitatorPayTo: 'any' | 'wallet'
  /** Factories that may deploy a payer's contract wallet (ERC-6492). */
  accountFactories: readonly Address[]
  egressAllow: readonly string[]
  /** As in `Settings`. */
  webhooks: { hostRate: number; bodyDays: number | null }
  eventDays: number | null
  verifyDays: number
  logLevel: LogLevel
  /** Absent: nothing is traced. */
  tracing?: TracingChoice
  /** The point at which this process kills itself, for crash tests. Development chains only. */
  fault?: Fault
}

const ROLES: readonly Role[] = ['api', 'worker']
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** All faults of the environment, one sentence each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

/** Reads the environment. Pure: opens no file. Throws a `ConfigError` with every fault. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const faults: string[] = faultsOfNames(Object.keys(env))
  const from: Source = {
    text: (name) => env[name]?.trim() || undefined,
    fault: (sentence) => {
      faults.push(sentence)
    },
  }
  const port = readWhole(from, 'PORT', { least: 1, most: 65_535, otherwise: 4021 })
  const asset = readAsset(from)
  const chain = readChain(from)
  const serviceToken = readServiceToken(from, asset)
  const explorerUrl = readExplorerUrl(from)
  const fault = readFault(from, { asset, chain })
  const database = readDatabase(from)
  const mppSecrets = readSecrets(from, 'PURSER_MPP_SECRETS')
  const ledgerSecrets = readSecrets(from, 'PURSER_LEDGER_SECRETS')
  const config: Config = {
    version: manifest.version,
    host: from.text('HOST') ?? '127.0.0.1',
    port,
    publicUrl: readPublicUrl(from, port),
    dataDir: resolve(from.text('PURSER_DATA_DIR') ?? './data'),
    database,
    migrate: readOneOf(from, 'PURSER_MIGRATE', ['start', 'never'], 'start'),
    asset,
    chain,
    backup: readBackupKeys(from),
    credentials: readCredentials(from),
    onChainSales: readOnChainSales(from),
    creditLevels: readCreditLevels(from, asset, CREDIT_LEVELS[chain.kind]),
    roles: readRoles(from),
    processes: readWhole(from, 'PURSER_PROCESSES', {
      least: 1,
      most: 64,
      // A fault point kills one process, but a crash test waits for the whole service to end.
      otherwise: fault ? 1 : processesFor(database),
    }),
    connections: readConnections(from),
    drainSeconds: readWhole(from, 'PURSER_DRAIN_SECONDS', { least: 0, most: 600, otherwise: 5 }),
    verifyDays: readWhole(from, 'PURSER_VERIFY_DAYS', { least: 1, most: 31, otherwise: 1 }),
    rateLimitPerMinute: readWhole(from, 'PURSER_RATE_LIMIT', {
      least: 1,
      most: 100_000_000,
      otherwise: RATE_LIMIT_PER_MINUTE[chain.kind],
    }),
    trustedProxies: readTrustedProxies(from),
    hosts: readHosts(from),
    ...readAmounts(from, asset),
    tokenWithdrawal: readTokenWithdrawal(from, serviceToken ?? asset),
    payouts: readPayouts(from, asset),
    facilitatorPayTo: readOneOf(from, 'PURSER_FACILITATOR_PAY_TO', ['any', 'wallet'], 'any'),
    accountFactories: readAccountFactories(from),
    ...readEvents(from),
    ...readOversight(from),
    egressAllow: readEgressAllow(
      from,
      chain.kind === 'embedded' ? ['127.0.0.1', '::1', 'localhost'] : [],
    ),
    ...(serviceToken ? { serviceToken } : {}),
    ...(explorerUrl ? { explorerUrl } : {}),
    ...(mppSecrets ? { mppSecrets } : {}),
    ...(ledgerSecrets ? { ledgerSecrets } : {}),
    ...(fault ? { fault } : {}),
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return config
}

/** The costs of operations, and the least that they take. */
const readAmounts = (from: Source, asset: Asset): Pick<Config, 'fee' | 'withdrawal' | 'gas'> => ({
  fee: {
    bps: BigInt(readWhole(from, 'PURSER_FEE_BPS', { least: 0, most: 10_000, otherwise: 50 })),
    flat: readWholeUnits(from, asset, { name: 'PURSER_FEE_FLAT', otherwise: '0' }),
  },
  withdrawal: {
    fee: readWholeUnits(from, asset, { name: 'PURSER_WITHDRAWAL_FEE', otherwise: '0.05' }),
    minimum: readWholeUnits(from, asset, { name: 'PURSER_WITHDRAWAL_MINIMUM', otherwise: '1' }),
  },
  gas: {
    minimum: readWholeUnits(from, asset, { name: 'PURSER_MIN_ONCHAIN', otherwise: '0.001' }),
    sellerPerDay: readGasPerDay(from),
  },
})

const readEvents = (from: Source): Pick<Config, 'webhooks' | 'eventDays'> => ({
  webhooks: {
    hostRate: readWhole(from, 'PURSER_WEBHOOK_HOST_RATE', {
      ...{ least: 1, most: 100_000, otherwise: 2_000 },
    }),
    bodyDays: readDays(from, 'PURSER_WEBHOOK_BODY_DAYS', 30),
  },
  eventDays: readDays(from, 'PURSER_EVENT_DAYS', 400),
})

/** How operators see the service. */
function readOversight(
  from: Source,
): Pick<Config, 'operators' | 'metricsToken' | 'logLevel' | 'tracing'> {
  const operators = readOperators(from)
  const metricsToken = readMetricsToken(from)
  const tracing = readTracing(from)
  return {
    logLevel: readOneOf(from, 'PURSER_LOG_LEVEL', LOG_LEVELS, 'info'),
    ...(operators ? { operators } : {}),
    ...(metricsToken ? { metricsToken } : {}),
    ...(tracing ? { tracing } : {}),
  }
}

/**
 * One process for each core, or for two cores if the database runs here too. With more, batches of settlements are half
 * as large, and each settlement takes half as much CPU again.
 */
function processesFor({ kind }: Config['database']): number {
  const cores = availableParallelism()
  const free = kind === 'embedded' ? Math.max(1, Math.floor(cores / 2)) : cores
  return Math.min(free, PROCESSES_BY_DEFAULT_MAX)
}

/** A start refuses too few, and more than the database allows. */
const readConnections = (from: Source): Config['connections'] => {
  const read = (
    name: 'PURSER_DATABASE_CONNECTIONS' | 'PURSER_JOB_CONNECTIONS',
    otherwise: number,
  ) =>
    from.text(name) === undefined
      ? null
      : readWhole(from, name, { least: 2, most: 1_000, otherwise })
  return { all: read('PURSER_DATABASE_CONNECTIONS', 48), jobs: read('PURSER_JOB_CONNECTIONS', 8) }
}

/** `safe` is four blocks deep on the embedded chain. On Base it takes some minutes, and `finalized` some twenty. */
const CREDIT_LEVELS = { embedded: '0:safe', rpc: '0:safe,10000:finalized' } as const
/** The connections of so many processes stay below PostgreSQL's default limit of 100. */
const PROCESSES_BY_DEFAULT_MAX = 8
const RATE_LIMIT_PER_MINUTE = { embedded: 1_000_000, rpc: 6_000 } as const

/** The gas budget of one seller's payments a day; 0 means no limit. */
function readGasPerDay(from: Source): bigint | null {
  const gas = readWhole(from, 'PURSER_SELLER_GAS_PER_DAY', {
    ...{ least: 0, most: 1_000_000_000_000, otherwise: 1_000_000_000 },
  })
  return gas === 0 ? null : BigInt(gas)
}

function readPublicUrl(from: Source, port: number): string {
  const otherwise = `http://127.0.0.1:${port}`
  const text = from.text('PUBLIC_URL')
  if (text === undefined) return otherwise
  const url = URL.parse(text)
  const isPlain = url && !url.search && !url.hash && !url.username
  if (isPlain && (url.protocol === 'https:' || url.protocol === 'http:'))
    return url.href.replace(/\/+$/, '')
  from.fault(
    'PUBLIC_URL must be an http or https address without query or user, e.g. https://pay.example.com.',
  )
  return otherwise
}

function readAsset(from: Source): Asset {
  const text = from.text('PURSER_NETWORK') ?? 'eip155:84532'
  const known = Object.values(USDC)
  const asset = known.find(({ network }) => network === text)
  if (asset) return asset
  from.fault(`PURSER_NETWORK must be ${known.map((one) => one.network).join(' or ')}.`)
  return known[0] as Asset
}

function readRoles(from: Source): Role[] {
  const named = (from.text('PURSER_ROLES') ?? 'api,worker').split(',').map((part) => part.trim())
  const roles = ROLES.filter((role) => named.includes(role))
  if (roles.length !== new Set(named).size)
    from.fault('PURSER_ROLES must be api, worker, or both as api,worker.')
  return roles
}

function readCreditLevels(from: Source, asset: Asset, otherwise: string): readonly CreditLevel[] {
  const text = from.text('PURSER_CREDIT_LEVELS') ?? otherwise
  const levels = readLevels(text, asset.decimals)
  if (typeof levels !== 'string') return levels
  from.fault(`PURSER_CREDIT_LEVELS ${levels}, e.g. 0:safe,10000:finalized.`)
  return SAFE_LEVELS
}

/** Faults need a development chain: the embedded one, or a chain with a test chain's id on loopback. */
function readFault(
  from: Source,
  { asset, chain }: Pick<Config, 'asset' | 'chain'>,
): Fault | undefined {
  const text = from.text('PURSER_FAULT_POINT')
  if (text === undefined) return undefined
  const fault = parseFault(text)
  const isLoopback = (url: Secret) =>
    ['127.0.0.1', '[::1]', 'localhost'].includes(URL.parse(url.reveal())?.hostname ?? '')
  const isHere = chain.kind === 'embedded' || chain.urls.every(isLoopback)
  if (!fault)
    from.fault(
      `PURSER_FAULT_POINT must be one of ${FAULT_POINTS.join(', ')}, with :2 after it for the second time and so on.`,
    )
  else if (!isHere || isMainnet(asset))
    from.fault(
      'PURSER_FAULT_POINT kills the service and is for tests on a development chain: leave it out.',
    )
  return fault
}
