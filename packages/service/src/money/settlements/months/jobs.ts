import type { Services } from '../../../api/http/services.ts'
import type { Task } from '../../../base/jobs/worker.ts'
import { makeMonths } from './store.ts'

export const monthTasks: Task<Services>[] = [
  {
    name: 'make_months',
    cron: '11 * * * *',
    handle: ({ db }, _, at) => db.write((tx) => makeMonths(tx, at)),
  },
]
