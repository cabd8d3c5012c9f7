import { closestMatch } from 'leven'
import { isAddressRange } from '../../base/egress/guard/address.ts'
import { readAllowlist } from '../../base/egress/guard/url.ts'
import type { Address, Asset } from '../../base/kernel/assets.ts'
import { type Amount, parseAmount } from '../../base/kernel/money.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { Secret } from '../../base/kernel/secrets.ts'
import { DEPLOYING_FACTORIES } from '../../chain/client/accounts/factories.ts'
import { normalAddress, personAddress } from '../../chain/client/reads.ts'
import { PASSPHRASE_VARIABLE } from '../../chain/client/signers/open.ts'

/** Every variable that the service reads. A test checks `.env.example` against this list. */
export const VARIABLES = [
  'PORT',
  'HOST',
  'PUBLIC_URL',
  'PURSER_HOSTS',
  'PURSER_DATA_DIR',
  'DATABASE_URL',
  'PURSER_SESSION_DATABASE_URL',
  'PURSER_READ_URL',
  'PURSER_READ_LAG',
  'PURSER_SCHEMA',
  'PURSER_DATABASE_CONNECTIONS',
  'PURSER_JOB_CONNECTIONS',
  'PURSER_MIGRATE',
  'PURSER_NETWORK',
  'PURSER_RPC_URL',
  'PURSER_OPERATOR_KEY',
  'PURSER_RELAYER_KEYS',
  'PURSER_BATCH_SETTLER',
  'PURSER_SERVICE_TOKEN',
  'PURSER_SERVICE_TOKEN_WITHDRAWAL_FEE',
  'PURSER_SERVICE_TOKEN_WITHDRAWAL_MINIMUM',
  'PURSER_CREDENTIAL_VAULT',
  'PURSER_MINTS_PER_DAY',
  'PURSER_CREDENTIAL_MARKET',
  'PURSER_REVENUE_ADDRESS',
  'PURSER_CRT_VESTING_DAYS',
  'PURSER_CREDENTIAL_LOOKUPS',
  'PURSER_EXPLORER_URL',
  PASSPHRASE_VARIABLE,
  'PURSER_SECRET',
  'PURSER_MPP_SECRETS',
  'PURSER_LEDGER_SECRETS',
  'PURSER_BACKUP_RECIPIENT',
  'PURSER_BACKUP_IDENTITY',
  'PURSER_ROLES',
  'PURSER_PROCESSES',
  'PURSER_DRAIN_SECONDS',
  'PURSER_RATE_LIMIT',
  'PURSER_TRUSTED_PROXIES',
  'PURSER_FEE_BPS',
  'PURSER_FEE_FLAT',
  'PURSER_WITHDRAWAL_FEE',
  'PURSER_WITHDRAWAL_MINIMUM',
  'PURSER_PAYOUT_DAILY_CAP_WALLET',
  'PURSER_PAYOUT_DAILY_CAP',
  'PURSER_PAYOUT_ADDRESS_DELAY',
  'PURSER_PAYOUT_APPROVAL_ABOVE',
  'PURSER_MIN_ONCHAIN',
  'PURSER_SELLER_GAS_PER_DAY',
  'PURSER_FACILITATOR_PAY_TO',
  'PURSER_ACCOUNT_FACTORIES',
  'PURSER_CREDIT_LEVELS',
  'PURSER_EGRESS_ALLOW',
  'PURSER_WEBHOOK_HOST_RATE',
  'PURSER_WEBHOOK_BODY_DAYS',
  'PURSER_EVENT_DAYS',
  'PURSER_VERIFY_DAYS',
  'PURSER_OPERATORS',
  'PURSER_METRICS_TOKEN',
  'PURSER_LOG_LEVEL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_PROTOCOL',
  'OTEL_SERVICE_NAME',
  'OTEL_RESOURCE_ATTRIBUTES',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  'OTEL_BSP_SCHEDULE_DELAY',
  'OTEL_TRACES_EXPORTER',
  'OTEL_SDK_DISABLED',
  'PURSER_FAULT_POINT',
] as const
export type Variable = (typeof VARIABLES)[number]

/** Variables that hold secrets. Each may be the content of a file, which the same name with `_FILE` behind it names. */
export const SECRET_VARIABLES = [
  'DATABASE_URL',
  'PURSER_SESSION_DATABASE_URL',
  'PURSER_READ_URL',
  'PURSER_RPC_URL',
  'PURSER_OPERATOR_KEY',
  'PURSER_RELAYER_KEYS',
  PASSPHRASE_VARIABLE,
  'PURSER_SECRET',
  'PURSER_MPP_SECRETS',
  'PURSER_LEDGER_SECRETS',
  'PURSER_METRICS_TOKEN',
  'PURSER_BACKUP_IDENTITY',
] as const satisfies readonly Variable[]
export const FILE_VARIABLES = SECRET_VARIABLES.map((name) => `${name}_FILE` as const)

/** Variables of the CLI and of agents, which may be set in the same environment. */
export const OF_OTHERS = [
  'PURSER_API_KEY',
  'PURSER_BASE_URL',
  'PURSER_CARD_TOKEN',
  'PURSER_PROFILE',
  'PURSER_NODE_FOUND',
] as const
/** The largest edit distance that still counts as a misspelling. */
const SLIPS_MAX = 4

/** A sentence for each unknown variable with our prefix: its value would be ignored. */
export function faultsOfNames(names: readonly string[]): string[] {
  const known: readonly string[] = [...VARIABLES, ...FILE_VARIABLES, ...OF_OTHERS]
  return names
    .filter((name) => name.startsWith('PURSER_') && !known.includes(name))
    .map((name) => {
      const nearest = closestMatch(name, known, { maxDistance: SLIPS_MAX })
      return nearest
        ? `${name} is not a variable of this service: did you mean ${nearest}?`
        : `${name} is not a variable of this service: remove it; .env.example lists all.`
    })
}

/** Reads the text of variables, and collects what is wrong with them. */
export type Source = { text(name: Variable): string | undefined; fault(sentence: string): void }

/** A whole number within the range. */
export function readWhole(
  from: Source,
  name: Variable,
  range: { least: number; most: number; otherwise: number },
): number {
  const text = from.text(name)
  if (text === undefined) return range.otherwise
  const value = /^\d{1,13}$/.test(text) ? Number(text) : Number.NaN
  if (value >= range.least && value <= range.most) return value
  from.fault(
    `${name} must be a whole number from ${range.least} to ${range.most}, e.g. ${range.otherwise}.`,
  )
  return range.otherwise
}

/** For how many days something is kept; 0 means for ever. */
export function readDays(from: Source, name: Variable, otherwise: number): number | null {
  const days = readWhole(from, name, { least: 0, most: 36_500, otherwise })
  return days === 0 ? null : days
}

/** An amount of the asset, in base units. */
export function readWholeUnits(
  from: Source,
  asset: Asset,
  { name, otherwise }: { name: Variable; otherwise: string },
): Amount {
  try {
    return parseAmount(from.text(name) ?? otherwise, asset.decimals, name)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    from.fault(`${name} must be an amount of ${asset.symbol}, e.g. ${otherwise}.`)
    return parseAmount(otherwise, asset.decimals)
  }
}

/** One of a few words. */
export function readOneOf<const Word extends string>(
  from: Source,
  name: Variable,
  words: readonly Word[],
  otherwise: Word,
): Word {
  const text = from.text(name)
  const word = text === undefined ? otherwise : words.find((one) => one === text)
  if (word !== undefined) return word
  from.fault(`${name} must be one of ${words.join(', ')}.`)
  return otherwise
}

/** The factories whose contract wallets are deployed for their payers. */
export function readAccountFactories(from: Source): readonly Address[] {
  const name = 'PURSER_ACCOUNT_FACTORIES'
  const text = from.text(name)
  if (text === undefined) return DEPLOYING_FACTORIES
  if (text === 'none') return []
  try {
    return text.split(',').map((part) => normalAddress(part.trim(), name))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    from.fault(`${name} must be "none", or addresses of factories, comma-separated.`)
    return DEPLOYING_FACTORIES
  }
}

/** Wallets that may read the operator's pages; undefined where none is named. */
export function readOperators(from: Source): readonly Address[] | undefined {
  const name = 'PURSER_OPERATORS'
  const text = from.text(name)
  if (text === undefined) return undefined
  if (text === 'none') return []
  try {
    return [...new Set(text.split(',').map((part) => personAddress(part.trim(), name)))]
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    from.fault(
      `${name} must be "none", or addresses of wallets, comma-separated, each 0x and 40 hex characters; one with capitals must have its checksum.`,
    )
    return undefined
  }
}

const TOKEN_LENGTH = 16

/** The token that a caller of /metrics must send, if one is set. */
export function readMetricsToken(from: Source): Secret | undefined {
  const text = from.text('PURSER_METRICS_TOKEN')
  if (text !== undefined && text.length < TOKEN_LENGTH)
    from.fault(
      `PURSER_METRICS_TOKEN must have ${TOKEN_LENGTH} characters or more: write the output of "openssl rand -hex 32".`,
    )
  return text === undefined ? undefined : new Secret(text)
}

/** Whether only this machine reaches the service: no other host, and no proxy. */
export const isPrivate = ({ host, publicUrl }: { host: string; publicUrl: string }): boolean =>
  [host, new URL(publicUrl).hostname].every((name) =>
    /^(127(\.\d+){3}|::1|\[::1\]|localhost)$/.test(name),
  )

/** Private hosts, addresses and ranges that outgoing calls may reach. */
export function readEgressAllow(from: Source, otherwise: string[]): string[] {
  const text = from.text('PURSER_EGRESS_ALLOW')
  if (text === undefined) return otherwise
  const entries = text.split(',').map((part) => part.trim())
  try {
    readAllowlist(entries)
  } catch (error) {
    from.fault(
      `PURSER_EGRESS_ALLOW must list hosts, addresses or CIDR ranges, comma-separated, e.g. 10.0.0.0/8: ${(error as Error).message}.`,
    )
  }
  return entries
}

/** Proxies whose X-Forwarded-For is trusted. */
export function readTrustedProxies(from: Source): string[] {
  const text = from.text('PURSER_TRUSTED_PROXIES')
  if (text === undefined) return []
  const entries = text.split(',').map((part) => part.trim())
  if (!entries.every(isAddressRange))
    from.fault(
      'PURSER_TRUSTED_PROXIES must list addresses or CIDR ranges, comma-separated, e.g. 127.0.0.1,10.0.0.0/8.',
    )
  return entries
}

/** Other names of this service, lower case. */
export function readHosts(from: Source): string[] {
  const entries = (from.text('PURSER_HOSTS') ?? '').toLowerCase().split(',')
  const names = entries.map((part) => part.trim()).filter(Boolean)
  if (!names.every((name) => /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(name)))
    from.fault(
      'PURSER_HOSTS must list host names without a port, comma-separated, e.g. pay.example.com,pay.lan.',
    )
  return names
}
