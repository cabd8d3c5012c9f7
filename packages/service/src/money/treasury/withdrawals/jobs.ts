import type { Services } from '../../../api/http/services.ts'
import { forgetTask } from '../../../base/jobs/kept.ts'
import { handlerOf, type Task } from '../../../base/jobs/worker.ts'
import { LOOK_AGAIN_SECONDS } from '../../../chain/transfers/reads/schedule.ts'
import { lookTask, sweepTask } from '../../../chain/transfers/tasks.ts'
import { beginApproved } from './approval/begin.ts'
import { carryWithdrawals } from './carry.ts'
import { finishWithdrawal } from './finish.ts'
import type { OnFailure } from './outcome.ts'
import { keptAddresses } from './safety/store-addresses.ts'
import { findUnfinished } from './store.ts'
import { beginApprovedTask, carryWithdrawalsTask, finishWithdrawalTask } from './tasks.ts'
import { carrySoon } from './withdraw.ts'

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
  handlerOf(beginApprovedTask, {
    // The treasury may sign in a minute what it may not sign now.
    cron: '* * * * *',
    handle: (services, _, at) => beginApproved(services, at),
  }),
  lookTask(finishWithdrawalTask, (services: Services, at, { withdrawal_id: id }) =>
    finishWithdrawal(services, at, { id, onFailure }),
  ),
  sweepTask({
    name: 'sweep_withdrawals',
    cron: '*/30 * * * *',
    task: finishWithdrawalTask,
    seconds: SWEEP_AFTER_SECONDS,
    find: findUnfinished,
    payloadOf: (withdrawal_id) => ({ withdrawal_id }),
  }),
  forgetTask({ name: 'forget_payout_addresses', cron: '53 3 * * *' }, [keptAddresses]),
]
