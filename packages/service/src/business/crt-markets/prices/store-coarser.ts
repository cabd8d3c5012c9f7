import { all, one, type Reader, run, sql, type Tx } from '../../../base/db/sql.ts'
import type { Hex } from '../../../base/kernel/assets.ts'

/** Candles stay of minutes for a week, and of hours for ninety days, before the time that the pool was followed to. */
const KEPT = {
  hour: { column: sql.ref('hours_to'), days: 7 },
  day: { column: sql.ref('days_to'), days: 90 },
} as const
/** In the order in which candles become coarser. */
export const WIDTHS = ['hour', 'day'] as const
export type Width = (typeof WIDTHS)[number]
/** The days of a pool that one transaction merges: 43,200 candles of minutes at most. */
const DAYS_AT_ONCE = 30

/** Pools with candles that are to be of this width and are not yet, longest waiting first. */
export const listToCoarsen = async (on: Reader, width: Width, limit: number): Promise<Hex[]> => {
  const { column, days } = KEPT[width]
  const rows = await all<{ poolId: Hex }>(
    on,
    sql`select pool_id from crt_pools
      where ${column} < date_trunc('day', followed_to - make_interval(days => ${days}), 'UTC')
      order by ${column} limit ${limit}`,
  )
  return rows.map(({ poolId }) => poolId)
}

/**
 * Merges the next old candles of the pool into candles of this width. What is shown of those times in this width stays the
 * same; the follower never reads so far back. Returns how many there were. Repeated, it goes on where it ended.
 */
export async function coarsenPool(tx: Tx, poolId: Hex, width: Width): Promise<number> {
  const { column, days } = KEPT[width]
  const step = await one<{ begin: Date; end: Date }>(
    tx,
    sql`select ${column} as begin, least(date_trunc('day', followed_to - make_interval(days => ${days}), 'UTC'),
        ${column} + make_interval(days => ${DAYS_AT_ONCE}), case ${width} when 'day' then hours_to end) as end
      from crt_pools where pool_id = ${poolId} for update`,
  )
  if (!step || step.end <= step.begin) return 0
  const merged = await merge(tx, poolId, { ...step, width })
  await sql`update crt_pools set ${column} = ${step.end} where pool_id = ${poolId}`.execute(tx)
  return merged
}

const merge = (
  tx: Tx,
  poolId: Hex,
  { begin, end, width }: { begin: Date; end: Date; width: Width },
): Promise<number> =>
  run(
    tx,
    sql`with old as (
      delete from crt_candles where pool_id = ${poolId} and minute >= ${begin} and minute < ${end} returning *)
    insert into crt_candles (pool_id, minute, open, high, low, close, token_volume, usdc_volume, swaps, tick, since,
      cumulative)
    select pool_id, date_trunc(${width}, minute, 'UTC'), (array_agg(open order by minute))[1], max(high), min(low),
      (array_agg(close order by minute desc))[1], sum(token_volume), sum(usdc_volume), sum(swaps)::integer,
      (array_agg(tick order by minute desc))[1], max(since), (array_agg(cumulative order by minute desc))[1]
    from old group by 1, 2`,
  )
