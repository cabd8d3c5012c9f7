import type { Services } from '../../api/http/services.ts'
import { enqueueMany } from '../../base/jobs/queue.ts'
import { handlerOf, type Task } from '../../base/jobs/worker.ts'
import type { Address } from '../../base/kernel/assets.ts'
import { reach } from '../../base/kernel/fault-points.ts'
import { pullEnded } from '../../money/pulls/tasks.ts'
import { endPeriod } from './renewal/end-period.ts'
import { finishCharge } from './renewal/finish-charge.ts'
import { houseOf } from './state/state.ts'
import { findDue } from './store.ts'
import { endPeriodTask } from './tasks.ts'

const DUE_AT_ONCE = 256

export const membershipTasks: Task<Services>[] = [
  {
    name: 'find_due_memberships',
    cron: '* * * * *',
    handle: async ({ db }, _, at) => {
      const wallets = await findDue(db.reader, at, DUE_AT_ONCE)
      await db.write((tx) =>
        enqueueMany(
          tx,
          endPeriodTask,
          wallets.map((wallet) => ({ wallet: wallet as Address })),
        ),
      )
    },
  },
  handlerOf(endPeriodTask, {
    async handle(services, { wallet }, at) {
      await services.db.write(async (tx) => {
        await endPeriod(tx, at, { walletAddress: wallet, house: houseOf(services) })
        reach('membership.before_renew')
      })
      reach('membership.after_renew')
    },
  }),
  handlerOf(pullEnded, {
    async handle(services, { charge_id: chargeId }, at) {
      await services.db.write(async (tx) => {
        await finishCharge(tx, at, { chargeId, house: houseOf(services) })
        reach('membership.before_pulled')
      })
      reach('membership.after_pulled')
    },
  }),
]
