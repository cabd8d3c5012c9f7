import type { Services } from '../../api/http/services.ts'
import { enqueue, enqueueMany } from '../../base/jobs/queue.ts'
import { handlerOf, type Task } from '../../base/jobs/worker.ts'
import { addSeconds } from '../../base/kernel/clock.ts'
import { secondsToNextLook } from '../../chain/client/transfers/schedule.ts'
import { carryPull } from './carry.ts'
import { findOpenPulls } from './store.ts'
import { carryPullTask } from './tasks.ts'

/** A pull without an end after this many seconds may have lost its job: an outage used up the job's attempts. */
const SWEEP_AFTER_SECONDS = 1800

export const pullTasks: Task<Services>[] = [
  handlerOf(carryPullTask, {
    handle: async (services, { charge_id, looks = 0 }, at) => {
      if (await carryPull(services, at, charge_id)) return
      const delaySeconds = secondsToNextLook(looks)
      await services.db.write((tx) =>
        enqueue(tx, carryPullTask, { charge_id, looks: looks + 1 }, { delaySeconds }),
      )
    },
  }),
  {
    name: 'sweep_pulls',
    cron: '*/30 * * * *',
    handle: async ({ db }, _, at) => {
      const ids = await findOpenPulls(db.reader, addSeconds(at, -SWEEP_AFTER_SECONDS))
      await db.write((tx) =>
        enqueueMany(
          tx,
          carryPullTask,
          ids.map((charge_id) => ({ charge_id })),
        ),
      )
    },
  },
]
