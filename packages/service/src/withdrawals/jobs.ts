import type { Tx } from '../db/sql.ts'
import type { Services } from '../http/services.ts'
import { enqueue } from '../jobs/queue.ts'
import type { Task } from '../jobs/worker.ts'
import { addSeconds } from '../kernel/clock.ts'
import { finishWithdrawal } from './finish.ts'
import { findUnfinished } from './store.ts'
import { FINISH_TASK, finishKey } from './withdraw.ts'

/** Seconds to the next look at the chain: each waits longer, as a safe block on Base is minutes old. */
const LOOK_FIRST_SECONDS = 2
const LOOK_LAST_SECONDS = 60
/** A withdrawal older than this without an end, in seconds, may have lost its job: its tries used up by an outage. */
const SWEEP_AFTER_SECONDS = 1800

export const withdrawalTasks: Task<Services>[] = [
  {
    name: FINISH_TASK,
    handle: async (services, payload, at) => {
      const id = String(payload.withdrawal_id)
      const looks = Number(payload.looks ?? 0) + 1
      if (await finishWithdrawal(services, at, id)) return
      await services.db.write((tx) => lookAgain(tx, { id, looks }))
    },
  },
  {
    name: 'sweep_withdrawals',
    cron: '*/30 * * * *',
    handle: async ({ db }, _, at) => {
      const ids = await findUnfinished(db.reader, addSeconds(at, -SWEEP_AFTER_SECONDS))
      await db.write(async (tx) => {
        for (const id of ids) await lookAgain(tx, { id, looks: 0 })
      })
    },
  },
]

const lookAgain = (tx: Tx, look: { id: string; looks: number }): Promise<void> =>
  enqueue(
    tx,
    FINISH_TASK,
    { withdrawal_id: look.id, looks: look.looks },
    {
      key: finishKey(look.id),
      delaySeconds: Math.min(LOOK_FIRST_SECONDS * look.looks, LOOK_LAST_SECONDS),
    },
  )
