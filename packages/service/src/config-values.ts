import { PASSPHRASE_VARIABLE } from './chain/signers/open.ts'
import type { Asset } from './kernel/assets.ts'
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
