import type { Task } from '../../../base/jobs/worker.ts'
import { addHours } from '../../../base/kernel/clock.ts'
import { deleteEvents } from '../../events/place.ts'
import type { Services } from '../../http/services.ts'
import { deletePayloads } from './store.ts'

/** Rows of one transaction: it holds no lock for long. */
const BATCH = 2_000

export const webhookTasks: Task<Services>[] = [
  {
    name: 'webhook_retention',
    cron: '41 3 * * *',
    handle: async ({ db, settings }, _, at) => {
      const { webhooks, eventDays } = settings
      const before = (days: number): Date => addHours(at, -24 * days)
      const { bodyDays } = webhooks
      if (bodyDays !== null)
        while ((await db.write((tx) => deletePayloads(tx, before(bodyDays), BATCH))) === BATCH);
      if (eventDays !== null)
        while ((await db.write((tx) => deleteEvents(tx, before(eventDays), BATCH))) === BATCH);
    },
  },
]
