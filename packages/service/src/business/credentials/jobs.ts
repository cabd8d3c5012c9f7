import type { Services } from '../../api/http/services.ts'
import type { Task } from '../../base/jobs/worker.ts'
import { addHours, utcDay } from '../../base/kernel/clock.ts'
import { deleteOldLookups } from './store.ts'

export const credentialTasks: Task<Services>[] = [
  {
    name: 'forget_credential_lookups',
    cron: '23 2 * * *',
    handle: async ({ db }, _, at) => {
      await db.write((tx) => deleteOldLookups(tx, utcDay(addHours(at, -24 * 7))))
    },
  },
]
