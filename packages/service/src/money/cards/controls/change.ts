import { record } from '../../../api/events/record.ts'
import type { Tx } from '../../../base/db/sql.ts'
import { countLocked } from '../caps/store-counters.ts'
import type { CardWithMoney } from '../card.ts'
import type { PaceChange } from '../rules/pace.ts'
import { namesIn, type RuleChange } from '../rules/rules.ts'
import { saveControls, saveToken } from '../store.ts'
import { newCardToken } from '../token.ts'
import { capsOf, countedAt } from '../windows.ts'
import { lockOwnCard, type Mine, updatedEvent, wrongState } from './own-card.ts'

/**
 * Changes the named controls, from the next debit on. A limit below the amount already used today takes effect at once.
 */
export async function changeControls(
  tx: Tx,
  at: Date,
  asked: Mine & { changeOf(card: CardWithMoney): RuleChange & PaceChange },
): Promise<CardWithMoney> {
  const own = await lockOwnCard(tx, at, asked)
  const [counted = own] = await countLocked(tx, at, [own])
  const card = countedAt(counted, at)
  if (card.status === 'CLOSED') throw wrongState(card, 'changed', 'not CLOSED')
  const change = asked.changeOf(card)
  const changed: CardWithMoney = { ...card, ...change }
  const after = { ...changed, ...capsOf(changed) }
  await saveControls(tx, card.id, after)
  await record(tx, at, [updatedEvent(card, namesIn(change))])
  return after
}

/** Gives the card a new token. The old one stops working at once. */
export async function rotateToken(
  tx: Tx,
  at: Date,
  mine: Mine,
): Promise<{ card: CardWithMoney; token: string }> {
  const card = await lockOwnCard(tx, at, mine)
  if (card.status === 'CLOSED') throw wrongState(card, 'given a new token', 'not CLOSED')
  const { token, hash, hint } = newCardToken()
  await saveToken(tx, card.id, { hash, hint })
  await record(tx, at, [updatedEvent(card, ['token'])])
  return { card: { ...card, tokenHash: hash, tokenHint: hint }, token }
}
