import { all, one, type Reader, run, sql, type Tx } from '../../../base/db/sql.ts'
import type { Address, Hex, Network } from '../../../base/kernel/assets.ts'

/** A moment of a pool: its tick since then, and the sum of ticks times seconds from the listing until then. */
export type Mark = { tick: number; since: Date; cumulative: bigint }

/** How far a pool's swaps were followed. */
export type Pool = Mark & {
  poolId: Hex
  cardId: string
  version: bigint
  firstTick: number
  firstAt: Date
  block: bigint
  followedTo: Date
  sqrtPrice: bigint
  quietLooks: number
}

/** Prices are USDC a token, times 1e18; volumes are base units. */
export type Candle = {
  /** Its beginning. */
  minute: Date
  open: bigint
  high: bigint
  low: bigint
  close: bigint
  tokenVolume: bigint
  usdcVolume: bigint
  swaps: number
}
/** The candle of a minute, with the pool after its last swap. */
export type MinuteCandle = Candle & Mark

const POOL_COLUMNS = [
  ...['pool_id', 'card_id', 'version', 'first_tick', 'first_at', 'block', 'followed_to'],
  ...['sqrt_price', 'tick', 'since', 'cumulative', 'quiet_looks'],
]
const POOL = sql.raw(POOL_COLUMNS.join(', '))
const POOL_OF_MARKET = sql.raw(POOL_COLUMNS.map((column) => `p.${column}`).join(', '))

export const findPool = (on: Reader, poolId: string): Promise<Pool | undefined> =>
  one<Pool>(on, sql`select ${POOL} from crt_pools where pool_id = ${poolId}`)

export async function insertPool(
  tx: Tx,
  at: Date,
  p: { poolId: Hex; cardId: string; block: bigint; since: Date; sqrtPrice: bigint; tick: number },
): Promise<void> {
  await sql`insert into crt_pools (pool_id, card_id, first_tick, first_at, block, followed_to, sqrt_price, tick, since,
      cumulative, looked_at, hours_to, days_to)
    values (${p.poolId}, ${p.cardId}, ${p.tick}, ${p.since}, ${p.block}, ${p.since}, ${p.sqrtPrice}, ${p.tick},
      ${p.since}, 0, ${at}, date_trunc('day', ${p.since}::timestamptz, 'UTC'),
      date_trunc('day', ${p.since}::timestamptz, 'UTC'))`.execute(tx)
}

/** Moves the pool on, unless another look has since `version`. */
export const movePool = async (tx: Tx, at: Date, p: Pool): Promise<boolean> => {
  const moved = await run(
    tx,
    sql`update crt_pools set version = version + 1, block = ${p.block}, followed_to = ${p.followedTo},
        sqrt_price = ${p.sqrtPrice}, tick = ${p.tick}, since = ${p.since}, cumulative = ${p.cumulative},
        quiet_looks = ${p.quietLooks}, looked_at = ${at}
      where pool_id = ${p.poolId} and version = ${p.version}`,
  )
  return moved === 1
}

/** Adds swaps to the candles of their minutes. */
export async function addCandles(
  tx: Tx,
  poolId: Hex,
  candles: readonly MinuteCandle[],
): Promise<void> {
  if (candles.length === 0) return
  const list = <K extends keyof MinuteCandle>(key: K) => candles.map((candle) => candle[key])
  await sql`insert into crt_candles as c (pool_id, minute, open, high, low, close, token_volume, usdc_volume, swaps, tick,
      since, cumulative)
    select ${poolId}, n.* from unnest(${list('minute')}::timestamptz[], ${list('open')}::numeric[],
      ${list('high')}::numeric[], ${list('low')}::numeric[], ${list('close')}::numeric[],
      ${list('tokenVolume')}::numeric[], ${list('usdcVolume')}::numeric[], ${list('swaps')}::integer[],
      ${list('tick')}::integer[], ${list('since')}::timestamptz[], ${list('cumulative')}::numeric[]) as n
    on conflict (pool_id, minute) do update set high = greatest(c.high, excluded.high), low = least(c.low, excluded.low),
      close = excluded.close, token_volume = c.token_volume + excluded.token_volume,
      usdc_volume = c.usdc_volume + excluded.usdc_volume, swaps = c.swaps + excluded.swaps, tick = excluded.tick,
      since = excluded.since, cumulative = excluded.cumulative`.execute(tx)
}

/** The pool after the last swap of the minutes before this time; undefined before the first swap. */
export const findMarkBefore = (on: Reader, poolId: string, time: Date): Promise<Mark | undefined> =>
  one<Mark>(
    on,
    sql`select tick, since, cumulative from crt_candles where pool_id = ${poolId}
        and minute <= ${time}::timestamptz - interval '1 minute'
      order by minute desc limit 1`,
  )

/** Candles of whole intervals in which somebody swapped, newest first. */
export const listCandles = (
  on: Reader,
  of: { poolId: Hex; interval: string; since: Date; limit: number },
): Promise<Candle[]> =>
  all<Candle>(
    on,
    sql`select date_bin(${of.interval}::interval, minute, timestamptz '2000-01-01 00:00:00Z') as minute,
        (array_agg(open order by minute))[1] as open, max(high) as high, min(low) as low,
        (array_agg(close order by minute desc))[1] as close, sum(token_volume) as token_volume,
        sum(usdc_volume) as usdc_volume, sum(swaps)::integer as swaps
      from crt_candles where pool_id = ${of.poolId} and minute >= ${of.since}
      group by 1 order by 1 desc limit ${of.limit}`,
  )

/** Pools that no look has moved since this time: their job was lost, or waits long after a failure. */
export const listStalePools = async (on: Reader, before: Date): Promise<Hex[]> => {
  const rows = await all<{ poolId: Hex }>(
    on,
    sql`select pool_id from crt_pools where looked_at < ${before} order by pool_id`,
  )
  return rows.map(({ poolId }) => poolId)
}

/** The pools of these tokens. */
export const findPoolsOf = (
  on: Reader,
  of: { network: Network; tokens: readonly Address[] },
): Promise<(Pool & { token: Address })[]> =>
  all<Pool & { token: Address }>(
    on,
    sql`select m.token, ${POOL_OF_MARKET} from crt_markets m join crt_pools p on p.pool_id = m.pool_id
      where m.network = ${of.network} and m.token = any(${[...of.tokens]}::text[]) and m.state <> 'PREPARED'`,
  )
