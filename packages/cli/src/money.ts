/** JSON numbers are exact up to so many digits. */
const EXACT_DIGITS = 15
const ASSETS = ['asset', 'funding_asset', 'payment_asset', 'currency', 'symbol', 'token']
/** A member named `token` may be a secret or an address, too. */
const SYMBOL = /^(?!tok_)[A-Za-z][\w.-]{0,11}$/

/**
 * The amount that a member of an answer holds, with its asset: to the last base unit, or marked by `~` where the answer has
 * no exact form of it.
 */
export function amountIn(row: object, field: string, asset = assetOf(row)): string {
  const members = row as Record<string, unknown>
  const value = members[field]
  if (value === null || value === undefined) return '-'
  const atomic = members[`${field}_atomic`]
  const { decimals } = members
  const text =
    typeof atomic === 'string' && typeof decimals === 'number'
      ? fromAtomic(atomic, decimals)
      : decimal(value)
  return asset === undefined ? text : `${text} ${asset}`
}

/** The symbol of the asset that a row is in, where it names one. */
export function assetOf(row: object): string | undefined {
  const members = row as Record<string, unknown>
  return ASSETS.map((name) => members[name]).find(
    (value): value is string => typeof value === 'string' && SYMBOL.test(value),
  )
}

/** Base units as a decimal. */
export function fromAtomic(atomic: string, decimals: number): string {
  if (!/^-?\d+$/.test(atomic)) return atomic
  const sign = atomic.startsWith('-') ? '-' : ''
  const digits = atomic.replace('-', '').padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals).replace(/^0+(?=\d)/, '')
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return sign + (fraction ? `${whole}.${fraction}` : whole)
}

/** An amount as a decimal without an exponent. A text is exact as it is. */
export function decimal(value: unknown): string {
  if (typeof value !== 'number' || !Number.isFinite(value)) return String(value)
  const [mantissa = '', exponent] = String(value).split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const isUncertain = (whole + fraction).replace(/^0+/, '').length > EXACT_DIGITS
  const digits = whole + fraction
  const shift = Number(exponent ?? 0) - fraction.length
  const plain =
    shift >= 0 ? digits + '0'.repeat(shift) : fromAtomic(digits.replace(/^0+(?=\d)/, ''), -shift)
  return `${isUncertain ? '~' : ''}${value < 0 ? '-' : ''}${plain}`
}
