import type { Services } from '../../api/http/services.ts'
import type { Task } from '../../base/jobs/worker.ts'
import { lookTask, sweepTask } from '../../chain/transfers/tasks.ts'
import { lookDirect } from './settle/look.ts'
import { confirmDirectTask } from './settle/tasks.ts'
import { findOpenDirect } from './store.ts'

/** A settlement that is open for longer than this without a job has lost it. */
const LOST_SECONDS = 60

export const directTasks: Task<Services>[] = [
  lookTask(confirmDirectTask, (services: Services, at, { id }) => lookDirect(services, at, id)),
  sweepTask({
    name: 'sweep_direct_settlements',
    cron: '* * * * *',
    task: confirmDirectTask,
    seconds: LOST_SECONDS,
    find: (on, before) => findOpenDirect(on, { before, task: confirmDirectTask }),
    payloadOf: (id) => ({ id }),
  }),
]
