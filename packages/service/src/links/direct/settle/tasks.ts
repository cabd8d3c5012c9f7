import type { Tx } from '../../../base/db/sql.ts'
import { enqueueMany } from '../../../base/jobs/queue.ts'
import { defineTask, IdField, Looks } from '../../../base/jobs/task.ts'
import type { Id } from '../../../base/kernel/ids.ts'

/** Looks at one settlement until it has ended and its block is safe. */
export const confirmDirectTask = defineTask({
  name: 'confirm_direct_settlement',
  payload: { id: IdField('stl'), looks: Looks },
  key: 'id',
})

/** Enqueues a look at each of these settlements. */
export const confirmDirectLater = (tx: Tx, ids: Id<'stl'>[], delaySeconds: number): Promise<void> =>
  enqueueMany(
    tx,
    confirmDirectTask,
    ids.map((id) => ({ id })),
    { delaySeconds },
  )
