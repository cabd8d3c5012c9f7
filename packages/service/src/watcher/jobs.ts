import type { Tx } from '../db/sql.ts'
import type { Services } from '../http/services.ts'
import { enqueue } from '../jobs/queue.ts'
import { defineSingleTask } from '../jobs/task.ts'
import { handlerOf, type Task } from '../jobs/worker.ts'
import { claimOnce } from './claim.ts'
import { watchOnce } from './pass.ts'

const watchTask = defineSingleTask('watch_chain')
export const keepWatchingTask = defineSingleTask('keep_watching')
/** How long a chain takes to make a block. */
const BLOCK_SECONDS = { embedded: 1, public: 2 }

/** One job that waits, whoever puts it there. */
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
    // However the job was lost, or how long it would wait after failing: a minute later it is back.
    cron: '* * * * *',
    handle: async (services, _, at) => {
      await services.db.write((tx) => watchAgain(tx, 0))
      await claimOnce(services, at)
    },
  }),
]
