import type { Services } from '../../api/http/services.ts'
import { enqueue } from '../../base/jobs/queue.ts'
import { handlerOf, type Task } from '../../base/jobs/worker.ts'
import { addSeconds, utcDay } from '../../base/kernel/clock.ts'
import { secondsToNextLook } from '../../chain/client/transfers/schedule.ts'
import { carryIdentity } from './on-chain/carry.ts'
import { carryAll, watchIdentities } from './on-chain/watch.ts'
import { findOpenIdentities, forgetRations } from './store.ts'
import { carryIdentityTask } from './tasks.ts'

/** An identity on its way that no job has looked at for so long has lost its own: an outage used up its attempts. */
const LOST_SECONDS = 1_800
const RATION_SECONDS = 7 * 86_400

export const identityTasks: Task<Services>[] = [
  handlerOf(carryIdentityTask, {
    handle: async (services, { card_id, looks = 0 }, at) => {
      if (await carryIdentity(services, at, card_id)) return
      const delaySeconds = secondsToNextLook(looks)
      await services.db.write((tx) =>
        enqueue(tx, carryIdentityTask, { card_id, looks: looks + 1 }, { delaySeconds }),
      )
    },
  }),
  {
    name: 'watch_identities',
    cron: '* * * * *',
    handle: watchIdentities,
  },
  {
    name: 'sweep_identities',
    cron: '*/10 * * * *',
    handle: async ({ db }, _, at) => {
      const lost = await findOpenIdentities(db.reader, addSeconds(at, -LOST_SECONDS))
      await db.write((tx) => carryAll(tx, at, lost))
    },
  },
  {
    name: 'forget_identity_rations',
    cron: '17 4 * * *',
    handle: async ({ db }, _, at) => {
      await db.write((tx) => forgetRations(tx, utcDay(addSeconds(at, -RATION_SECONDS))))
    },
  },
]
