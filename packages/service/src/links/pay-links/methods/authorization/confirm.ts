import type { Services } from '../../../../api/http/services.ts'
import type { Tx } from '../../../../base/db/sql.ts'
import { enqueueMany } from '../../../../base/jobs/queue.ts'
import { assert } from '../../../../base/kernel/assert.ts'
import type { Address, Hex } from '../../../../base/kernel/assets.ts'
import type { Id } from '../../../../base/kernel/ids.ts'
import { secondsToNextLook } from '../../../../chain/client/transfers/schedule.ts'
import { readStanding } from '../../../../chain/client/transfers/standing.ts'
import { findMinedHash } from '../../../../chain/relay/send.ts'
import { findSettlement } from '../../../../money/settlements/on-chain/store.ts'
import {
  findConfirmation,
  saveMissing,
} from '../../../../money/settlements/on-chain/store-confirmations.ts'
import { findLinkById } from '../../store.ts'
import { saveConfirmed } from '../../store-logs.ts'
import { confirmSettlementTask } from '../tasks.ts'

export const settleRef = (id: string): string => `settle:${id}`

/** Has each of these credited settlements looked at until its block is safe. */
export const confirmLater = (tx: Tx, ids: Id<'stl'>[], looks: number): Promise<void> =>
  enqueueMany(
    tx,
    confirmSettlementTask,
    ids.map((id) => ({ id, looks })),
    { delaySeconds: secondsToNextLook(looks) },
  )

/**
 * Looks once whether a settlement that was credited at its first confirmation is in a safe block. If a reorganization
 * took its block away, the relay submits it again. A settlement that the safe block shows as never paid is marked and
 * logged as an alarm; the credit is not taken back. True once it is known. If a missing one is paid after all, the
 * watcher hands it to `settleOnChain`, which counts it as this settlement.
 */
export async function confirmSettlement(services: Services, id: string): Promise<boolean> {
  const { chain, db, log } = services
  const settlement = await findSettlement(db.reader, id)
  const confirmation = await findConfirmation(db.reader, id)
  if (settlement?.state !== 'settled' || confirmation?.state !== 'waiting') return true
  const link = await findLinkById(db.reader, settlement.payLinkId)
  assert(link, 'the link of a settlement stays')
  const agreed = {
    from: settlement.payer as Address,
    to: link.payTo,
    value: settlement.amount,
    nonce: settlement.authNonce as Hex,
  }
  const standing = await readStanding(chain, agreed, {
    fromBlock: settlement.fromBlock ?? 0n,
    validBefore: confirmation.validBefore,
    sentHash: await findMinedHash(services, settleRef(id)),
  })
  if (standing.kind === 'paid') {
    const { network } = settlement
    await db.write((tx) => saveConfirmed(tx, { id, network, log: standing.log }))
    return true
  }
  if (standing.kind === 'open') return false
  if (await db.write((tx) => saveMissing(tx, id)))
    log.error(
      { settlement: id, payer: settlement.payer, txHash: settlement.txHash },
      'a payment that was credited is not on the chain: a reorganization took it away, and it was not made again',
    )
  return true
}
