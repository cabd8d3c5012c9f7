import { record } from '../../../api/events/record.ts'
import type { Uses } from '../../../api/http/services.ts'
import type { Tx } from '../../../base/db/sql.ts'
import { assert } from '../../../base/kernel/assert.ts'
import { reach } from '../../../base/kernel/fault-points.ts'
import type { TransferLogAt } from '../../../chain/client/reads.ts'
import { reverseMetering } from '../../../members/meter/meter.ts'
import { meterAsset } from '../../../members/meter/terms.ts'
import { saveTransactionStanding } from '../../../money/cards/transactions.ts'
import { findLinkById, lockLink } from '../../link/store.ts'
import { takeLog } from '../../link/store-logs.ts'
import { directFailed } from '../events.ts'
import { type DirectSettlement, lockDirect, saveFinal, saveMissing } from '../store.ts'

const GONE = 'A reorganization of the chain took the transfer, and it was not made again.'

/** A safe block holds the transfer in `log`. */
export async function keepFinal(
  { db }: Uses<'db'>,
  { id, network }: DirectSettlement,
  log: TransferLogAt,
): Promise<void> {
  reach('direct.before_final')
  await db.write(async (tx) => {
    await takeLog(tx, { network, ...log, directId: id })
    await saveFinal(tx, id, log)
  })
}

/**
 * The safe block shows that the transfer is gone for good. Its metering is reversed and the seller gets an event. The link
 * keeps the use: the seller may have delivered.
 */
export async function loseDirect(
  services: Uses<'chain' | 'db' | 'log'>,
  at: Date,
  settlement: DirectSettlement,
): Promise<void> {
  const { db, log } = services
  const { id, payer, txHash } = settlement
  reach('direct.before_final')
  if (await db.write((tx) => markMissing(tx, at, services, settlement)))
    log.error(
      { settlement: id, payer, txHash },
      'a DIRECT payment that was settled is not on the chain: a reorganization took it',
    )
}

async function markMissing(
  tx: Tx,
  at: Date,
  { chain }: Uses<'chain'>,
  { id, payLinkId }: DirectSettlement,
): Promise<boolean> {
  const found = await findLinkById(tx, payLinkId)
  const link = found && (await lockLink(tx, at, found.code))
  const settlement = await lockDirect(tx, id)
  assert(link && settlement, 'a settlement and its link stay')
  if (!(await saveMissing(tx, id, GONE))) return false
  const { transactionId, txHash } = settlement
  if (transactionId)
    await saveTransactionStanding(tx, transactionId, {
      status: 'FAILED',
      txHash,
      failure: { reason: 'reorganised', at },
    })
  await reverseMetering(tx, at, { settlementId: id, asset: meterAsset(chain) })
  await record(tx, at, [
    directFailed({ chain, link, settlement, reason: 'reorganised', detail: GONE }),
  ])
  return true
}
