import type { Services } from '../http/services.ts'
import type { Task } from '../jobs/worker.ts'
import { endStream } from './close.ts'
import { findOverdue } from './store.ts'

export const streamTasks: readonly Task<Services>[] = [
  {
    name: 'expire_streams',
    cron: '* * * * *',
    handle: async ({ db, chain: { asset } }, _, at) => {
      for (const id of await findOverdue(db.reader, at))
        await db.write((tx) => endStream(tx, at, { asset, id, status: 'EXPIRED' }))
    },
  },
]
