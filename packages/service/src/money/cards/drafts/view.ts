import { Type } from 'typebox'
import {
  AmountOut,
  AssetField,
  AtomicOut,
  iso,
  isoOrNull,
  NullableNumber,
  NullableString,
  NullableTimestamp,
  OneOf,
  shownAmounts,
  Timestamp,
} from '../../../api/http/fields.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import { CARD_LIMITS, perLimit } from '../../../base/kernel/card-limits.ts'
import { amount, plus, toNumber, ZERO } from '../../../base/kernel/money.ts'
import { RAILS } from '../../../base/protocols/rails.ts'
import type { CardWithMoney, KeptRules } from '../card.ts'
import type { DecisionRow } from '../decisions.ts'
import { ALLOWS, changedSince, NOT_JUDGED } from '../rules/draft.ts'
import { keepRules, type RuleChange } from '../rules/rules.ts'
import { type Backtest, type Differing, SHOWN_MAX, type Tally } from './backtest.ts'
import type { VerdictCount } from './store.ts'

/** The verdict of its card's draft on a decision. */
export const VerdictBody = Type.Union(
  [
    Type.Object({
      id: Type.String({ description: 'Id of the draft' }),
      verdict: Type.String({
        description:
          '`allowed`, the code of a refusal, or `not_judged` of a draft that did not read',
      }),
    }),
    Type.Null(),
  ],
  { description: 'What the draft of the card would have said; null if it had none' },
)
export const verdictBody = ({ draftId, draftSays }: Pick<DecisionRow, 'draftId' | 'draftSays'>) =>
  draftId === null || draftSays === null ? null : { id: draftId, verdict: draftSays }

const TallyBody = Type.Object({
  payments: Type.Integer({ description: 'How many' }),
  amount: AmountOut,
  amount_atomic: AtomicOut,
})
const tallied = (description: string) => Type.Object(TallyBody.properties, { description })
const tallyBody = ({ payments, amount }: Tally, { decimals }: Asset) => ({
  payments,
  ...shownAmounts({ amount }, decimals),
})

/** Rules as the API shows them: those that are named. */
export const RulesBody = Type.Object(
  {
    mcc_locks: Type.Optional(Type.String({ description: 'Merchant categories; empty for all' })),
    allowed_merchants: Type.Optional(
      Type.Array(Type.String(), { description: 'Payees; empty for any' }),
    ),
    max_transaction: Type.Optional(NullableNumber('The most that one payment may be')),
    approval_above: Type.Optional(NullableNumber('A payment above this waits for the owner')),
    approval_first_merchant: Type.Optional(
      Type.Boolean({ description: 'Whether the first payment to each payee waits for the owner' }),
    ),
    ...perLimit('name', ({ description }) => Type.Optional(NullableNumber(description))),
  },
  { description: 'The rules; those that are left out are the active ones' },
)
const AMOUNTS: ReadonlySet<string> = new Set([
  ...['max_transaction', 'approval_above'],
  ...CARD_LIMITS.map(({ name }) => name),
])
const shownKept = (kept: KeptRules, { decimals }: Asset): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(kept).map(([name, value]) => [
      name,
      AMOUNTS.has(name) && typeof value === 'string' ? toNumber(BigInt(value), decimals) : value,
    ]),
  )
export const rulesBody = (rules: RuleChange, asset: Asset) => shownKept(keepRules(rules), asset)

export const DraftBody = Type.Object({
  id: Type.String({ description: 'Id of the draft' }),
  made_at: Timestamp,
  rules: RulesBody,
  changed: Type.Array(Type.String(), {
    description: 'Active rules that were changed since; `apply` asks for them by name',
  }),
})
/** The draft of a card that has one and whose draft reads. */
export const draftBody = (card: CardWithMoney, rules: RuleChange | undefined, asset: Asset) =>
  card.draft && {
    id: card.draft.id,
    made_at: card.draft.made_at,
    rules: rules ? rulesBody(rules, asset) : {},
    changed: changedSince(card, card.draft),
  }

const DifferingBody = Type.Object({
  id: Type.String({ description: 'Id of the decision' }),
  created_at: Timestamp,
  ref: Type.String({ description: 'Id of what it belongs to' }),
  amount: AmountOut,
  amount_atomic: AtomicOut,
  merchant: Type.String({ description: 'The payee' }),
  protocol: OneOf(RAILS, 'Protocol by which it is paid'),
  rule: Type.String({ description: 'The rule that decided it' }),
  would_be: Type.String({ description: '`allowed`, or the code of the refusal' }),
  window: NullableString('The window of the limit that refuses it; null for another rule'),
})
const differingBody = ({ past, would }: Differing, { decimals }: Asset) => ({
  id: past.id,
  created_at: iso(past.createdAt),
  ref: past.ref,
  ...shownAmounts({ amount: past.amount }, decimals),
  merchant: past.merchant,
  protocol: past.rail,
  rule: past.rule,
  would_be: would.allowed ? ALLOWS : would.rule,
  window: would.window,
})
const Newly = {
  newly_allowed: tallied('Declined, and these rules allow it'),
  newly_declined: tallied('Allowed, and these rules decline it'),
  not_judged: tallied('Decisions that could not be judged'),
}
const Truncated = Type.Boolean({ description: 'Whether there are more than the 10,000 that count' })

export const SummaryBody = Type.Object(
  {
    decisions: tallied('Every decision since the draft was made'),
    both_allowed: tallied('Allowed by both'),
    both_declined: tallied('Declined by both'),
    ...Newly,
    truncated: Truncated,
    differing: Type.Array(DifferingBody, { description: 'The first ten that differ' }),
  },
  { description: 'What the draft would have said since it was made' },
)

/** The sums of what a draft said. */
export function summaryBody(
  counts: readonly VerdictCount[],
  { differing, max }: { differing: readonly DecisionRow[]; max: number },
  asset: Asset,
) {
  const sum = (which: (one: VerdictCount) => boolean) =>
    tallyBody(
      counts.filter(which).reduce<Tally>(
        (all, one) => ({
          payments: all.payments + Number(one.payments),
          amount: plus(all.amount, amount(one.amount)),
        }),
        { payments: 0, amount: ZERO },
      ),
      asset,
    )
  const of = (was: boolean, would: boolean) =>
    sum(
      ({ allowed, says }) => says !== NOT_JUDGED && allowed === was && (says === ALLOWS) === would,
    )
  const decisions = sum(() => true)
  return {
    decisions,
    both_allowed: of(true, true),
    both_declined: of(false, false),
    newly_allowed: of(false, true),
    newly_declined: of(true, false),
    not_judged: sum(({ says }) => says === NOT_JUDGED),
    truncated: decisions.payments >= max,
    differing: differing.map((past) => {
      const allowed = past.draftSays === ALLOWS
      const would = { allowed, rule: past.draftSays ?? '', window: null }
      return differingBody({ past, would: { ...would, window: windowOf(past) } }, asset)
    }),
  }
}

const windowOf = ({ draftSays, createdAt }: DecisionRow): string | null =>
  CARD_LIMITS.find(({ code }) => code === draftSays)?.windowOf(createdAt) ?? null

export const BacktestBody = Type.Object({
  asset: AssetField,
  rules: RulesBody,
  since: Timestamp,
  until: Timestamp,
  decisions: Type.Integer({ description: 'How many decisions were judged anew' }),
  truncated: Truncated,
  read_until: NullableTimestamp('When the last of them was made; null for none'),
  was_allowed: tallied('Allowed then'),
  was_declined: tallied('Declined then'),
  would_allow: tallied('Allowed by these rules'),
  would_decline: tallied('Declined by these rules'),
  ...Newly,
  reasons: Type.Array(
    Type.Object({
      rule: Type.String({ description: 'The code of the refusal' }),
      window: NullableString('The window of the limit; null for another rule'),
      ...TallyBody.properties,
    }),
    { description: `Why these rules decline, by limit and window; the first ${SHOWN_MAX}` },
  ),
  differing: Type.Array(DifferingBody, {
    description: `The first ${SHOWN_MAX} that these rules would have decided otherwise`,
  }),
})

export const backtestBody = (made: Backtest, asset: Asset) => ({
  asset: asset.symbol,
  decisions: made.decisions,
  truncated: made.truncated,
  read_until: isoOrNull(made.readUntil),
  was_allowed: tallyBody(made.wasAllowed, asset),
  was_declined: tallyBody(made.wasDeclined, asset),
  would_allow: tallyBody(made.wouldAllow, asset),
  would_decline: tallyBody(made.wouldDecline, asset),
  newly_allowed: tallyBody(made.newlyAllowed, asset),
  newly_declined: tallyBody(made.newlyDeclined, asset),
  not_judged: tallyBody(made.notJudged, asset),
  reasons: [...made.reasons.values()]
    .slice(0, SHOWN_MAX)
    .map(({ rule, window, tally }) => ({ rule, window, ...tallyBody(tally, asset) })),
  differing: made.differing.map((one) => differingBody(one, asset)),
})
