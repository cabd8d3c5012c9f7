import type { Caller } from '../../api/http/caller.ts'
import type { Reader } from '../../base/db/sql.ts'
import type { CardWithMoney } from '../../money/cards/card.ts'
import { ownCard } from '../../money/cards/controls/own-card.ts'
import { findMarket, type Market } from './store.ts'

/** The caller's card and its market, if it has one. A card of another wallet does not exist. */
export async function ownMarket(
  on: Reader,
  caller: Caller,
  cardId: string,
): Promise<{ card: CardWithMoney; market: Market | undefined }> {
  const card = await ownCard(on, caller, cardId)
  return { card, market: await findMarket(on, card.id) }
}
