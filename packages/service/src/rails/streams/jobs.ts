import type { Services } from '../../api/http/services.ts'
import type { Task } from '../../base/jobs/worker.ts'
import { assetOf } from '../../chain/client/rails.ts'
import { endStream, lockWhole } from './close.ts'
import { findOverdue } from './store.ts'

export const streamTasks: readonly Task<Services>[] = [
  {
    name: 'expire_streams',
    cron: '* * * * *',
    handle: async ({ db, chain }, _, at) => {
      for (const id of await findOverdue(db.reader, at))
        await db.write(async (tx) => {
          const whole = await lockWhole(tx, id)
          if (whole) await endStream(tx, at, { ...whole, asset: assetOf(chain, whole.stream) })
        })
    },
  },
]
