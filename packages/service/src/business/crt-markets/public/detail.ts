import { Type } from 'typebox'
import { AddressField, iso, OneOf } from '../../../api/http/fields.ts'
import type { Uses } from '../../../api/http/services.ts'
import type { Reader } from '../../../base/db/sql.ts'
import { assert } from '../../../base/kernel/assert.ts'
import { toNumber } from '../../../base/kernel/money.ts'
import { isFirst } from '../../../base/protocols/uniswap/pool-key.ts'
import { heldBy, priceOf } from '../../../base/protocols/uniswap/price.ts'
import { type PoolState, readPool, readPosition } from '../../../chain/client/markets/pool.ts'
import { mustHaveMarkets } from '../available.ts'
import { PRICE_DECIMALS } from '../launch/view.ts'
import { moneyOf } from '../money.ts'
import { averageOf } from '../prices/average.ts'
import { type Candle, findPool, listCandles } from '../prices/store.ts'
import type { LiveMarket } from '../store.ts'
import { findVesting } from '../vesting/store.ts'
import { VestingBody, vestingBody } from '../vesting/view.ts'
import { MarketBody, marketBody, TOKEN_DECIMALS } from '../view.ts'
import { askRarely } from './ration.ts'

export const INTERVALS = ['1m', '1h', '1d'] as const
type Interval = (typeof INTERVALS)[number]
const SECONDS: Record<Interval, number> = { '1m': 60, '1h': 3_600, '1d': 86_400 }
const CANDLES_MOST = 60
const KEPT_MS = 2_000

const Price = (source: 'spot' | 'time_weighted', of: { value: string; at: string }) => ({
  value: Type.Number({ description: of.value }),
  source: OneOf([source], 'How the price was found'),
  at: Type.String({ format: 'date-time', description: of.at }),
})

export const DetailBody = Type.Object({
  chainId: Type.Integer({ description: 'Id of the chain' }),
  market: MarketBody,
  spot: Type.Object(
    Price('spot', {
      value: 'USDC a token in the newest block. One swap can move it',
      at: 'When it was read',
    }),
    { description: 'The price of this moment' },
  ),
  average: Type.Object(
    {
      ...Price('time_weighted', {
        value: 'USDC a token, as the mean over the time that prices stood at the end of blocks',
        at: 'The end of that time: a block that is safe from reorganization',
      }),
      window_seconds: Type.Integer({ description: 'The length of that time' }),
    },
    { description: 'The price that holdings are valued at' },
  ),
  liquidity: Type.Object(
    {
      active: Type.String({ description: 'Liquidity at this price, in units of the pool' }),
      tokens: Type.Union([Type.Number(), Type.Null()], {
        description: "Tokens in the creator's position; null once it is out",
      }),
      usdc: Type.Union([Type.Number(), Type.Null()], {
        description: "USDC in the creator's position; null once it is out",
      }),
      held_by: Type.Union([AddressField, Type.Null()], {
        description: "The account that may take the creator's position out; null once it is out",
      }),
      held_by_creator: Type.Boolean({ description: 'Whether that is still the creator' }),
    },
    { description: "Who may take the market's liquidity away, and how much of it" },
  ),
  vesting: Type.Union([VestingBody, Type.Null()], {
    description: "The stream that locks the creator's kept part; null for none",
  }),
  candles: Type.Array(
    Type.Object({
      at: Type.String({ format: 'date-time', description: 'Its beginning' }),
      open: Type.Number({ description: 'USDC a token before its first swap' }),
      high: Type.Number({ description: 'The highest price in it' }),
      low: Type.Number({ description: 'The lowest price in it' }),
      close: Type.Number({ description: 'The price after its last swap' }),
      volume: Type.Number({ description: 'USDC that changed hands' }),
      token_volume: Type.Number({ description: 'Tokens that changed hands' }),
      swaps: Type.Integer({ description: 'How many swaps there were' }),
    }),
    { description: 'Intervals in which somebody swapped, newest first' },
  ),
  warnings: Type.Array(Type.String(), { description: 'What a buyer should know, in words' }),
})

/** The market's price, liquidity and history as of now. Callers of a moment share one reading of the chain. */
export async function readDetail(
  services: Uses<'chain' | 'db' | 'settings'>,
  at: Date,
  { client, market, interval }: { client: string; market: LiveMarket; interval: Interval },
) {
  const { chain, db } = services
  const [onChain, history] = await Promise.all([
    askRarely(services, at, {
      client,
      key: `detail:${market.token}`,
      keptMs: KEPT_MS,
      ask: () => readOnChain(services, at, market),
    }),
    readHistory(db.reader, services, { at, market, interval }),
  ])
  const { pool, position } = onChain
  const side = { isFirst: isFirst(market.token, moneyOf(chain).contract) }
  const held =
    position && heldBy(position.liquidity, market, { ...side, sqrtPrice: pool.sqrtPrice })
  const isCreators = position?.owner === market.creator
  return {
    chainId: chain.chainId,
    market: marketBody(market),
    spot: {
      value: toNumber(priceOf(pool.sqrtPrice, side), PRICE_DECIMALS),
      source: 'spot' as const,
      at: iso(onChain.at),
    },
    ...history,
    liquidity: {
      active: String(pool.liquidity),
      tokens: held ? toNumber(held.tokens, TOKEN_DECIMALS) : null,
      usdc: held ? toNumber(held.usdc, moneyOf(chain).decimals) : null,
      held_by: position?.owner ?? null,
      held_by_creator: isCreators,
    },
    warnings: warningsOf(market, { isCreators, isGone: !position || position.liquidity === 0n }),
  }
}

type OnChain = {
  at: Date
  pool: PoolState
  position: Awaited<ReturnType<typeof readPosition>>
}

async function readOnChain(
  services: Uses<'chain' | 'settings'>,
  at: Date,
  market: LiveMarket,
): Promise<OnChain> {
  const v4 = await mustHaveMarkets(services)
  const { chain } = services
  const [pool, position] = await Promise.all([
    readPool(chain, v4, { poolId: market.poolId }),
    readPosition(chain, v4, market.positionId),
  ])
  return { at, pool, position }
}

async function readHistory(
  on: Reader,
  services: Uses<'chain' | 'settings'>,
  { at, market, interval }: { at: Date; market: LiveMarket; interval: Interval },
) {
  const { token, poolId, cardId } = market
  const seconds = SECONDS[interval]
  const newest = Math.floor(at.getTime() / 1000 / seconds) * seconds
  const since = new Date((newest - seconds * (CANDLES_MOST - 1)) * 1000)
  const of = { poolId, interval: `${seconds} seconds`, since, limit: CANDLES_MOST }
  const [pool, candles, vesting] = await Promise.all([
    findPool(on, poolId),
    listCandles(on, of),
    findVesting(on, cardId),
  ])
  assert(pool, 'the pool of a live market is followed')
  const average = await averageOf(on, pool, { token, asset: moneyOf(services.chain) })
  return {
    average: {
      value: toNumber(average.price, PRICE_DECIMALS),
      source: 'time_weighted' as const,
      at: iso(average.at),
      window_seconds: average.windowSeconds,
    },
    vesting: vesting ? vestingBody(services, vesting) : null,
    candles: candles.map((candle) => candleBody(candle, moneyOf(services.chain).decimals)),
  }
}

const candleBody = (candle: Candle, decimals: number) => ({
  at: iso(candle.minute),
  open: toNumber(candle.open, PRICE_DECIMALS),
  high: toNumber(candle.high, PRICE_DECIMALS),
  low: toNumber(candle.low, PRICE_DECIMALS),
  close: toNumber(candle.close, PRICE_DECIMALS),
  volume: toNumber(candle.usdcVolume, decimals),
  token_volume: toNumber(candle.tokenVolume, TOKEN_DECIMALS),
  swaps: candle.swaps,
})

function warningsOf(
  market: LiveMarket,
  { isCreators, isGone }: { isCreators: boolean; isGone: boolean },
): string[] {
  const warnings = ["The token is no claim on the card's income."]
  if (isGone) warnings.push("The creator's liquidity has been taken out of the pool.")
  else if (isCreators)
    warnings.push('The creator holds the liquidity, and can take it out of the pool at any time.')
  else warnings.push('An account that is not the creator holds the liquidity, and can take it out.')
  if (market.keepBps > 0 && market.state === 'LIVE')
    warnings.push(
      `The creator has kept ${market.keepBps / 100}% of the tokens, and has not shown that they are locked.`,
    )
  return warnings
}
