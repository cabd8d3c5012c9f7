import { record } from '../../../../api/events/record.ts'
import type { Services } from '../../../../api/http/services.ts'
import type { Tx } from '../../../../base/db/sql.ts'
import { assert } from '../../../../base/kernel/assert.ts'
import type { Standing } from '../../../../chain/client/transfers/standing.ts'
import { reverseMetering } from '../../../../members/meter/meter.ts'
import { saveTransactionStanding } from '../../../../money/cards/transactions.ts'
import { findLinkById, lockLink } from '../../store.ts'
import { takeLog } from '../../store-logs.ts'
import { directFailed } from '../events.ts'
import { type DirectSettlement, lockDirect, saveFinal, saveMissing } from '../store.ts'

const GONE = 'A reorganization of the chain took the transfer, and it was not made again.'

type Known = { settlement: DirectSettlement; standing: Exclude<Standing, { kind: 'open' }> }

/**
 * Records what a safe block shows of a settlement: it is final, or it went missing. Then its metering is reversed and the
 * seller gets an event. The link keeps the use: the seller may have delivered.
 */
export async function confirmReversed(
  services: Services,
  at: Date,
  { settlement, standing }: Known,
): Promise<void> {
  const { db, log } = services
  const { id, network, payer, txHash } = settlement
  if (standing.kind === 'paid') {
    await db.write(async (tx) => {
      await takeLog(tx, { network, ...standing.log, directId: id })
      await saveFinal(tx, id, standing.log)
    })
    return
  }
  if (await db.write((tx) => markMissing(tx, at, services, settlement)))
    log.error(
      { settlement: id, payer, txHash },
      'a DIRECT payment that was settled is not on the chain: a reorganization took it',
    )
}

async function markMissing(
  tx: Tx,
  at: Date,
  { chain }: Pick<Services, 'chain'>,
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
  await reverseMetering(tx, at, { settlementId: id, asset: chain.asset })
  await record(tx, at, [
    directFailed({ chain, link, settlement, reason: 'reorganised', detail: GONE }),
  ])
  return true
}
