import { record } from '../../../api/events/record.ts'
import type { Tx } from '../../../base/db/sql.ts'
import { newId } from '../../../base/kernel/ids.ts'
import { notFound, Problem } from '../../../base/kernel/problem.ts'
import type { CardWithMoney } from '../card.ts'
import { changeControls } from '../controls/change.ts'
import { lockOwnCard, type Mine, updatedEvent, wrongState } from '../controls/own-card.ts'
import { changedSince, newDraft } from '../rules/draft.ts'
import { type RuleChange, readKeptRules } from '../rules/rules.ts'
import { saveDraft } from './store.ts'

/** Gives the card a draft, in place of any other. It holds from the next decision on, and changes none. */
export async function putDraft(
  tx: Tx,
  at: Date,
  asked: Mine & { rulesOf(card: CardWithMoney): RuleChange },
): Promise<CardWithMoney> {
  const card = await lockOwnCard(tx, at, asked)
  if (card.status === 'CLOSED') throw wrongState(card, 'given a draft', 'not CLOSED')
  const draft = newDraft({ id: newId('drf', at), at, card }, asked.rulesOf(card))
  await saveDraft(tx, card.id, draft)
  await record(tx, at, [updatedEvent(card, ['draft'])])
  return { ...card, draft }
}

/** Takes the card's draft away. Doing it again does nothing. */
export async function dropDraft(tx: Tx, at: Date, asked: Mine): Promise<void> {
  const card = await lockOwnCard(tx, at, asked)
  if (card.draft === null) return
  await saveDraft(tx, card.id, null)
  await record(tx, at, [updatedEvent(card, ['draft'])])
}

/**
 * Makes the draft the card's active rules. Refused if an active rule was changed since the draft was made, unless the caller
 * names it in `over`: whoever changed it may not have known of the draft.
 */
export async function applyDraft(
  tx: Tx,
  at: Date,
  asked: Mine & { over: readonly string[] },
): Promise<CardWithMoney> {
  const card = await lockOwnCard(tx, at, asked)
  if (card.draft === null) throw notFound('draft', 'Make one by PUT first.')
  const changed = changedSince(card, card.draft).filter((name) => !asked.over.includes(name))
  if (changed.length > 0)
    throw new Problem(
      'draft_outdated',
      `Active rules have changed since the draft was made: ${changed.join(', ')}. Make the draft anew, or name them in \`over\`.`,
      { extra: { changed } },
    )
  const rules = readKeptRules(card.draft.rules)
  if (!rules) throw new Problem('invalid_state', 'The draft does not read. Make it anew.')
  await saveDraft(tx, card.id, null)
  return changeControls(tx, at, { ...asked, changeOf: () => rules })
}
