import { ExactNumber, type JsonValue } from '../../json.ts'

const NO_DIGITS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ')
const THREE_DIGITS = 'BHD IQD JOD KWD LYD OMR TND'.split(' ')
const FOUR_DIGITS = ['CLF', 'UYW']

/** An ISO 4217 code, or USDC: our extension for amounts below a cent. */
export const isCurrency = (value: unknown): value is string =>
  typeof value === 'string' && /^(?:[A-Z]{3}|USDC)$/.test(value)

/** The number of decimals of a currency: ISO 4217's exponent, and 6 for USDC. */
export function exponentOf(currency: string): number {
  if (currency === 'USDC') return 6
  if (NO_DIGITS.includes(currency)) return 0
  if (THREE_DIGITS.includes(currency)) return 3
  return FOUR_DIGITS.includes(currency) ? 4 : 2
}

const DECIMAL = /^([0-9]{1,40})(?:\.([0-9]{1,40}))?(?:[eE]([+-]?[0-9]{1,2}))?$/

/**
 * Converts major units, which the reference SDK uses for `payment.budget.max`, to minor units, exactly. `undefined` for
 * a negative number, for more decimals than the currency has, and for anything but a number.
 */
export function minorOfMajor(value: JsonValue | undefined, currency: string): bigint | undefined {
  if (typeof value !== 'number' && !(value instanceof ExactNumber)) return undefined
  const match = DECIMAL.exec(value instanceof ExactNumber ? value.text : String(value))
  if (!match) return undefined
  const [, whole = '', fraction = '', exponent = '0'] = match
  const shift = exponentOf(currency) + Number(exponent) - fraction.length
  const digits = BigInt(whole + fraction)
  if (shift >= 0) return digits * 10n ** BigInt(shift)
  const divisor = 10n ** BigInt(-shift)
  return digits % divisor === 0n ? digits / divisor : undefined
}

/** Converts minor units to a JSON number of major units; `undefined` if a double cannot hold it exactly. */
export function majorOfMinor(minor: bigint, currency: string): number | undefined {
  const exponent = exponentOf(currency)
  const digits = minor.toString().padStart(exponent + 1, '0')
  const [whole, fraction] = [
    digits.slice(0, digits.length - exponent),
    digits.slice(digits.length - exponent),
  ]
  const number = Number(fraction ? `${whole}.${fraction}` : whole)
  return minorOfMajor(number, currency) === minor ? number : undefined
}
