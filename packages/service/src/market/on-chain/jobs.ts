import { secondsToNextLook } from '../../chain/transfers/schedule.ts'
import type { Services } from '../../http/services.ts'
import { enqueue, enqueueMany } from '../../jobs/queue.ts'
import { handlerOf, type Task } from '../../jobs/worker.ts'
import { addSeconds } from '../../kernel/clock.ts'
import { carrySale } from './sale/carry.ts'
import { findOpenSales } from './store.ts'
import { finishSaleTask } from './tasks.ts'

/** A job looks more often than this. */
const LOST_SECONDS = 600

export const onChainSaleTasks: Task<Services>[] = [
  handlerOf(finishSaleTask, {
    handle: async (services, { listing_id, looks = 0 }, at) => {
      if (await carrySale(services, at, listing_id)) return
      const delaySeconds = secondsToNextLook(looks)
      await services.db.write((tx) =>
        enqueue(tx, finishSaleTask, { listing_id, looks: looks + 1 }, { delaySeconds }),
      )
    },
  }),
  {
    // Sales whose job was lost, as by the restore of a backup.
    name: 'find_open_sales',
    cron: '*/5 * * * *',
    handle: async ({ db }, _, at) => {
      const open = await findOpenSales(db.reader, addSeconds(at, -LOST_SECONDS))
      await db.write((tx) =>
        enqueueMany(
          tx,
          finishSaleTask,
          open.map((listing_id) => ({ listing_id })),
        ),
      )
    },
  },
]
