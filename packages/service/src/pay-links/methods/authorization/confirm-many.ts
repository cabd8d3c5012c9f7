import { LOOK_MANY_SECONDS } from '../../../chain/transfers/schedule.ts'
import type { Tx } from '../../../db/sql.ts'
import { enqueueOne } from '../../../jobs/queue.ts'
import { findWaiting, saveFinal } from '../../store-settlements.ts'
import { confirmSettlementsTask } from '../tasks.ts'
import { confirmLater } from './confirm.ts'

/** Sees to it that a job looks at credited settlements until their blocks are safe. */
export const confirmSoon = (tx: Tx): Promise<void> =>
  enqueueOne(tx, confirmSettlementsTask, LOOK_MANY_SECONDS)

/**
 * Confirms, in one statement, every settlement whose own transaction stands in a safe block with the very log that was
 * credited: the sender has written that down. One whose transaction is another, or gone, gets a look of its own. Answers
 * how many were confirmed, and whether some wait for their blocks to be safe.
 */
export async function confirmMany(tx: Tx): Promise<{ confirmed: number; isWaiting: boolean }> {
  const confirmed = await saveFinal(tx)
  const left = await findWaiting(tx)
  const others = left.filter(({ isOnItsWay }) => !isOnItsWay)
  await confirmLater(
    tx,
    others.map(({ id }) => id),
    0,
  )
  return { confirmed, isWaiting: left.length > others.length }
}
