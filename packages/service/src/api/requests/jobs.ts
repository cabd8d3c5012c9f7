import { forgetTask, HOUR, type Kept, keptRows } from '../../base/jobs/kept.ts'
import type { Task } from '../../base/jobs/worker.ts'
import type { Services } from '../http/services.ts'
import { deleteCrowded } from './store.ts'

/** For how long a request is in the log. */
export const KEPT_HOURS = 1
/** The most requests of one wallet in the log, but for those of the last minutes. */
export const KEPT_MOST = 1_000

export const keptRequests: Kept<unknown> = {
  kind: 'request_log',
  what: 'requests in the log of their wallet',
  since: 'the request',
  seconds: () => KEPT_HOURS * HOUR,
  ...keptRows({ table: 'request_log', column: 'created_at' }),
}
const old = forgetTask<unknown, Services>({ name: 'forget_requests', cron: '*/5 * * * *' }, [
  keptRequests,
])

export const requestTasks: Task<Services>[] = [
  {
    ...old,
    async handle(services, payload, at) {
      await old.handle(services, payload, at)
      await services.db.write((tx) => deleteCrowded(tx, KEPT_MOST))
    },
  },
]
