import { secondsToNextLook } from '../chain/transfers/schedule.ts'
import type { Services } from '../http/services.ts'
import { enqueue } from '../jobs/queue.ts'
import { handlerOf, type Task } from '../jobs/worker.ts'
import { carryIdentity } from './carry.ts'
import { carryIdentityTask } from './tasks.ts'

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
]
