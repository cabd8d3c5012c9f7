import type { Id } from '../../../base/kernel/ids.ts'
import { sha256 } from '../../../base/kernel/secrets.ts'
import type { CardWithMoney, StoredDraft } from '../card.ts'
import { type Around, decide, type Spend } from '../policy.ts'
import { keepRules, RULE_NAMES, type RuleChange, readKeptRules, rulesOf } from './rules.ts'

/** The answer that a draft would have given: `allowed`, the code of a refusal, or `not_judged` of a draft that does not read. */
export type Verdict = { draftId: string; says: string }
export const ALLOWS = 'allowed'
export const NOT_JUDGED = 'not_judged'

/**
 * The verdict of the card's draft on a payment, as if the draft became active with it: on all that the decision itself was made on: money,
 * counters, the word of the owner, the cards above and the caps. Pure, asks nobody, and throws nothing that `decide` did not throw before.
 */
export function verdictOn(
  card: CardWithMoney,
  spend: Spend,
  { at, ...around }: Around & { at: Date },
): Verdict | undefined {
  if (card.draft === null) return undefined
  const draftId = String(card.draft.id)
  const rules = readKeptRules(card.draft.rules)
  if (!rules) return { draftId, says: NOT_JUDGED }
  const decision = decide({ ...card, ...rules }, spend, at, around)
  return { draftId, says: decision.allowed ? ALLOWS : decision.rule }
}

export const newDraft = (
  of: { id: Id<'drf'>; at: Date; card: CardWithMoney },
  rules: RuleChange,
): StoredDraft => ({
  id: of.id,
  made_at: of.at.toISOString(),
  rules: keepRules(rules),
  made_on: digestsOf(of.card),
})

/** The active rules that are not as they were when the card's draft was made, by their names in the API. */
export function changedSince(card: CardWithMoney, draft: StoredDraft): string[] {
  const now = digestsOf(card)
  return Object.values(RULE_NAMES).filter((name) => draft.made_on?.[name] !== now[name])
}

const digestsOf = (card: CardWithMoney): Record<string, string> =>
  Object.fromEntries(
    Object.entries(keepRules(rulesOf(card))).map(([name, value]) => [
      name,
      sha256(JSON.stringify(value)).toString('hex').slice(0, 16),
    ]),
  )
