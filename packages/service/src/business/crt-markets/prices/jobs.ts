import type { Services, Uses } from '../../../api/http/services.ts'
import { enqueue, enqueueMany, PRIORITY_LATER } from '../../../base/jobs/queue.ts'
import type { TimeColumn } from '../../../base/jobs/set-back.ts'
import { handlerOf, type Task } from '../../../base/jobs/worker.ts'
import type { Hex } from '../../../base/kernel/assets.ts'
import { addSeconds } from '../../../base/kernel/clock.ts'
import { isFirst } from '../../../base/protocols/uniswap/pool-key.ts'
import { throughBestNode } from '../../../chain/client/best-node.ts'
import { readSwaps } from '../../../chain/client/markets/swaps.ts'
import { readBlock } from '../../../chain/client/reads.ts'
import { mustHaveMarkets } from '../available.ts'
import { moneyOf } from '../money.ts'
import { findMarket } from '../store.ts'
import { foldSwaps } from './fold.ts'
import {
  addCandles,
  findPool,
  listStalePools,
  type MinuteCandle,
  movePool,
  type Pool,
} from './store.ts'
import { coarsenPool, listToCoarsen, WIDTHS } from './store-coarser.ts'
import { coarsenCandlesTask, followSwapsTask, keepFollowingTask } from './tasks.ts'

/** The most blocks in one question. */
const RANGE_BLOCKS = 2_000n
/** Seconds between two looks at a pool: the first after a swap, twice as many after each look without one. */
const PAUSES = { embedded: { least: 1, most: 4 }, public: { least: 10, most: 300 } }
const STALE_SECONDS = 900
const QUIET_MOST = 16
/** Pools whose candles one run merges, each in a transaction of its own: 400 an hour keep up with 9,600. */
const COARSENED_AT_ONCE = 400

/**
 * Reads the pool's swaps up to the safe block, and writes candles and cursor in one transaction. No reorganization reaches
 * those blocks, so nothing is ever taken back.
 */
export async function followPool(given: Services, at: Date, poolId: Hex): Promise<void> {
  const v4 = await mustHaveMarkets(given)
  const services = { ...given, chain: await throughBestNode(given.chain) }
  const { chain, db } = services
  const pool = await findPool(db.reader, poolId)
  const market = pool && (await findMarket(db.reader, pool.cardId))
  if (!pool || !market) return
  const quietLooks = Math.min(pool.quietLooks + 1, QUIET_MOST)
  const safe = await readBlock(chain, 'safe')
  const from = pool.block + 1n
  if (safe.number < from) return saveLook(services, at, { pool: { ...pool, quietLooks } })
  const most = from + RANGE_BLOCKS - 1n
  const range = { from, to: safe.number < most ? safe.number : most }
  const { to, swaps } = await readSwaps(chain, v4, { poolId, range })
  const side = { isFirst: isFirst(market.token, moneyOf(chain).contract) }
  const folded = foldSwaps(pool, swaps, side)
  const moved = {
    ...folded.pool,
    block: to.number,
    followedTo: new Date(to.time * 1000),
    quietLooks: swaps.length > 0 ? 0 : quietLooks,
  }
  const { candles } = folded
  await saveLook(services, at, { pool: moved, candles, isBehind: to.number < safe.number })
}

type Look = { pool: Pool; candles?: MinuteCandle[]; isBehind?: boolean }

/** Writes what a look has seen and queues the next, unless another look was quicker: then that one has. */
const saveLook = (services: Services, at: Date, { pool, candles, isBehind }: Look): Promise<void> =>
  services.db.write(async (tx) => {
    if (!(await movePool(tx, at, pool))) return
    await addCandles(tx, pool.poolId, candles ?? [])
    const delaySeconds = isBehind ? 0 : pauseOf(services, pool.quietLooks)
    await enqueue(
      tx,
      followSwapsTask,
      { pool_id: pool.poolId },
      { delaySeconds, priority: PRIORITY_LATER },
    )
  })

function pauseOf({ settings }: Uses<'settings'>, quietLooks: number): number {
  const { least, most } = settings.embeddedRpcUrl === null ? PAUSES.public : PAUSES.embedded
  return Math.min(most, least * 2 ** quietLooks)
}

/** Merges old candles of some pools. What is left waits for the next run; a crash loses a pool's step, not its candles. */
export async function coarsenCandles({ db }: Services): Promise<void> {
  for (const width of WIDTHS)
    for (const poolId of await listToCoarsen(db.reader, width, COARSENED_AT_ONCE))
      await db.write((tx) => coarsenPool(tx, poolId, width))
}

export const priceTasks: Task<Services>[] = [
  handlerOf(followSwapsTask, {
    handle: (services, { pool_id }, at) => followPool(services, at, pool_id),
  }),
  handlerOf(coarsenCandlesTask, { cron: '23 * * * *', handle: coarsenCandles }),
  handlerOf(keepFollowingTask, {
    cron: '*/10 * * * *',
    handle: async ({ db }, _, at) => {
      const pools = await listStalePools(db.reader, addSeconds(at, -STALE_SECONDS))
      await db.write((tx) =>
        enqueueMany(
          tx,
          followSwapsTask,
          pools.map((pool_id) => ({ pool_id })),
          { priority: PRIORITY_LATER },
        ),
      )
    },
  }),
]

export const priceTimes: readonly TimeColumn[] = [{ table: 'crt_pools', column: 'looked_at' }]
