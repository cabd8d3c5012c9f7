import { record } from '../../../../api/events/record.ts'
import { cardFrozen, cardUnfrozen } from '../../../../api/events/types/cards.ts'
import type { Tx } from '../../../../base/db/sql.ts'
import type { CardWithMoney } from '../../../../money/cards/card.ts'
import { FROZEN_BY_SALE, moveTo, stateEvent } from '../../../../money/cards/controls/own-card.ts'

/** Freezes a locked card while the chain sells it: nobody changes it until the sale is over. One that is frozen has its event. */
export async function freeze(tx: Tx, at: Date, card: CardWithMoney): Promise<void> {
  const frozen = await moveTo(tx, card, { status: 'FROZEN', reason: FROZEN_BY_SALE })
  if (card.status !== 'FROZEN') await record(tx, at, [stateEvent(cardFrozen, frozen)])
}

/**
 * Freezes a card that the chain has sold before these books knew of it. It may have expired or been used since, and its money is
 * the buyer's. One that is CLOSED holds none.
 */
export async function freezeSold(tx: Tx, at: Date, card: CardWithMoney): Promise<void> {
  if (card.status !== 'CLOSED') await freeze(tx, at, card)
}

/** Ends the freeze of the sale; a card whose time has run out meanwhile stays as it is. */
export async function thaw(tx: Tx, at: Date, card: CardWithMoney): Promise<void> {
  if (card.status !== 'FROZEN' || card.statusReason !== FROZEN_BY_SALE) return
  const isUsed = card.singleUse && card.spent > 0n
  const thawed = await moveTo(tx, card, { status: isUsed ? 'USED' : 'ACTIVE', reason: null })
  await record(tx, at, [stateEvent(cardUnfrozen, thawed)])
}
