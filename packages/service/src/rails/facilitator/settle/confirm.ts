import type { Services } from '../../../api/http/services.ts'
import type { Tx } from '../../../base/db/sql.ts'
import { enqueueMany } from '../../../base/jobs/queue.ts'
import { secondsToNextLook } from '../../../chain/client/transfers/schedule.ts'
import { findMinedHash } from '../../../chain/relay/send.ts'
import { findSettlement, findUnconfirmed, saveFinal, saveStanding } from '../store.ts'
import { confirmSettlementTask } from '../tasks.ts'
import { sendRef } from './claim.ts'
import { standingOf } from './outcome.ts'

/** Enqueues a job for each of these settlements; the job looks until the block is safe. */
export const confirmLater = (tx: Tx, ids: string[], looks: number): Promise<void> =>
  enqueueMany(
    tx,
    confirmSettlementTask,
    ids.map((id) => ({ id, looks })),
    { delaySeconds: secondsToNextLook(looks) },
  )

/**
 * Confirms, in one statement, every settlement whose own transaction is in a safe block with the log that was reported.
 * A settlement with another transaction, or none, gets a job of its own. True while some wait for their blocks.
 */
export async function confirmMany(tx: Tx): Promise<boolean> {
  await saveFinal(tx)
  const left = await findUnconfirmed(tx)
  const others = left.filter(({ isOnItsWay }) => !isOnItsWay)
  await confirmLater(
    tx,
    others.map(({ id }) => id),
    0,
  )
  return left.length > others.length
}

/**
 * Looks once whether a settlement that was reported at its first confirmation is in a safe block. If a reorganization
 * took its block away, the relay submits it again. A settlement that the safe block shows as never paid is marked
 * `missing` for its seller to see, and logged. True once it is known.
 */
export async function confirmSettlement(services: Services, id: string): Promise<boolean> {
  const { db, log } = services
  const settlement = await findSettlement(db.reader, id)
  if (settlement?.state !== 'settled' || settlement.finality !== 'waiting') return true
  const sentHash = await findMinedHash(services, sendRef(id))
  const standing = await standingOf(services, settlement, sentHash)
  if (standing.kind === 'open') return false
  const isMissing = standing.kind === 'missing'
  const changed = await db.write((tx) =>
    saveStanding(
      tx,
      id,
      isMissing ? { finality: 'missing' } : { finality: 'final', ...standing.log },
    ),
  )
  if (isMissing && changed > 0)
    log.error(
      { settlement: id, payer: settlement.payer, txHash: settlement.txHash },
      'a payment that was reported as settled is not on the chain: a reorganization took it away',
    )
  return true
}
