import { expect, test } from 'vitest'
import { marketKit } from '../../../../test/actors/markets/market-kit.ts'
import { type World, world } from '../../../../test/world.ts'
import { all, sql } from '../../../base/db/sql.ts'
import type { Hex } from '../../../base/kernel/assets.ts'
import { coarsenCandles } from './jobs.ts'
import { addCandles, type Candle, listCandles, type MinuteCandle } from './store.ts'

const DAY_MS = 86_400_000
/** Candles of minutes a day, two an hour. */
const A_DAY = 48

/** Swaps in some minutes of each of these days, with prices of all sorts. */
function candlesOf(from: Date, days: number): MinuteCandle[] {
  return Array.from({ length: days * A_DAY }, (_, i) => {
    const minute = new Date(from.getTime() + (i * DAY_MS) / A_DAY + ((i * 7) % 5) * 60_000)
    const [open, close] = [BigInt(1_000 + ((i * 37) % 211)), BigInt(1_000 + ((i * 53) % 199))]
    const most = open > close ? open : close
    return {
      minute,
      open,
      close,
      high: most + BigInt(i % 9),
      low: open + close - most - BigInt(i % 7),
      tokenVolume: BigInt(i + 1) * 10n ** 18n,
      usdcVolume: BigInt(i + 1) * 1_000n,
      swaps: (i % 3) + 1,
      tick: i,
      since: new Date(minute.getTime() + 30_000),
      cumulative: BigInt(i) * 1_000n,
    }
  })
}

/** A live pool that was listed so many days ago, with candles since, as the follower would have left it. */
async function oldPool(w: World, days: number): Promise<{ poolId: Hex; from: Date }> {
  const kit = marketKit(w)
  const { prepared } = await kit.launch(await w.user(), { keep_bps: 0 })
  const poolId = prepared.pool_id
  const from = new Date(Math.floor(w.now().getTime() / DAY_MS - days) * DAY_MS)
  await w.db.write(async (tx) => {
    await addCandles(tx, poolId, candlesOf(from, days))
    await sql`update crt_pools set hours_to = ${from}, days_to = ${from}, followed_to = ${w.now()}
      where pool_id = ${poolId}`.execute(tx)
  })
  return { poolId, from }
}

test('old candles become of hours, then of days, and what is shown stays the same', async () => {
  await using w = await world()
  const { poolId, from } = await oldPool(w, 120)
  const shown = (interval: string, since: Date): Promise<Candle[]> =>
    listCandles(w.db.reader, { poolId, interval, since, limit: 1_000 })
  const rows = () => all(w.db.reader, sql`select 1 from crt_candles where pool_id = ${poolId}`)
  const ago = (days: number) => new Date(from.getTime() + (120 - days) * DAY_MS)
  const all3 = () =>
    Promise.all([shown('1 day', from), shown('1 hour', ago(90)), shown('1 minute', ago(6))])
  const before = await all3()
  expect((await rows()).length).toBe(120 * A_DAY)
  // Steps of thirty days, two workers at once.
  for (let i = 0; i < 5; i++)
    await Promise.all([coarsenCandles(w.services), coarsenCandles(w.services)])
  expect(await all3()).toEqual(before)
  expect((await rows()).length).toBe(30 + 83 * 24 + 7 * A_DAY)
  const left = await all<{ days: number }>(
    w.db.reader,
    sql`select 1 from crt_pools where pool_id = ${poolId} and hours_to < ${ago(7)}`,
  )
  expect(left).toEqual([])
})

test('a pool that nobody has followed for long keeps the marks that its average needs', async () => {
  await using w = await world()
  const { poolId, from } = await oldPool(w, 30)
  // The follower stands where it stood twenty days ago.
  const followedTo = new Date(from.getTime() + 10 * DAY_MS)
  await w.db.write((tx) =>
    sql`update crt_pools set followed_to = ${followedTo} where pool_id = ${poolId}`.execute(tx),
  )
  const minutes = () =>
    all(
      w.db.reader,
      sql`select minute, tick, since, cumulative from crt_candles where pool_id = ${poolId}
        and minute >= ${new Date(followedTo.getTime() - 7 * DAY_MS)} order by minute`,
    )
  const before = await minutes()
  await coarsenCandles(w.services)
  expect(await minutes()).toEqual(before)
})
