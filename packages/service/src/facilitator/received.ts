import { one, run, sql, type Tx } from '../db/sql.ts'
import { assert } from '../kernel/assert.ts'

/** A payment whose signature is good and that settled for the resource: a link's code, or a URL elsewhere. */
export type Payment = { settlementId: string; resource: string }
/** Why a payment does not count for the resource, by the protocol's own name. */
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
  { settlementId, resource, walletAddress }: Payment & { walletAddress: string },
): Promise<Received> {
  const written = await run(
    tx,
    sql`insert into received_payments (settlement_id, wallet_address, resource, received_at)
      values (${settlementId}, ${walletAddress}, ${resource}, ${at}) on conflict (settlement_id) do nothing`,
  )
  const used = await one(
    tx,
    sql<{
      resource: string
    }>`select resource from received_payments where settlement_id = ${settlementId}`,
  )
  assert(used, 'a payment that is received has its row')
  if (used.resource !== resource) return no('duplicate_settlement')
  return { verified: true, already_used: written === 0, settlement_id: settlementId }
}
