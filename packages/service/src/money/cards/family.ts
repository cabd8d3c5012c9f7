import { assert } from '../../base/kernel/assert.ts'
import { type Amount, minus, plus } from '../../base/kernel/money.ts'
import type { CardWithMoney } from './card.ts'
import { capsOf, countedAt, tells, withReturn, withUse } from './windows.ts'

/** The cards above a child card, the nearest first, out of rows that hold them. */
export const parentsOf = (
  { ancestors }: Pick<CardWithMoney, 'ancestors'>,
  cards: ReadonlyMap<string, CardWithMoney>,
): CardWithMoney[] =>
  ancestors.toReversed().map((id) => {
    const parent = cards.get(id)
    assert(parent, `${id} was read with its child`)
    return parent
  })

/** The part of its limit that a card and all below it have spent or hold. */
export const takenOf = (card: Pick<CardWithMoney, 'spent' | 'held' | 'delegated'>): Amount =>
  plus(plus(card.spent, card.held), card.delegated)

/** The card with an amount more in the windows of its limits. A grant may have let it pass a limit. */
export function withSpend(card: CardWithMoney, amount: Amount, at: Date): CardWithMoney {
  assert(tells(card, at), `the counters of ${card.id} are those of now`)
  const counted = countedAt(card, at)
  const used = { ...counted, ...withUse(counted, amount) }
  return { ...used, ...capsOf(used) }
}

/** A card above the one that spends or holds the amount. */
export function withDelegated(parent: CardWithMoney, amount: Amount, at: Date): CardWithMoney {
  const counted = withSpend(parent, amount, at)
  return { ...counted, delegated: plus(counted.delegated, amount) }
}

/** A card above the one that gets back an amount set aside at `heldAt`. */
export const withoutDelegated = (
  parent: CardWithMoney,
  amount: Amount,
  heldAt: Date,
): CardWithMoney => ({
  ...parent,
  ...withReturn(parent, amount, heldAt),
  delegated: minus(parent.delegated, amount),
})
