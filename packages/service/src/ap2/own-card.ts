import type { CardWithMoney } from '../cards/card.ts'
import { checkNotOnSale } from '../cards/controls/own-card.ts'
import { lockCard } from '../cards/store.ts'
import { checkToken } from '../cards/token.ts'
import { lockOwned, type Owned } from '../db/owned.ts'
import type { Tx } from '../db/sql.ts'
import { type Caller, mayUseCard } from '../http/caller.ts'
import { Problem } from '../kernel/problem.ts'

/**
 * Locks the caller's card. The card's token proves that the caller may sign for it. Throws `not_found`,
 * `invalid_card_token`, and `invalid_state` for a card that is CLOSED or being sold on chain.
 */
export async function lockByToken(
  tx: Tx,
  caller: Caller,
  named: { card_id: string; card_token: string },
): Promise<Owned<CardWithMoney>> {
  const { card_id: id, card_token: token } = named
  const isMine = (card: CardWithMoney) =>
    card.walletAddress === caller.walletAddress && mayUseCard(caller, id)
  const card = await lockOwned(lockCard(tx, id), isMine, 'card')
  checkToken(card, token)
  checkNotOnSale(card)
  if (card.status === 'CLOSED')
    throw new Problem('invalid_state', 'The card is CLOSED; nothing can be signed for it any more.')
  return card
}
