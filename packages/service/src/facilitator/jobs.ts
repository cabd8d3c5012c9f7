import type { Tx } from '../db/sql.ts'
import type { Services } from '../http/services.ts'
import { enqueue } from '../jobs/queue.ts'
import type { Task } from '../jobs/worker.ts'
import { addSeconds } from '../kernel/clock.ts'
import { CONFIRM_MANY_TASK, confirmSoon, RESUME_TASK, resumeSoon } from './settle/claim.ts'
import { CONFIRM_TASK, confirmLater, confirmMany, confirmSettlement } from './settle/confirm.ts'
import { LOOK_TASK, lookAtResources } from './settle/look.ts'
import { resumeCarrying } from './settle/settle.ts'
import { findSettlement, findSettling, hasSettling } from './store.ts'

const FINISH_TASK = 'finish_x402_settlement'
const RETRY_SECONDS = 3
/** A settlement that stands still longer than this, in seconds, has lost its caller or is pending. */
const STILL_SECONDS = 15

export const facilitatorTasks: Task<Services>[] = [
  {
    name: FINISH_TASK,
    handle: async (services, payload, at) => {
      const id = String(payload.id)
      const settlement = await findSettlement(services.db.reader, id)
      if (settlement?.state !== 'settling') return
      const outcome = await resumeCarrying(services, at, { settlement, asker: 'nobody' })
      if (outcome.kind === 'pending')
        await services.db.write((tx) => finishLater(tx, id, RETRY_SECONDS))
    },
  },
  {
    name: RESUME_TASK,
    // It puts itself in the queue while there is something to do; this is for when that was lost.
    cron: '* * * * *',
    handle: async ({ db }, _, at) => {
      const rows = await findSettling(db.reader, addSeconds(at, -STILL_SECONDS))
      await db.write(async (tx) => {
        for (const { id } of rows) await finishLater(tx, id, 0)
        if (await hasSettling(tx)) await resumeSoon(tx, STILL_SECONDS)
      })
    },
  },
  {
    name: CONFIRM_MANY_TASK,
    cron: '* * * * *',
    handle: async ({ db }) => {
      await db.write(async (tx) => {
        if (await confirmMany(tx)) await confirmSoon(tx)
      })
    },
  },
  {
    name: LOOK_TASK,
    // For what has grown stale, and when a job was lost.
    cron: '*/5 * * * *',
    handle: (services, _, at) => lookAtResources(services, at),
  },
  {
    name: CONFIRM_TASK,
    handle: async (services, payload) => {
      const id = String(payload.id)
      if (await confirmSettlement(services, id)) return
      await services.db.write((tx) => confirmLater(tx, id, Number(payload.looks ?? 0) + 1))
    },
  },
]

const finishLater = (tx: Tx, id: string, delaySeconds: number): Promise<void> =>
  enqueue(tx, FINISH_TASK, { id }, { delaySeconds, key: `finish_x402:${id}` })
