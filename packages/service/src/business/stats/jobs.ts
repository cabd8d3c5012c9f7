import type { Services } from '../../api/http/services.ts'
import type { Tx } from '../../base/db/sql.ts'
import { enqueue } from '../../base/jobs/queue.ts'
import { defineSingleTask } from '../../base/jobs/task.ts'
import { handlerOf, type Task } from '../../base/jobs/worker.ts'
import { followOnce } from './follow.ts'

const followTask = defineSingleTask('stats_follow')
const keepFollowingTask = defineSingleTask('keep_stats_following')
/** Pages of one job. The job of a long list gives its place in the queue to others between them. */
const PAGES = 20
const PAUSE_SECONDS = 2

const followAgain = (tx: Tx, delaySeconds: number): Promise<void> =>
  enqueue(tx, followTask, {}, { delaySeconds })

export const statsTasks: Task<Services>[] = [
  handlerOf(followTask, {
    handle: async (services, _, at) => {
      let isBehind = true
      for (let page = 0; isBehind && page < PAGES; page++) isBehind = await followOnce(services, at)
      await services.db.write((tx) => followAgain(tx, isBehind ? 0 : PAUSE_SECONDS))
    },
  }),
  handlerOf(keepFollowingTask, {
    // A job that was lost, or that waits long after a failure, is back within a minute.
    cron: '* * * * *',
    handle: async ({ db }) => {
      await db.write((tx) => followAgain(tx, 0))
    },
  }),
]
