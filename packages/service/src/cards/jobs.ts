import type { Services } from '../http/services.ts'
import { enqueue } from '../jobs/queue.ts'
import type { Task } from '../jobs/worker.ts'
import { addSeconds } from '../kernel/clock.ts'
import { expireCard } from './controls/own-card.ts'
import { activateCard } from './issue/pay-and-issue.ts'
import { findExpired, findWaiting } from './store.ts'

/** A card that waits longer than this has lost its job, or its job waits after failures. */
const STILL_SECONDS = 60

export const cardTasks: Task<Services>[] = [
  {
    name: 'activate_card',
    handle: (services, payload, at) => activateCard(services, at, String(payload.cardId)),
  },
  {
    name: 'maintain_pending_cards',
    cron: '* * * * *',
    handle: async ({ db }, _, at) => {
      const ids = await findWaiting(db.reader, addSeconds(at, -STILL_SECONDS))
      await db.write(async (tx) => {
        for (const id of ids)
          await enqueue(tx, 'activate_card', { cardId: id }, { key: `activate_card:${id}` })
      })
    },
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
