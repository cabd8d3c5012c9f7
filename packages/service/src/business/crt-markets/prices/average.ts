import type { Reader } from '../../../base/db/sql.ts'
import { assert } from '../../../base/kernel/assert.ts'
import type { Address, Asset, Network } from '../../../base/kernel/assets.ts'
import { USDC } from '../../../base/kernel/assets.ts'
import { isFirst } from '../../../base/protocols/uniswap/pool-key.ts'
import { priceOf } from '../../../base/protocols/uniswap/price.ts'
import { sqrtPriceAt } from '../../../base/protocols/uniswap/ticks.ts'
import { cumulativeAt } from './fold.ts'
import { findMarkBefore, findPoolsOf, type Pool } from './store.ts'

/** USDC a token, times 1e18: the mean over the half hour before `at`. */
export type TokenPrice = { price: bigint; at: Date; windowSeconds: number }

const MINUTE_MS = 60_000
const WINDOW_MS = 30 * MINUTE_MS

/**
 * The time-weighted price: the mean tick of the half hour before the newest safe block that was followed. A price counts
 * for as long as it stood at the end of blocks, so that a swap and back within one counts for nothing. Time before the
 * listing counts at the price of the listing.
 */
export async function averageOf(
  on: Reader,
  pool: Pool,
  of: { token: Address; asset: Pick<Asset, 'contract'> },
): Promise<TokenPrice> {
  const at = pool.followedTo
  // Marks are kept by the minute, so the window begins with one.
  const from = new Date(Math.floor((at.getTime() - WINDOW_MS) / MINUTE_MS) * MINUTE_MS)
  const first = { tick: pool.firstTick, since: pool.firstAt, cumulative: 0n }
  const mark = pool.since <= from ? pool : ((await findMarkBefore(on, pool.poolId, from)) ?? first)
  const seconds = BigInt((at.getTime() - from.getTime()) / 1000)
  const sum = cumulativeAt(pool, at) - cumulativeAt(mark, from)
  const tick = Number(floorOf(sum, seconds))
  const side = { isFirst: isFirst(of.token, of.asset.contract) }
  return { price: priceOf(sqrtPriceAt(tick), side), at, windowSeconds: Number(seconds) }
}

const floorOf = (a: bigint, b: bigint): bigint => (a < 0n ? -((-a + b - 1n) / b) : a / b)

/** The time-weighted prices of those of these tokens that have a live market. */
export async function readTokenPrices(
  on: Reader,
  { network, tokens }: { network: Network; tokens: readonly Address[] },
): Promise<Map<Address, TokenPrice>> {
  const asset = Object.values(USDC).find((one) => one.network === network)
  assert(asset, `USDC is known on ${network}`)
  const pools = tokens.length === 0 ? [] : await findPoolsOf(on, { network, tokens })
  const prices = await Promise.all(
    pools.map(
      async (pool) =>
        [pool.token, await averageOf(on, pool, { token: pool.token, asset })] as const,
    ),
  )
  return new Map(prices)
}
