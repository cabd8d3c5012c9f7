import { type Caller, mayUseCard } from '../../api/http/caller.ts'
import { lockOwned, type Owned } from '../../base/db/owned.ts'
import type { Tx } from '../../base/db/sql.ts'
import { Problem } from '../../base/kernel/problem.ts'
import type { CardWithMoney } from '../../money/cards/card.ts'
import { checkNotOnSale } from '../../money/cards/controls/own-card.ts'
import { lockCard } from '../../money/cards/store.ts'
import { checkToken } from '../../money/cards/token.ts'

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
