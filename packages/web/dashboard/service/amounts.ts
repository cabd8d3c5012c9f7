const DIGITS = 6
const LEAST = 2

/** An amount of an asset with six decimals or less, exact, with at least two of them. */
export const moneyText = (amount: number): string =>
  new Intl.NumberFormat('en', {
    minimumFractionDigits: LEAST,
    maximumFractionDigits: DIGITS,
  }).format(amount)

/** Base units in whole units of the asset, exact, as programs read them: no separators, no zeros at the end. */
export function plainText(atomic: string, decimals: number): string {
  const digits = atomic.padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const part = decimals > 0 ? digits.slice(-decimals).replace(/0+$/, '') : ''
  return part === '' ? whole : `${whole}.${part}`
}

/** An amount that the service wrote as text, exact. */
export function decimalText(text: string): string {
  const [, sign = '', whole = '0', part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  return `${sign}${BigInt(whole).toLocaleString('en')}.${part.padEnd(LEAST, '0')}`
}

/** An amount of base units, exact, with at least two decimals. */
export const atomicText = (atomic: string, decimals: number): string =>
  decimalText(plainText(atomic, decimals))

/** A row of the API with amounts. A row whose asset has more than six decimals has the exact base units beside each. */
export type Priced = object
type Decimals = (asset: string) => number | undefined

const read = (row: Priced, field: string): unknown => (row as Record<string, unknown>)[field]

/** The asset of a row's amounts, by the name that its kind has for it. */
export function assetOf(row: Priced): string | undefined {
  for (const field of ['asset', 'funding_asset', 'payment_asset', 'currency']) {
    const asset = read(row, field)
    if (typeof asset === 'string') return asset
  }
  return undefined
}

/** The exact base units of a row's amount with the decimals of its asset; undefined where the amount itself is exact. */
function unitsOf(row: Priced, field: string, decimalsOf: Decimals) {
  const atomic = read(row, `${field}_atomic`)
  if (typeof atomic !== 'string') return undefined
  const [own, asset] = [read(row, 'decimals'), assetOf(row)]
  return { atomic, decimals: typeof own === 'number' ? own : asset && decimalsOf(asset) }
}

const UNKNOWN = '…'

/** Base units for people, exact; no figure while the decimals of their asset are not known. */
export const unitsText = (atomic: string, decimals: number | undefined): string =>
  decimals === undefined ? UNKNOWN : atomicText(atomic, decimals)

/** An amount of a row for people, exact. An amount whose decimals are not known yet is not guessed. */
export function exactText(row: Priced, field: string, decimalsOf: Decimals): string {
  const units = unitsOf(row, field, decimalsOf)
  if (units)
    return unitsText(units.atomic, typeof units.decimals === 'number' ? units.decimals : undefined)
  const amount = read(row, field)
  return typeof amount === 'string' ? decimalText(amount) : moneyText(Number(amount))
}

/** An amount of a row for programs, exact. */
export function exactPlain(
  row: Priced,
  field: string,
  decimalsOf: Decimals,
): string | number | null {
  const units = unitsOf(row, field, decimalsOf)
  if (units && typeof units.decimals !== 'number')
    throw new Error(`The decimals of ${assetOf(row) ?? 'an asset'} are not known yet. Try again.`)
  if (typeof units?.decimals === 'number') return plainText(units.atomic, units.decimals)
  return read(row, field) as string | number | null
}
