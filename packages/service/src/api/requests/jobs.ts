import type { Task } from '../../base/jobs/worker.ts'
import { addHours } from '../../base/kernel/clock.ts'
import type { Services } from '../http/services.ts'
import { deleteOldRequests } from './store.ts'

/** For how long a request is in the log. */
export const KEPT_HOURS = 1
/** The most requests of one wallet in the log, but for those of the last minutes. */
export const KEPT_MOST = 1_000

export const requestTasks: Task<Services>[] = [
  {
    name: 'forget_requests',
    cron: '*/5 * * * *',
    handle: ({ db }, _, at) =>
      db.write((tx) => deleteOldRequests(tx, addHours(at, -KEPT_HOURS), KEPT_MOST)),
  },
]
