import type { Services } from '../../api/http/services.ts'
import type { Tx } from '../../base/db/sql.ts'
import { enqueue } from '../../base/jobs/queue.ts'
import { defineSingleTask } from '../../base/jobs/task.ts'
import { handlerOf, type Task } from '../../base/jobs/worker.ts'
import { claimOnce } from './claim.ts'
import { watchOnce } from './pass.ts'

const watchTask = defineSingleTask('watch_chain')
const keepWatchingTask = defineSingleTask('keep_watching')
/** The time between two blocks of a chain. */
const BLOCK_SECONDS = { embedded: 1, public: 2 }

/** Queues the one waiting job, whoever asks for it. */
const watchAgain = (tx: Tx, delaySeconds: number): Promise<void> =>
  enqueue(tx, watchTask, {}, { delaySeconds })

export const watcherTasks: Task<Services>[] = [
  handlerOf(watchTask, {
    handle: async (services, _, at) => {
      const { isBehind } = await watchOnce(services, at)
      const isEmbedded = services.settings.embeddedRpcUrl !== null
      const pause = isEmbedded ? BLOCK_SECONDS.embedded : BLOCK_SECONDS.public
      await services.db.write((tx) => watchAgain(tx, isBehind ? 0 : pause))
    },
  }),
  handlerOf(keepWatchingTask, {
    // A job that was lost, or that waits long after a failure, is back within a minute.
    cron: '* * * * *',
    handle: async (services, _, at) => {
      await services.db.write((tx) => watchAgain(tx, 0))
      await claimOnce(services, at)
    },
  }),
]
