import type { Task } from '../../base/jobs/worker.ts'
import type { Services } from '../http/services.ts'
import { deleteExpired } from './store.ts'

export const keyTasks: Task<Services>[] = [
  {
    name: 'forget_expired_sign_ins',
    cron: '*/10 * * * *',
    handle: ({ db }, _, at) => db.write((tx) => deleteExpired(tx, at)),
  },
]
