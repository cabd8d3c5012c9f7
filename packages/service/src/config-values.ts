import { normalAddress } from './chain/reads.ts'
import { PASSPHRASE_VARIABLE } from './chain/signers/open.ts'
import { isAddressRange } from './egress/address.ts'
import type { Address, Asset } from './kernel/assets.ts'
import { type Amount, parseAmount } from './kernel/money.ts'
import { Problem } from './kernel/problem.ts'

/** Every variable that the service reads; `.env.example` is checked against it. */
export const VARIABLES = [
  'PORT',
  'HOST',
  'PUBLIC_URL',
  'PURSER_DATA_DIR',
  'DATABASE_URL',
  'PURSER_NETWORK',
  'PURSER_RPC_URL',
  'PURSER_OPERATOR_KEY',
  'PURSER_RELAYER_KEYS',
  'PURSER_BATCH_SETTLER',
  PASSPHRASE_VARIABLE,
  'PURSER_SECRET',
  'PURSER_MPP_SECRETS',
  'PURSER_LEDGER_SECRETS',
  'PURSER_ROLES',
  'PURSER_PROCESSES',
  'PURSER_RATE_LIMIT',
  'PURSER_TRUSTED_PROXIES',
  'PURSER_FEE_BPS',
  'PURSER_FEE_FLAT',
  'PURSER_WITHDRAWAL_FEE',
  'PURSER_WITHDRAWAL_MINIMUM',
  'PURSER_MIN_ONCHAIN',
  'PURSER_SELLER_GAS_PER_DAY',
  'PURSER_FACILITATOR_PAY_TO',
  'PURSER_ACCOUNT_FACTORIES',
  'PURSER_CREDIT_LEVELS',
  'PURSER_EGRESS_ALLOW',
  'PURSER_LOG_LEVEL',
  'PURSER_FAULT_POINT',
] as const
export type Variable = (typeof VARIABLES)[number]

/** Where a variable's text is read, and what is wrong with one is told. */
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

/** An amount of the asset, in base units. */
export function readUsdc(
  from: Source,
  asset: Asset,
  { name, otherwise }: { name: Variable; otherwise: string },
): Amount {
  try {
    return parseAmount(from.text(name) ?? otherwise, asset.decimals, name)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    from.fault(`${name} must be an amount of USDC, e.g. 0.05.`)
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

/** Coinbase Smart Wallet, 1.0 and 1.1: all that a call of these can do is deploy such a wallet, once. */
const KNOWN_FACTORIES: readonly Address[] = [
  '0x0BA5ED0c6AA8c49038F819E587E2633c4A9F428a',
  '0xBA5ED110eFDBa3D005bfC882d75358ACBbB85842',
]

/** The factories whose contract wallets are deployed for their payers. */
export function readAccountFactories(from: Source): readonly Address[] {
  const name = 'PURSER_ACCOUNT_FACTORIES'
  const text = from.text(name)
  if (text === undefined) return KNOWN_FACTORIES
  if (text === 'none') return []
  try {
    return text.split(',').map((part) => normalAddress(part.trim(), name))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    from.fault(`${name} must be "none", or addresses of factories, comma-separated.`)
    return KNOWN_FACTORIES
  }
}

/** Proxies whose X-Forwarded-For is believed, as addresses or ranges. */
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
