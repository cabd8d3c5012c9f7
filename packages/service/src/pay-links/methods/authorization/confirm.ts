import { readStanding } from '../../../chain/authorization-outcome.ts'
import type { Tx } from '../../../db/sql.ts'
import type { Services } from '../../../http/services.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { assert } from '../../../kernel/assert.ts'
import type { Address, Hex } from '../../../kernel/assets.ts'
import { findSend } from '../../../relay/send.ts'
import { findLinkById, findSettlement, saveConfirmed } from '../../store.ts'
import { findConfirmation, saveMissing } from '../../store-settlements.ts'

export const CONFIRM_TASK = 'confirm_link_settlement'
/** Seconds to the next look at the chain: each waits longer, as a safe block on Base is minutes old. */
const LOOK_FIRST_SECONDS = 3
const LOOK_LAST_SECONDS = 60

/** A reorganization may bring a transaction into a block that is lower than the newest was. */
export const REORGANIZATION_BLOCKS = 32n
export const settleRef = (id: string): string => `settle:${id}`

/** The job that looks at a credited settlement until its block is safe. */
export const confirmLater = (tx: Tx, id: string, looks: number): Promise<void> =>
  enqueue(
    tx,
    CONFIRM_TASK,
    { id, looks },
    {
      key: `confirm:${id}`,
      delaySeconds: Math.min(LOOK_FIRST_SECONDS * (looks + 1), LOOK_LAST_SECONDS),
    },
  )

/**
 * Looks once whether a settlement that was credited at its first confirmation is in a safe block. A reorganization that
 * takes its block away is waited out: the relayer sends it again. What a safe block says was never paid is marked and
 * logged as an alarm; nothing takes the credit back by itself. True once it is known. Should a missing one
 * be paid after all, the watcher hands it to `settleOnChain`, which takes it for this settlement.
 */
export async function confirmSettlement(services: Services, id: string): Promise<boolean> {
  const { chain, db, log } = services
  const settlement = await findSettlement(db.reader, id)
  const confirmation = await findConfirmation(db.reader, id)
  if (settlement?.state !== 'settled' || confirmation?.state !== 'waiting') return true
  const link = await findLinkById(db.reader, settlement.payLinkId)
  assert(link, 'the link of a settlement stays')
  const send = await findSend(services, settleRef(id))
  const agreed = {
    from: settlement.payer as Address,
    to: link.depositAddress,
    value: settlement.amount,
    nonce: settlement.authNonce as Hex,
  }
  const standing = await readStanding(chain, agreed, {
    fromBlock: settlement.fromBlock ?? 0n,
    validBefore: confirmation.validBefore,
    sentHash: (send?.state === 'mined' && send.hash) || undefined,
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
