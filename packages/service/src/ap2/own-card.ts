import type { CardWithMoney } from '../cards/card.ts'
import { findCard, lockCard } from '../cards/store.ts'
import { checkToken } from '../cards/token.ts'
import type { Reader, Tx } from '../db/sql.ts'
import { type Caller, mayUseCard } from '../http/caller.ts'
import { notFound, Problem } from '../kernel/problem.ts'

/** The caller's card. `not_found` for a card of another wallet, and for one that the caller's key excludes. */
export async function ownCard(on: Reader, caller: Caller, id: string): Promise<CardWithMoney> {
  return mineOnly(mayUseCard(caller, id) ? await findCard(on, id) : undefined, caller)
}

/**
 * Locks the caller's card. The card's token proves that the caller may sign for it. Throws `not_found`,
 * `invalid_card_token`, and `invalid_state` for a CLOSED card.
 */
export async function lockByToken(
  tx: Tx,
  caller: Caller,
  named: { card_id: string; card_token: string },
): Promise<CardWithMoney> {
  const { card_id: id, card_token: token } = named
  const card = mineOnly(mayUseCard(caller, id) ? await lockCard(tx, id) : undefined, caller)
  checkToken(card, token)
  if (card.status === 'CLOSED')
    throw new Problem('invalid_state', 'The card is CLOSED; nothing can be signed for it any more.')
  return card
}

function mineOnly(card: CardWithMoney | undefined, caller: Caller): CardWithMoney {
  if (card?.walletAddress !== caller.walletAddress) throw notFound('card')
  return card
}
