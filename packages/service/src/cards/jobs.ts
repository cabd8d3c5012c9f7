import type { Services } from '../http/services.ts'
import type { Task } from '../jobs/worker.ts'
import { expireCard } from './change.ts'
import { activateCard } from './pay-and-issue.ts'
import { findExpired } from './store.ts'

export const cardTasks: Task<Services>[] = [
  {
    name: 'activate_card',
    handle: (services, payload, at) => activateCard(services, at, String(payload.cardId)),
  },
  {
    name: 'expire_cards',
    cron: '* * * * *',
    handle: async ({ db }, _, at) => {
      for (const id of await findExpired(db.reader, at))
        await db.write((tx) => expireCard(tx, at, id))
    },
  },
]
