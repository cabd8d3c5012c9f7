import { refuseStale, type Tx } from '../../../base/db/sql.ts'
import { assert } from '../../../base/kernel/assert.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { hasSettling } from '../../../links/direct/store.ts'
import { findCodesOfCard, lockCodesOfCard } from '../../../links/link/store.ts'
import type { Agreement } from '../../../members/agreements/agreement.ts'
import { findAgreementsAround, lockAgreements } from '../../../members/agreements/store.ts'
import type { CardWithMoney } from '../../../money/cards/card.ts'
import { isExpired } from '../../../money/cards/policy.ts'
import { hasHoldsBelow, lockCard } from '../../../money/cards/store.ts'

/** A card with all that changes hands with it, locked. */
export type Belongings = { card: CardWithMoney; agreements: Agreement[] }

/**
 * Locks what changes hands with a card: agreements, links, then the card. A link or an agreement that was made meanwhile
 * makes the transaction run again; once the card is locked none can be made.
 */
export async function lockBelongings(tx: Tx, cardId: string): Promise<Belongings> {
  const read = { cardId, codes: await findCodesOfCard(tx, cardId) }
  const agreements = await lockAgreements(tx, await findAgreementsAround(tx, read))
  await lockCodesOfCard(tx, cardId)
  const card = await lockCard(tx, cardId)
  assert(card, 'a card that is sold exists')
  const codes = await findCodesOfCard(tx, cardId)
  const around = await findAgreementsAround(tx, { cardId, codes })
  if (codes.length !== read.codes.length || around.length !== agreements.length)
    await refuseStale(tx)
  return { card, agreements }
}

/** Refuses to move a card that something is under way with, or that is not ACTIVE. */
export async function checkMovable(
  tx: Tx,
  at: Date,
  { card, agreements }: Belongings,
): Promise<void> {
  if (card.status !== 'ACTIVE' || isExpired(card, at))
    throw new Problem(
      'invalid_state',
      `The card is ${card.status === 'ACTIVE' ? 'EXPIRED' : card.status}; only an ACTIVE card changes hands.`,
    )
  if (card.ancestors.length > 0)
    throw new Problem(
      'invalid_state',
      'A child card stays with the card above it. Cancel it instead.',
    )
  if (card.held > 0n || (await hasHoldsBelow(tx, card.id)))
    throw new Problem(
      'card_has_holds',
      'Money of the card is on hold for a payment or a stream. Try again once that has ended.',
    )
  if (await hasSettling(tx, card.id))
    throw new Problem(
      'card_has_holds',
      'A payment to the wallet of this card is on its way. Try again once it has ended.',
    )
  assert(
    agreements.every(({ fundingSource }) => fundingSource === 'CARD'),
    'no pull is made for a card',
  )
}
