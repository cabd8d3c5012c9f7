import type { Services } from '../../api/http/services.ts'
import type { Task } from '../../base/jobs/worker.ts'
import { lookTask, sweepTask } from '../../chain/transfers/tasks.ts'
import { carryPull } from './carry.ts'
import { findOpenPulls } from './store.ts'
import { carryPullTask } from './tasks.ts'

/** A pull without an end after this many seconds may have lost its job: an outage used up the job's attempts. */
const SWEEP_AFTER_SECONDS = 1800

export const pullTasks: Task<Services>[] = [
  lookTask(carryPullTask, (services: Services, at, { charge_id }) =>
    carryPull(services, at, charge_id),
  ),
  sweepTask({
    name: 'sweep_pulls',
    cron: '*/30 * * * *',
    task: carryPullTask,
    seconds: SWEEP_AFTER_SECONDS,
    find: findOpenPulls,
    payloadOf: (charge_id) => ({ charge_id }),
  }),
]
