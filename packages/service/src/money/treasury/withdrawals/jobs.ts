import type { Services } from '../../../api/http/services.ts'
import { handlerOf, type Task } from '../../../base/jobs/worker.ts'
import { addSeconds } from '../../../base/kernel/clock.ts'
import { LOOK_AGAIN_SECONDS } from '../../../chain/client/transfers/schedule.ts'
import { carryWithdrawals } from './carry.ts'
import { finishWithdrawal } from './finish.ts'
import type { OnFailure } from './outcome.ts'
import { findUnfinished } from './store.ts'
import { carryWithdrawalsTask, finishWithdrawalTask } from './tasks.ts'
import { carrySoon, finishLater } from './withdraw.ts'

/** A withdrawal without an end after this many seconds may have lost its job: an outage used up the job's attempts. */
const SWEEP_AFTER_SECONDS = 1800

/** The jobs that end withdrawals. `onFailure` undoes what rooms above did for one that fails. */
export const withdrawalTasks = (onFailure: OnFailure): Task<Services>[] => [
  handlerOf(carryWithdrawalsTask, {
    // The job queues itself while there is work. The schedule restarts it if it was lost.
    cron: '* * * * *',
    handle: async (services, _, at) => {
      if (await carryWithdrawals(services, at))
        await services.db.write((tx) => carrySoon(tx, LOOK_AGAIN_SECONDS))
    },
  }),
  handlerOf(finishWithdrawalTask, {
    handle: async (services, payload, at) => {
      const id = payload.withdrawal_id
      const looks = (payload.looks ?? 0) + 1
      if (await finishWithdrawal(services, at, { id, onFailure })) return
      await services.db.write((tx) => finishLater(tx, { id, looks }))
    },
  }),
  {
    name: 'sweep_withdrawals',
    cron: '*/30 * * * *',
    handle: async ({ db }, _, at) => {
      const ids = await findUnfinished(db.reader, addSeconds(at, -SWEEP_AFTER_SECONDS))
      await db.write(async (tx) => {
        for (const id of ids) await finishLater(tx, { id, looks: 0 })
      })
    },
  },
]
