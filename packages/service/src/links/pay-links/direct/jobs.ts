import type { Services } from '../../../api/http/services.ts'
import { handlerOf, type Task } from '../../../base/jobs/worker.ts'
import { addSeconds } from '../../../base/kernel/clock.ts'
import { lookDirect } from './settle/look.ts'
import { confirmDirectAgain, confirmDirectLater, confirmDirectTask } from './settle/tasks.ts'
import { findOpenDirect } from './store.ts'

/** A settlement that is open for longer than this without a job has lost it. */
const LOST_SECONDS = 60

export const directTasks: Task<Services>[] = [
  handlerOf(confirmDirectTask, {
    handle: async (services, { id, looks = 0 }, at) => {
      if (await lookDirect(services, at, { id, isOurs: false })) return
      await services.db.write((tx) => confirmDirectAgain(tx, id, looks + 1))
    },
  }),
  {
    name: 'sweep_direct_settlements',
    cron: '* * * * *',
    handle: async ({ db }, _, at) => {
      const before = addSeconds(at, -LOST_SECONDS)
      const ids = await findOpenDirect(db.reader, { before, task: confirmDirectTask })
      await db.write((tx) => confirmDirectLater(tx, ids, 0))
    },
  },
]
