import type { Tx } from '../../../../base/db/sql.ts'
import { enqueueOne } from '../../../../base/jobs/queue.ts'
import { LOOK_AGAIN_SECONDS } from '../../../../chain/client/transfers/schedule.ts'
import {
  confirmSafe,
  findWaiting,
} from '../../../../money/settlements/on-chain/store-confirmations.ts'
import { isLogCredited } from '../../store-logs.ts'
import { confirmSettlementsTask, confirmSettlementTask } from '../tasks.ts'
import { confirmLater } from './confirm.ts'

/** Sees to it that a job looks at credited settlements until their blocks are safe. */
export const confirmSoon = (tx: Tx): Promise<void> =>
  enqueueOne(tx, confirmSettlementsTask, LOOK_AGAIN_SECONDS)

/**
 * Confirms, in one statement, every settlement whose own transaction is in a safe block with the log that was credited.
 * A settlement whose transaction is another, or gone, gets a look of its own. Answers how many were confirmed, and
 * whether some wait for their blocks to be safe.
 */
export async function confirmMany(tx: Tx): Promise<{ confirmed: number; isWaiting: boolean }> {
  const confirmed = await confirmSafe(tx, isLogCredited)
  const left = await findWaiting(tx, confirmSettlementTask)
  const others = left.filter(({ isOnItsWay }) => !isOnItsWay)
  await confirmLater(
    tx,
    others.map(({ id }) => id),
    0,
  )
  return { confirmed, isWaiting: left.length > others.length }
}
