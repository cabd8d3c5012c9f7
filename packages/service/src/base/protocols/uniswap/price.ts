/** Prices of a token of 18 decimals in USDC of 6, times 1e18. Pools hold them as square roots of base units. */
import { assert } from '../../kernel/assert.ts'
import { lowestTick, outermostTick, Q96, sqrtPriceAt } from './ticks.ts'

/** Whether the token's address sorts below that of USDC, so that it is the pool's first currency. */
export type Side = { isFirst: boolean }

const Q192 = Q96 * Q96
/** Base units of the token for one of USDC at a price of one, and the scale of the price. */
const SCALE = 10n ** 12n * 10n ** 18n

export const priceOf = (sqrtPrice: bigint, { isFirst }: Side): bigint =>
  isFirst ? (sqrtPrice * sqrtPrice * SCALE) / Q192 : (SCALE * Q192) / (sqrtPrice * sqrtPrice)

/**
 * The tick at which the pool starts: the lowest price that is at least the one asked for, at the spacing's steps. Undefined
 * for a price beyond what a pool can hold.
 */
export function startTickOf(price: bigint, spacing: number, { isFirst }: Side): number | undefined {
  assert(price > 0n, 'a price is above zero')
  const root = (sqrtPrice: bigint) => sqrtPrice * sqrtPrice
  if (isFirst) return lowestTick(spacing, (sqrt) => root(sqrt) * SCALE >= price * Q192)
  // The pool's price falls as the token's rises: the highest tick that is low enough lies before the first that is not.
  const above = lowestTick(spacing, (sqrt) => root(sqrt) * price > SCALE * Q192)
  const tick = (above ?? outermostTick(spacing) + spacing) - spacing
  return tick < -outermostTick(spacing) ? undefined : tick
}

/** The range of a position that holds the token alone: from the start to the end of all prices. */
export function rangeOf(
  startTick: number,
  spacing: number,
  { isFirst }: Side,
): { lowerTick: number; upperTick: number } {
  const end = outermostTick(spacing)
  return isFirst
    ? { lowerTick: startTick, upperTick: end }
    : { lowerTick: -end, upperTick: startTick }
}

type Range = { lowerTick: number; upperTick: number }

/** The token's base units that a position of this liquidity takes in, rounded up as the pool does. */
export function tokensOf(liquidity: bigint, range: Range, { isFirst }: Side): bigint {
  const [low, high] = [sqrtPriceAt(range.lowerTick), sqrtPriceAt(range.upperTick)]
  return isFirst
    ? up(up(liquidity * Q96 * (high - low), high), low)
    : up(liquidity * (high - low), Q96)
}

/** The most liquidity that this many base units of the token pay for. */
export function liquidityOf(tokens: bigint, range: Range, side: Side): bigint {
  const [low, high] = [sqrtPriceAt(range.lowerTick), sqrtPriceAt(range.upperTick)]
  const least = side.isFirst
    ? (tokens * low * high) / Q96 / (high - low)
    : (tokens * Q96) / (high - low)
  return tokensOf(least, range, side) > tokens ? least - 1n : least
}

/** The base units that a position holds at a price, both rounded down as they would be paid out. */
export function heldBy(
  liquidity: bigint,
  range: Range,
  { sqrtPrice, isFirst }: Side & { sqrtPrice: bigint },
): { tokens: bigint; usdc: bigint } {
  const [low, high] = [sqrtPriceAt(range.lowerTick), sqrtPriceAt(range.upperTick)]
  const at = sqrtPrice < low ? low : sqrtPrice > high ? high : sqrtPrice
  const first = (liquidity * Q96 * (high - at)) / high / at
  const second = (liquidity * (at - low)) / Q96
  return isFirst ? { tokens: first, usdc: second } : { tokens: second, usdc: first }
}

const up = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor
