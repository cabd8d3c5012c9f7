import type { Services } from '../../api/http/services.ts'
import type { Tx } from '../../base/db/sql.ts'
import { enqueueMany } from '../../base/jobs/queue.ts'
import { handlerOf, type Task } from '../../base/jobs/worker.ts'
import { addSeconds } from '../../base/kernel/clock.ts'
import { LOOK_AGAIN_SECONDS } from '../../chain/client/transfers/schedule.ts'
import { lookAtResources } from './discovery/look.ts'
import { confirmSoon, resumeSoon } from './settle/claim.ts'
import { confirmLater, confirmMany, confirmSettlement } from './settle/confirm.ts'
import { resumeCarrying } from './settle/settle.ts'
import { findSettlement, findSettling, hasSettling } from './store.ts'
import {
  confirmSettlementsTask,
  confirmSettlementTask,
  finishSettlementTask,
  lookAtResourcesTask,
  resumeSettlementsTask,
} from './tasks.ts'

/** A settlement without an end for longer than this, in seconds, has lost its caller or is pending. */
const STILL_SECONDS = 15

export const facilitatorTasks: Task<Services>[] = [
  handlerOf(finishSettlementTask, {
    handle: async (services, { id }, at) => {
      const settlement = await findSettlement(services.db.reader, id)
      if (settlement?.state !== 'settling') return
      const outcome = await resumeCarrying(services, at, { settlement, asker: 'nobody' })
      if (outcome.kind === 'pending')
        await services.db.write((tx) => finishLater(tx, [id], LOOK_AGAIN_SECONDS))
    },
  }),
  handlerOf(resumeSettlementsTask, {
    // The job enqueues itself while settlements are left; the cron is for when it got lost.
    cron: '* * * * *',
    handle: async ({ db }, _, at) => {
      const rows = await findSettling(db.reader, addSeconds(at, -STILL_SECONDS))
      await db.write(async (tx) => {
        await finishLater(
          tx,
          rows.map(({ id }) => id),
          0,
        )
        if (await hasSettling(tx)) await resumeSoon(tx, STILL_SECONDS)
      })
    },
  }),
  handlerOf(confirmSettlementsTask, {
    cron: '* * * * *',
    handle: async ({ db }) => {
      await db.write(async (tx) => {
        if (await confirmMany(tx)) await confirmSoon(tx)
      })
    },
  }),
  handlerOf(lookAtResourcesTask, {
    // For stale listings, and for when a job got lost.
    cron: '*/5 * * * *',
    handle: (services, _, at) => lookAtResources(services, at),
  }),
  handlerOf(confirmSettlementTask, {
    handle: async (services, { id, looks = 0 }) => {
      if (await confirmSettlement(services, id)) return
      await services.db.write((tx) => confirmLater(tx, [id], looks + 1))
    },
  }),
]

const finishLater = (tx: Tx, ids: string[], delaySeconds: number): Promise<void> =>
  enqueueMany(
    tx,
    finishSettlementTask,
    ids.map((id) => ({ id })),
    { delaySeconds },
  )
