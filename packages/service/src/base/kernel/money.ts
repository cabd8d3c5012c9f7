import { assert } from './assert.ts'
import { Problem } from './problem.ts'

declare const brand: unique symbol
/** Zero or more base units of an asset: 1 USDC is 1_000_000. */
export type Amount = bigint & { readonly [brand]: 'base-units' }

/** A uint256, which the columns (`numeric(78,0)`) can hold. */
const AMOUNT_MAX = 2n ** 256n - 1n
/** The most that a caller may send in one request, in whole units of the asset. */
const INPUT_MAX_UNITS = 1_000_000_000n

/** The value as an amount. A value that is negative or above a uint256 is a bug. */
export const amount = (value: bigint): Amount => {
  assert(value >= 0n && value <= AMOUNT_MAX, `amount out of range: ${value}`)
  return value as Amount
}

export const ZERO = amount(0n)
export const plus = (a: Amount, b: Amount): Amount => amount(a + b)
/** `a - b`. A negative result is a bug, so compare first. */
export const minus = (a: Amount, b: Amount): Amount => amount(a - b)
export const least = (a: Amount, b: Amount): Amount => (a < b ? a : b)
export const most = (a: Amount, b: Amount): Amount => (a > b ? a : b)
/** `a - b`, or zero if that is negative. */
export const minusOrZero = (a: Amount, b: Amount): Amount => (a > b ? minus(a, b) : ZERO)

/**
 * The fee on `gross`: a rate in basis points plus a flat part. The rate is rounded half up to the base unit, once, and a rate
 * above zero costs at least one base unit. The fee is never above `gross`, so `gross = net + fee` always holds.
 */
export function feeOf(gross: Amount, tariff: { bps: bigint; flat: Amount }): Amount {
  const rounded = (gross * tariff.bps + 5_000n) / 10_000n
  const fee = (rounded === 0n && tariff.bps > 0n ? 1n : rounded) + tariff.flat
  return amount(fee > gross ? gross : fee)
}

const DECIMAL = /^(\d{1,40})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,3}))?$/

/**
 * Reads an amount as callers send it: a JSON number or a decimal string, in whole units of the asset. Reads it exactly.
 * Throws `invalid_amount` for fractions of a base unit, negative numbers, NaN and amounts above 1e9.
 */
export function parseAmount(input: unknown, decimals: number, param = 'amount'): Amount {
  const refuse = (why: string) =>
    new Problem('invalid_amount', `${param} ${why}. Send a positive number or decimal string.`, {
      param,
    })
  if (typeof input !== 'number' && typeof input !== 'string') throw refuse('is not a number')
  const match = DECIMAL.exec(String(input))
  if (!match) throw refuse('is not a plain positive decimal number')
  const [, whole = '', fraction = '', exponent = '0'] = match
  const shift = Number(exponent) - fraction.length + decimals
  if (Math.abs(shift) > 100) throw refuse('is out of range')
  const digits = BigInt(whole + fraction)
  const value = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift)
  if (shift < 0 && value * 10n ** BigInt(-shift) !== digits)
    throw refuse(`has more than ${decimals} decimals`)
  if (value > INPUT_MAX_UNITS * 10n ** BigInt(decimals)) throw refuse('is above 1000000000')
  return amount(value)
}

/** As `parsePositiveAmount`, returning the refusal. */
export function readPositiveAmount(
  ...asked: Parameters<typeof parsePositiveAmount>
): Amount | Problem {
  try {
    return parsePositiveAmount(...asked)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

/** The same as `parseAmount`, but refuses zero. */
export function parsePositiveAmount(input: unknown, decimals: number, param = 'amount'): Amount {
  const value = parseAmount(input, decimals, param)
  if (value === 0n) throw new Problem('invalid_amount', `${param} must be above zero.`, { param })
  return value
}

/** The exact decimal string without trailing zeros, e.g. `12.5`. */
export function formatAmount(value: bigint, decimals: number): string {
  const sign = value < 0n ? '-' : ''
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return sign + (fraction ? `${whole}.${fraction}` : whole)
}

/** The amount as a JSON number for the wire. Exact up to 15 significant digits. */
export const toNumber = (value: bigint, decimals: number): number =>
  Number(formatAmount(value, decimals))
