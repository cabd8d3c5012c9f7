import type { Tx } from '../../../base/db/sql.ts'
import { assert } from '../../../base/kernel/assert.ts'
import { findUse, insertUse } from './store-received.ts'

/** A payment with a valid signature that settled for the resource: a link's code, or another URL. */
export type Payment = { settlementId: string; resource: string }
/** The protocol's own code for a payment that does not count for the resource. */
export type NotReceived = { verified: false; reason: string }
export type Received =
  | { verified: true; already_used: boolean; settlement_id: string }
  | NotReceived

export const no = (reason: string): NotReceived => ({ verified: false, reason })

/**
 * Counts the use of a payment for the resource: the first caller of the paid wallet gets `already_used: false`, every
 * later one `true`. A payment that was used for another resource does not count for this one.
 */
export async function receivePayment(
  tx: Tx,
  at: Date,
  payment: Payment & { walletAddress: string },
): Promise<Received> {
  const { settlementId } = payment
  const isFirst = await insertUse(tx, at, payment)
  const used = await findUse(tx, settlementId)
  assert(used, 'a payment that is received has its row')
  if (used.resource !== payment.resource) return no('duplicate_settlement')
  return { verified: true, already_used: !isFirst, settlement_id: settlementId }
}
