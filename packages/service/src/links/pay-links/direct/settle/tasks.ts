import type { Tx } from '../../../../base/db/sql.ts'
import { enqueueMany } from '../../../../base/jobs/queue.ts'
import { defineTask, IdField, Looks } from '../../../../base/jobs/task.ts'
import type { Id } from '../../../../base/kernel/ids.ts'
import { secondsToNextLook } from '../../../../chain/client/transfers/schedule.ts'

/** Looks at one settlement until it has ended and its block is safe. */
export const confirmDirectTask = defineTask({
  name: 'confirm_direct_settlement',
  payload: { id: IdField('stl'), looks: Looks },
  key: 'id',
})

/** Enqueues a look at each of these settlements. */
export const confirmDirectLater = (
  tx: Tx,
  ids: Id<'stl'>[],
  delaySeconds: number,
  looks = 0,
): Promise<void> =>
  enqueueMany(
    tx,
    confirmDirectTask,
    ids.map((id) => ({ id, looks })),
    { delaySeconds },
  )

/** As `confirmDirectLater` for one, after so many looks; each wait is longer. */
export const confirmDirectAgain = (tx: Tx, id: Id<'stl'>, looks: number): Promise<void> =>
  confirmDirectLater(tx, [id], secondsToNextLook(looks), looks)
