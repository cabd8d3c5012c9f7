import type { Services } from '../../api/http/services.ts'
import { enqueueMany } from '../../base/jobs/queue.ts'
import { handlerOf, type Task } from '../../base/jobs/worker.ts'
import { addSeconds } from '../../base/kernel/clock.ts'
import { expireOverdue } from './approvals/expire.ts'
import { expireCard } from './controls/own-card.ts'
import { activateCard } from './issue/pay-and-issue.ts'
import { findExpired, findWaiting } from './store.ts'
import { activateCardTask } from './tasks.ts'

/** A card that waits longer than this has lost its job, or its job waits after failures. */
const STILL_SECONDS = 60

export const cardTasks: Task<Services>[] = [
  handlerOf(activateCardTask, {
    costs: { statements: 6, rpc: 2 },
    handle: (services, { cardId }, at) => activateCard(services, at, cardId),
  }),
  {
    name: 'maintain_pending_cards',
    cron: '* * * * *',
    handle: async ({ db }, _, at) => {
      const ids = await findWaiting(db.reader, addSeconds(at, -STILL_SECONDS))
      const payloads = ids.map((cardId) => ({ cardId }))
      await db.write((tx) => enqueueMany(tx, activateCardTask, payloads))
    },
  },
  {
    name: 'expire_approvals',
    cron: '* * * * *',
    handle: async ({ db, chain }, _, at) => {
      await db.write((tx) => expireOverdue(tx, at, chain))
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
