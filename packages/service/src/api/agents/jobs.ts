import type { Task } from '../../base/jobs/worker.ts'
import type { Services } from '../http/services.ts'
import { deleteExpiredNonces } from './store.ts'

export const agentTasks: Task<Services>[] = [
  {
    name: 'forget_agent_nonces',
    cron: '23 * * * *',
    handle: async ({ db }, _, at) => {
      await db.write((tx) => deleteExpiredNonces(tx, at))
    },
  },
]
