import { priceOf, type Side } from '../../../base/protocols/uniswap/price.ts'
import type { Swap } from '../../../chain/client/markets/swaps.ts'
import type { MinuteCandle, Pool } from './store.ts'

const MINUTE = 60

/** The pool after these swaps, and the candles of their minutes. Only a block's last price lasts for any time. */
export function foldSwaps(
  pool: Pool,
  swaps: readonly Swap[],
  side: Side,
): { pool: Pool; candles: MinuteCandle[] } {
  const candles = new Map<number, MinuteCandle>()
  let now = pool
  for (const swap of swaps) {
    const before = priceOf(now.sqrtPrice, side)
    now = after(now, swap)
    const minute = Math.floor(swap.time / MINUTE) * MINUTE
    candles.set(minute, withSwap(candles.get(minute), { now, before, swap, side, minute }))
  }
  return { pool: now, candles: [...candles.values()] }
}

function after(pool: Pool, swap: Swap): Pool {
  const since = new Date(swap.time * 1000)
  return {
    ...pool,
    sqrtPrice: swap.sqrtPrice,
    tick: swap.tick,
    since,
    cumulative: cumulativeAt(pool, since),
  }
}

/** The sum of ticks times seconds at a time, if nobody has swapped since the mark. */
export const cumulativeAt = (
  { cumulative, tick, since }: Pick<Pool, 'cumulative' | 'tick' | 'since'>,
  time: Date,
): bigint => cumulative + (BigInt(tick) * BigInt(time.getTime() - since.getTime())) / 1000n

function withSwap(
  candle: MinuteCandle | undefined,
  of: { now: Pool; before: bigint; swap: Swap; side: Side; minute: number },
): MinuteCandle {
  const { now, before, swap, side } = of
  const close = priceOf(now.sqrtPrice, side)
  const [token, usdc] = side.isFirst ? [swap.amount0, swap.amount1] : [swap.amount1, swap.amount0]
  const first = candle ?? startOf(of.minute, before)
  return {
    minute: first.minute,
    open: first.open,
    high: first.high > close ? first.high : close,
    low: first.low < close ? first.low : close,
    close,
    tokenVolume: first.tokenVolume + size(token),
    usdcVolume: first.usdcVolume + size(usdc),
    swaps: first.swaps + 1,
    tick: now.tick,
    since: now.since,
    cumulative: now.cumulative,
  }
}

const startOf = (minute: number, price: bigint) => ({
  minute: new Date(minute * 1000),
  open: price,
  high: price,
  low: price,
  tokenVolume: 0n,
  usdcVolume: 0n,
  swaps: 0,
})

const size = (amount: bigint): bigint => (amount < 0n ? -amount : amount)
