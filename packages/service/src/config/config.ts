import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { type CreditLevel, readLevels, SAFE_LEVELS } from '../chain/credit-level.ts'
import { PASSPHRASE_VARIABLE } from '../chain/signers/open.ts'
import { type KeyReference, parseKeyReference } from '../chain/signers/reference.ts'
import type { Settings } from '../http/settings.ts'
import { type Address, type Asset, USDC } from '../kernel/assets.ts'
import type { Fault } from '../kernel/fault-points.ts'
import type { Amount } from '../kernel/money.ts'
import { Secret, type Secrets } from '../kernel/secrets.ts'
import { FAULT_POINTS, parseFault } from './fault-points.ts'
import {
  type DatabaseChoice,
  faultsOfNames,
  isPrivate,
  readAccountFactories,
  readDatabase,
  readDays,
  readEgressAllow,
  readMetricsToken,
  readOneOf,
  readTrustedProxies,
  readUsdc,
  readWhole,
  type Source,
  type Variable,
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
  asset: Asset
  chain:
    | {
        kind: 'embedded'
        operatorKey?: KeyReference
        relayerKeys?: KeyReference[]
        secret?: Secret
      }
    | {
        kind: 'rpc'
        urls: Secret[]
        operatorKey: KeyReference
        relayerKeys: KeyReference[]
        secret: Secret
        /** The address of BatchSettler on this chain, through which sends share transactions. */
        batchSettler: Address | undefined
      }
  /** Secrets that bind MPP challenges and card tokens. Absent: the service's secret. */
  mppSecrets?: Secrets
  /** Secrets that authenticate checkpoints of the books. Absent: the service's secret. */
  ledgerSecrets?: Secrets
  creditLevels: readonly CreditLevel[]
  roles: readonly Role[]
  /** How many processes share the API's port. */
  processes: number
  /** How long a service that was asked to stop still serves. Its answers say that it will end soon. */
  drainSeconds: number
  /** The token that a caller of /metrics must send. */
  metricsToken?: Secret
  /** Requests a minute allowed to a credential, or to an address without one, in each process. */
  rateLimitPerMinute: number
  /** Addresses and CIDR ranges of proxies whose X-Forwarded-For is trusted. */
  trustedProxies: readonly string[]
  fee: { bps: bigint; flat: Amount }
  withdrawal: { fee: Amount; minimum: Amount }
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
  logLevel: LogLevel
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
  const fault = readFault(from, { asset, chain })
  const database = readDatabase(from)
  const mppSecrets = readSecrets(from, 'PURSER_MPP_SECRETS')
  const ledgerSecrets = readSecrets(from, 'PURSER_LEDGER_SECRETS')
  const metricsToken = readMetricsToken(from)
  const config: Config = {
    version: manifest.version,
    host: from.text('HOST') ?? '127.0.0.1',
    port,
    publicUrl: readPublicUrl(from, port),
    dataDir: resolve(from.text('PURSER_DATA_DIR') ?? './data'),
    database,
    asset,
    chain,
    creditLevels: readCreditLevels(from, asset, CREDIT_LEVELS[chain.kind]),
    roles: readRoles(from),
    processes: readWhole(from, 'PURSER_PROCESSES', {
      least: 1,
      most: 64,
      // A fault point kills one process, but a crash test waits for the whole service to end.
      otherwise: fault ? 1 : processesFor(database),
    }),
    drainSeconds: readWhole(from, 'PURSER_DRAIN_SECONDS', { least: 0, most: 600, otherwise: 5 }),
    rateLimitPerMinute: readWhole(from, 'PURSER_RATE_LIMIT', {
      least: 1,
      most: 100_000_000,
      otherwise: RATE_LIMIT_PER_MINUTE[chain.kind],
    }),
    trustedProxies: readTrustedProxies(from),
    fee: {
      bps: BigInt(readWhole(from, 'PURSER_FEE_BPS', { least: 0, most: 10_000, otherwise: 50 })),
      flat: readUsdc(from, asset, { name: 'PURSER_FEE_FLAT', otherwise: '0' }),
    },
    withdrawal: {
      fee: readUsdc(from, asset, { name: 'PURSER_WITHDRAWAL_FEE', otherwise: '0.05' }),
      minimum: readUsdc(from, asset, { name: 'PURSER_WITHDRAWAL_MINIMUM', otherwise: '1' }),
    },
    gas: {
      minimum: readUsdc(from, asset, { name: 'PURSER_MIN_ONCHAIN', otherwise: '0.001' }),
      sellerPerDay: readGasPerDay(from),
    },
    facilitatorPayTo: readOneOf(from, 'PURSER_FACILITATOR_PAY_TO', ['any', 'wallet'], 'any'),
    accountFactories: readAccountFactories(from),
    webhooks: {
      hostRate: readWhole(from, 'PURSER_WEBHOOK_HOST_RATE', {
        ...{ least: 1, most: 100_000, otherwise: 2_000 },
      }),
      bodyDays: readDays(from, 'PURSER_WEBHOOK_BODY_DAYS', 30),
    },
    eventDays: readDays(from, 'PURSER_EVENT_DAYS', 400),
    egressAllow: readEgressAllow(from, chain.kind === 'embedded' ? ['127.0.0.1', 'localhost'] : []),
    logLevel: readOneOf(from, 'PURSER_LOG_LEVEL', LOG_LEVELS, 'info'),
    ...(mppSecrets ? { mppSecrets } : {}),
    ...(ledgerSecrets ? { ledgerSecrets } : {}),
    ...(metricsToken ? { metricsToken } : {}),
    ...(fault ? { fault } : {}),
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return config
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

const EXPLORERS: Readonly<Record<number, string>> = {
  8453: 'https://basescan.org',
  84532: 'https://sepolia.basescan.org',
}
const MAINNETS: readonly number[] = [8453]
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

/** How long a seller waits for a block before the answer says that its settlement is pending. */
const SETTLEMENT_WAIT_MS = 12_000

/** The part of the configuration that the rooms receive. */
export function settingsOf(config: Config, embeddedRpcUrl: string | null): Settings {
  const { asset, chain } = config
  const isPublic = chain.kind === 'rpc'
  return {
    version: config.version,
    publicUrl: config.publicUrl,
    network: asset.network,
    mode: isPublic && MAINNETS.includes(asset.chainId) ? 'live' : 'test',
    embeddedRpcUrl,
    fee: config.fee,
    withdrawal: config.withdrawal,
    facilitator: { payTo: config.facilitatorPayTo, waitMs: SETTLEMENT_WAIT_MS },
    gas: config.gas,
    accountFactories: config.accountFactories,
    webhooks: config.webhooks,
    eventDays: config.eventDays,
    explorerUrl: isPublic ? (EXPLORERS[asset.chainId] ?? null) : null,
    rateLimitPerMinute: config.rateLimitPerMinute,
    trustedProxies: config.trustedProxies,
    metrics: config.metricsToken ?? (isPrivate(config) ? 'open' : 'closed'),
  }
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

function readChain(from: Source): Config['chain'] {
  const urls = readRpcUrls(from)
  const operatorText = from.text('PURSER_OPERATOR_KEY')
  const operatorKey =
    operatorText === undefined ? undefined : readKey(from, 'PURSER_OPERATOR_KEY', operatorText)
  const relayerKeys = from
    .text('PURSER_RELAYER_KEYS')
    ?.split(',')
    .map((part) => readKey(from, 'PURSER_RELAYER_KEYS', part.trim()))
  requirePassphrase(from, [operatorKey, ...(relayerKeys ?? [])])
  const secret = readSecret(from)
  const batchSettler = readSettler(from)
  if (!urls)
    return {
      kind: 'embedded',
      ...(operatorKey ? { operatorKey } : {}),
      ...(relayerKeys ? { relayerKeys } : {}),
      ...(secret ? { secret } : {}),
    }
  const missing = (name: Variable, what: string) =>
    from.fault(
      `${name} must be set when PURSER_RPC_URL is: ${what}; only the embedded chain is started with made-up ones.`,
    )
  if (!operatorKey)
    missing(
      'PURSER_OPERATOR_KEY',
      'name the treasury key, e.g. aws-kms:… or keystore:/path/to/file',
    )
  if (!relayerKeys)
    missing('PURSER_RELAYER_KEYS', 'name one or more keys that hold gas, comma-separated')
  if (!secret) missing('PURSER_SECRET', 'write the output of "openssl rand -hex 32"')
  return {
    kind: 'rpc',
    urls,
    operatorKey: operatorKey ?? NO_KEY,
    relayerKeys: relayerKeys ?? [],
    secret: secret ?? new Secret(''),
    batchSettler,
  }
}

function readSettler(from: Source): Address | undefined {
  const text = from.text('PURSER_BATCH_SETTLER')
  if (text === undefined) return undefined
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) return text.toLowerCase() as Address
  from.fault(
    'PURSER_BATCH_SETTLER must be the address of BatchSettler on this chain, 0x and 40 hex characters; leave it out to send each payment in a transaction of its own.',
  )
  return undefined
}

/** A placeholder for a faulty value, so that reading goes on and finds the next fault. */
const NO_KEY: KeyReference = { kind: 'hex', key: new Secret('') }

function readRpcUrls(from: Source): Secret[] | undefined {
  const text = from.text('PURSER_RPC_URL')
  if (text === undefined) return undefined
  const urls = text.split(',').map((part) => part.trim())
  if (urls.some((url) => !/^https?:$/.test(URL.parse(url)?.protocol ?? '')))
    from.fault(
      'PURSER_RPC_URL must be http or https addresses, comma-separated, e.g. https://sepolia.base.org; leave it out for the embedded chain.',
    )
  return urls.map((url) => new Secret(url))
}

function readKey(from: Source, name: Variable, text: string): KeyReference {
  const found = parseKeyReference(text)
  if (found.kind !== 'fault') return found
  from.fault(`${name} ${found.fault}`)
  return NO_KEY
}

/** The passphrase is read only when the keystore is opened, and is not kept. */
function requirePassphrase(from: Source, keys: readonly (KeyReference | undefined)[]): void {
  const isGiven = from.text(PASSPHRASE_VARIABLE) !== undefined
  if (!isGiven && keys.some((key) => key?.kind === 'keystore'))
    from.fault(
      `${PASSPHRASE_VARIABLE} must be set when a key is named as keystore:…: it opens that file.`,
    )
}

const SECRET = /^[0-9a-fA-F]{64}$/

function readSecret(from: Source): Secret | undefined {
  const text = from.text('PURSER_SECRET')
  if (text === undefined) return undefined
  if (!SECRET.test(text))
    from.fault(
      'PURSER_SECRET must be 32 bytes as 64 hex characters: write the output of "openssl rand -hex 32".',
    )
  return new Secret(text.toLowerCase())
}

function readSecrets(
  from: Source,
  name: 'PURSER_MPP_SECRETS' | 'PURSER_LEDGER_SECRETS',
): Secrets | undefined {
  const text = from.text(name)
  if (text === undefined) return undefined
  const [current = '', ...previous] = text.split(',').map((part) => part.trim().toLowerCase())
  if (![current, ...previous].every((one) => SECRET.test(one)))
    from.fault(
      `${name} must be secrets of 64 hex characters, comma-separated: the new one, then those that stay good for what was made with them.`,
    )
  return [new Secret(current), ...previous.map((one) => new Secret(one))]
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
  else if (!isHere || MAINNETS.includes(asset.chainId))
    from.fault(
      'PURSER_FAULT_POINT kills the service and is for tests on a development chain: leave it out.',
    )
  return fault
}
