import type { CardWithMoney } from '../cards/card.ts'
import { ownCard } from '../cards/controls/own-card.ts'
import type { Reader } from '../db/sql.ts'
import type { Caller } from '../http/caller.ts'
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
