import { record } from '../../../api/events/record.ts'
import { cardFrozen, cardUnfrozen } from '../../../api/events/types/cards.ts'
import type { Tx } from '../../../base/db/sql.ts'
import type { CardWithMoney } from '../card.ts'
import { lockOwnCard, type Mine, moveTo, stateEvent, wrongState } from './own-card.ts'

/** Stops every debit at once, on every rail; credits still arrive. Freezing a frozen card changes nothing. */
export async function freezeCard(tx: Tx, at: Date, mine: Mine): Promise<CardWithMoney> {
  const card = await lockOwnCard(tx, at, mine)
  if (card.status === 'FROZEN') return card
  if (card.status !== 'ACTIVE') throw wrongState(card, 'frozen', 'ACTIVE')
  const frozen = await moveTo(tx, card, { status: 'FROZEN', reason: 'frozen by its wallet' })
  await record(tx, at, [stateEvent(cardFrozen, frozen)])
  return frozen
}

/** Lets a frozen card spend again. A single-use card that has spent becomes USED. */
export async function unfreezeCard(tx: Tx, at: Date, mine: Mine): Promise<CardWithMoney> {
  const card = await lockOwnCard(tx, at, mine)
  if (card.status === 'ACTIVE') return card
  if (card.status !== 'FROZEN') throw wrongState(card, 'unfrozen', 'FROZEN')
  const used = card.singleUse && card.spent > 0n
  const unfrozen = await moveTo(tx, card, { status: used ? 'USED' : 'ACTIVE', reason: null })
  await record(tx, at, [stateEvent(cardUnfrozen, unfrozen)])
  return unfrozen
}
