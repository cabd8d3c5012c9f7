import type { Services } from '../../../api/http/services.ts'
import type { Tx } from '../../../base/db/sql.ts'
import { enqueueMany } from '../../../base/jobs/queue.ts'
import { handlerOf, type Task } from '../../../base/jobs/worker.ts'
import { addSeconds } from '../../../base/kernel/clock.ts'
import type { Id } from '../../../base/kernel/ids.ts'
import { LOOK_AGAIN_SECONDS } from '../../../chain/client/transfers/schedule.ts'
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
  handlerOf(finishDepositTask, {
    handle: async (services, payload, at) => {
      const funding = await finishAuthorization(services, at, payload.id)
      if (funding.status === 'confirmed') return
      await services.db.write((tx) => finishLater(tx, [payload.id], LOOK_AGAIN_SECONDS))
    },
  }),
  {
    name: 'sweep_deposits',
    cron: '* * * * *',
    handle: async ({ db }, _, at) => {
      const ids = await findSending(db.reader, addSeconds(at, -STILL_SECONDS))
      await db.write((tx) => finishLater(tx, ids, 0))
    },
  },
]

const finishLater = (tx: Tx, ids: Id<'dep'>[], delaySeconds: number): Promise<void> =>
  enqueueMany(
    tx,
    finishDepositTask,
    ids.map((id) => ({ id })),
    { delaySeconds },
  )
