import type { Caller } from '../../api/http/caller.ts'
import { lockOwned, type Owned } from '../../base/db/owned.ts'
import type { Reader, Tx } from '../../base/db/sql.ts'
import { notFound, Problem } from '../../base/kernel/problem.ts'
import { findLink } from '../../links/link/store.ts'
import type { Agreement, Party } from '../../members/agreements/agreement.ts'
import { findAgreement, lockAgreement } from '../../members/agreements/store.ts'
import { checkNotOnSale } from '../../money/cards/controls/own-card.ts'
import { findCard } from '../../money/cards/store.ts'

/** An agreement and the side of it on which the caller is. */
export type OwnAgreement = { agreement: Agreement; party: Party }

/** The caller's agreement, as payer or as merchant. `not_found` for any other. */
export async function ownAgreement(on: Reader, caller: Caller, id: string): Promise<OwnAgreement> {
  const found = await findAgreement(on, id)
  const own = found && withParty(found, caller)
  if (!own) throw notFound('agreement')
  return own
}

/**
 * Locks the caller's agreement, so that no charge of it is under way or begins before the transaction ends. Throws
 * `invalid_state` for a membership's: it is changed by the operations of the membership. The same for its merchant while
 * the card that it pays is being sold on chain: the buyer has paid for it too.
 */
export async function lockOwnAgreement(
  tx: Tx,
  caller: Caller,
  id: string,
): Promise<Owned<OwnAgreement>> {
  const locking = lockAgreement(tx, id).then((found) => found && withParty(found, caller))
  const own = await lockOwned(locking, () => true, 'agreement')
  if (own.party === 'merchant') await checkBusinessNotOnSale(tx, own.agreement)
  if (own.agreement.purpose === 'membership')
    throw new Problem(
      'invalid_state',
      'This agreement belongs to the membership. Change it with /api/membership/auto-renew.',
    )
  return own
}

async function checkBusinessNotOnSale(tx: Tx, { payLinkCode }: Agreement): Promise<void> {
  const link = payLinkCode === null ? undefined : await findLink(tx, payLinkCode)
  const card = link && (await findCard(tx, link.cardId))
  if (card) checkNotOnSale(card)
}

function withParty(agreement: Agreement, caller: Caller): OwnAgreement | undefined {
  const party = partyOf(agreement, caller)
  return party && { agreement, party }
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
