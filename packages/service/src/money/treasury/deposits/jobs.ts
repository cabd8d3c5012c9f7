import type { Services } from '../../../api/http/services.ts'
import { handlerOf, type Task } from '../../../base/jobs/worker.ts'
import { lookTask, sweepTask } from '../../../chain/transfers/tasks.ts'
import { finishAuthorization } from './finish-authorization.ts'
import { findSending } from './store.ts'
import { creditDepositTask, finishDepositTask } from './tasks.ts'
import { verifyDeposit } from './verify.ts'

/** A deposit older than this without an end, in seconds, may have lost its job, or its job waits after failures. */
const STILL_SECONDS = 60

export const fundingTasks: Task<Services>[] = [
  handlerOf(creditDepositTask, {
    handle: async (services, payload, at) => {
      // A pending deposit queues its own job again.
      await verifyDeposit(services, at, payload)
    },
  }),
  lookTask(finishDepositTask, async (services: Services, at, { id }) => {
    const { status } = await finishAuthorization(services, at, id)
    return status === 'confirmed'
  }),
  sweepTask({
    name: 'sweep_deposits',
    cron: '* * * * *',
    task: finishDepositTask,
    seconds: STILL_SECONDS,
    find: findSending,
    payloadOf: (id) => ({ id }),
  }),
]
