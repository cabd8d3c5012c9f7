const DECIMALS = 6

/** An amount of USDC from the API, in base units. Exact: read from the decimal digits, never multiplied. */
export function toUnits(amount: number | string): bigint {
  const match = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(String(amount))
  if (!match) throw new Error(`not an amount of USDC: ${amount}`)
  const [, sign, whole = '', fraction = ''] = match
  const units = BigInt(whole + fraction.padEnd(DECIMALS, '0'))
  return sign ? -units : units
}

/** Base units as a decimal string. */
export function fromUnits(units: bigint): string {
  const digits = (units < 0n ? -units : units).toString().padStart(DECIMALS + 1, '0')
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -DECIMALS)}${fraction && `.${fraction}`}`
}
