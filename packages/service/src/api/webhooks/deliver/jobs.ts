import { DAY, forgetTask, type Kept, keptRows } from '../../../base/jobs/kept.ts'
import type { Task } from '../../../base/jobs/worker.ts'
import { deleteEvents } from '../../events/place.ts'
import type { Services } from '../../http/services.ts'
import type { Settings } from '../../http/settings.ts'

const daysOf = (days: number | null): number | null => (days === null ? null : days * DAY)

/** The deliveries of a body stay in the log. */
export const keptBodies: Kept<Pick<Settings, 'webhooks'>> = {
  kind: 'webhook_bodies',
  what: 'bodies of webhook deliveries',
  setting: 'PURSER_WEBHOOK_BODY_DAYS',
  since: 'the event',
  seconds: ({ webhooks }) => daysOf(webhooks.bodyDays),
  ...keptRows({ table: 'webhook_payloads', column: 'created_at' }),
}

/** Events of settlements have no rows: the task hides them instead. */
export const keptEvents: Kept<Pick<Settings, 'eventDays'>> = {
  kind: 'events',
  what: 'events of the feed, and those of settlements',
  setting: 'PURSER_EVENT_DAYS',
  since: 'the event',
  seconds: ({ eventDays }) => daysOf(eventDays),
  ...keptRows({ table: 'events', column: 'created_at' }),
  remove: deleteEvents,
}

export const webhookTasks: Task<Services>[] = [
  forgetTask<Pick<Settings, 'webhooks' | 'eventDays'>, Services>(
    { name: 'webhook_retention', cron: '41 3 * * *' },
    [keptBodies, keptEvents],
  ),
]
