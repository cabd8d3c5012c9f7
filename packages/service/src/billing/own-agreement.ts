import type { Agreement, Party } from '../agreements/agreement.ts'
import { findAgreement, lockAgreement } from '../agreements/store.ts'
import type { Reader, Tx } from '../db/sql.ts'
import type { Caller } from '../http/caller.ts'
import { notFound, Problem } from '../kernel/problem.ts'

/** An agreement and the side of it on which the caller is. */
export type OwnAgreement = { agreement: Agreement; party: Party }

/** The caller's agreement, as payer or as merchant. `not_found` for any other. */
export const ownAgreement = async (on: Reader, caller: Caller, id: string): Promise<OwnAgreement> =>
  mineOnly(await findAgreement(on, id), caller)

/**
 * Locks the caller's agreement, so that no charge of it is under way or begins before the transaction ends. Throws
 * `invalid_state` for a membership's: it is changed by the operations of the membership.
 */
export async function lockOwnAgreement(tx: Tx, caller: Caller, id: string): Promise<OwnAgreement> {
  const own = mineOnly(await lockAgreement(tx, id), caller)
  if (own.agreement.purpose === 'membership')
    throw new Problem(
      'invalid_state',
      'This agreement belongs to the membership. Change it with /api/membership/auto-renew.',
    )
  return own
}

function mineOnly(agreement: Agreement | undefined, caller: Caller): OwnAgreement {
  const party = agreement && partyOf(agreement, caller)
  if (!agreement || !party) throw notFound('agreement')
  return { agreement, party }
}

/** Whether the caller is its payer or its merchant. */
export const isParty = (agreement: Agreement, caller: Caller): boolean =>
  partyOf(agreement, caller) !== undefined

/** A key that is restricted to cards sees what these cards pay, and nothing that the wallet is paid. */
function partyOf(agreement: Agreement, { walletAddress, cardIds }: Caller): Party | undefined {
  const { payerWallet, payerCardId, merchantWallet } = agreement
  const mayUse = cardIds === null || (payerCardId !== null && cardIds.includes(payerCardId))
  if (payerWallet === walletAddress) return mayUse ? 'payer' : undefined
  return merchantWallet === walletAddress && cardIds === null ? 'merchant' : undefined
}
