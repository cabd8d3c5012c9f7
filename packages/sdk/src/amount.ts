/** An amount of zero or more, exact to its last decimal. `<` and `>` compare two of as many decimals. */
export type Amount = {
  /** In base units: 1,250,000 is 1.25 USDC. */
  readonly atomic: bigint
  readonly decimals: number
  /** As the service takes it: a decimal string without trailing zeros. */
  toString(): string
  toJSON(): string
  valueOf(): bigint
}

/** A double holds any that are written with as many digits, and not all with more. */
const SAFE_DIGITS = 15
const USDC_DECIMALS = 6
/** A token answers `decimals()` by a uint8. */
const MOST_DECIMALS = 255

/** Makes amounts. A method takes one as `String(amount)`. */
export const Amount = {
  /** Whole units, written as a decimal string or a number. Throws a `RangeError` for what is not exactly such an amount. */
  of(value: string | number, decimals: number = USDC_DECIMALS): Amount {
    const refuse = (why: string) => new RangeError(`${JSON.stringify(value)} ${why}.`)
    if (typeof value === 'bigint')
      throw new RangeError(
        `${value}n may mean whole or base units: use Amount.atomic for the latter.`,
      )
    const isText = typeof value === 'string' || typeof value === 'number'
    const match = /^(\d+)(?:\.(\d+))?$/.exec(isText ? String(value) : '')
    if (!match) throw refuse('is not a plain decimal of zero or more, such as "1.25"')
    const [, whole = '', written = ''] = match
    if (typeof value === 'number' && `${whole}${written}`.replace(/^0+/, '').length > SAFE_DIGITS)
      throw refuse(
        `has more than ${SAFE_DIGITS} digits, which a number may have lost: pass a string`,
      )
    const fraction = written.replace(/0+$/, '')
    if (fraction.length > decimals) throw refuse(`has more than ${decimals} decimals`)
    return amountOf(BigInt(whole + fraction.padEnd(decimals, '0')), decimals)
  },
  /** Base units, as the chain and the `…_atomic` fields have them. */
  atomic: (units: bigint, decimals: number = USDC_DECIMALS): Amount => amountOf(units, decimals),
}

function amountOf(atomic: bigint, decimals: number): Amount {
  if (typeof atomic !== 'bigint' || atomic < 0n)
    throw new RangeError(`${atomic} is no number of base units: pass a bigint of zero or more.`)
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > MOST_DECIMALS)
    throw new RangeError(`${decimals} is no number of decimals: pass an integer from 0 to 255.`)
  const digits = atomic.toString().padStart(decimals + 1, '0')
  const point = digits.length - decimals
  const fraction = digits.slice(point).replace(/0+$/, '')
  const text = digits.slice(0, point) + (fraction && `.${fraction}`)
  const toText = () => text
  return Object.freeze({
    atomic,
    decimals,
    toString: toText,
    toJSON: toText,
    valueOf: () => atomic,
  })
}
