import { Type } from 'typebox'
import { AssetField, idParam, iso, parseTime, Success } from '../../../api/http/fields.ts'
import { keyRoute, type Route } from '../../../api/http/route.ts'
import type { Services } from '../../../api/http/services.ts'
import type { Reader } from '../../../base/db/sql.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import { addHours } from '../../../base/kernel/clock.ts'
import { notFound, Problem } from '../../../base/kernel/problem.ts'
import { shownAsset } from '../../../chain/client/rails.ts'
import type { CardWithMoney } from '../card.ts'
import { mine, ownCard } from '../controls/own-card.ts'
import { RulesBody, readRules } from '../issue/orders.ts'
import { RULE_NAMES, type RuleChange, readKeptRules, rulesOf } from '../rules/rules.ts'
import { CardBody, cardBody } from '../view.ts'
import { backtest, DECISIONS_MAX } from './backtest.ts'
import { applyDraft, dropDraft, putDraft } from './change.ts'
import { countVerdicts, firstDiffering, idsBetween } from './store.ts'
import {
  BacktestBody,
  backtestBody,
  DraftBody,
  draftBody,
  rulesBody,
  SummaryBody,
  summaryBody,
} from './view.ts'

const path = '/api/cards/{id}/controls/draft'
const assetOf = ({ chain }: Pick<Services, 'chain'>, card: CardWithMoney): Asset =>
  shownAsset(chain, card)
const Draft = Type.Union([DraftBody, Type.Null()], { description: 'The draft; null for none' })

const put = keyRoute({
  method: 'PUT',
  path,
  tag: 'Cards',
  summary: 'Try rules of a card in shadow, beside the active ones',
  description:
    'Each decision of the card records from now on what these rules would have said. They decide nothing. Rules that are left out are the active ones. Takes the place of an earlier draft.',
  scope: 'controls:write',
  params: idParam('card'),
  body: RulesBody,
  response: Type.Object({ success: Success, draft: Draft }),
  attack: 'open',
  costs: { statements: 1_000, rows: 200 },
  errors: ['invalid_amount', 'not_found', 'invalid_state'],
  handle: ({ params, body, caller, at, services, write }) =>
    write(async (tx) => {
      const changeOf = (card: CardWithMoney) => readRules(body, assetOf(services, card))
      const card = await putDraft(tx, at, { ...mine(caller, params.id), rulesOf: changeOf })
      return { success: true, draft: shownDraft(card, assetOf(services, card)) }
    }),
})

const get = keyRoute({
  method: 'GET',
  path,
  tag: 'Cards',
  summary: 'The rules of a card that run in shadow, and what they would have said',
  description:
    'The sums are those of the verdicts that decisions have recorded, the first 10,000 since the draft was made.',
  scope: 'cards:read',
  params: idParam('card'),
  response: Type.Object({
    asset: AssetField,
    draft: Draft,
    summary: Type.Union([SummaryBody, Type.Null()], { description: 'Null without a draft' }),
  }),
  attack: 'none',
  costs: { statements: 600 },
  errors: ['not_found'],
  handle: async ({ params, caller, at, services }) => {
    const { reader } = services.db
    const card = await ownCard(reader, caller, params.id)
    const asset = assetOf(services, card)
    return {
      asset: asset.symbol,
      draft: shownDraft(card, asset),
      summary: await readSummary(reader, at, { card, asset }),
    }
  },
})

const SHOWN = 10

async function readSummary(
  on: Reader,
  at: Date,
  { card, asset }: { card: CardWithMoney; asset: Asset },
) {
  if (card.draft === null) return null
  const span = {
    ...idsBetween(new Date(card.draft.made_at), at),
    limit: DECISIONS_MAX,
    draftId: card.draft.id,
  }
  const counts = await countVerdicts(on, card, span)
  const differing = await firstDiffering(on, card, { ...span, shown: SHOWN })
  return summaryBody(counts, { differing, max: DECISIONS_MAX }, asset)
}

const shownDraft = (card: CardWithMoney, asset: Asset) =>
  draftBody(card, readKeptRules(card.draft?.rules), asset)

const drop = keyRoute({
  method: 'DELETE',
  path,
  tag: 'Cards',
  summary: 'Take the draft of a card away',
  description: 'The verdicts that decisions have recorded stay.',
  scope: 'controls:write',
  params: idParam('card'),
  response: Type.Object({ success: Success }),
  attack: 'none',
  costs: { statements: 800 },
  errors: ['not_found', 'invalid_state'],
  handle: ({ params, caller, at, write }) =>
    write(async (tx) => {
      await dropDraft(tx, at, mine(caller, params.id))
      return { success: true }
    }),
})

const apply = keyRoute({
  method: 'POST',
  path: `${path}/apply`,
  tag: 'Cards',
  summary: 'Make the draft of a card its active rules',
  description:
    'At once and whole; the draft is gone then. 409 `draft_outdated` if an active rule was changed since the draft was made: its `changed` names those rules, and `over` lets the draft replace them, or stand beside them.',
  scope: 'controls:write',
  params: idParam('card'),
  body: Type.Object(
    {
      over: Type.Optional(
        Type.Array(Type.String({ maxLength: 40 }), {
          maxItems: 20,
          description: 'Active rules, by name, that may have changed since the draft was made',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({ success: Success, card: CardBody }),
  attack: 'none',
  costs: { statements: 900 },
  errors: ['not_found', 'invalid_state', 'draft_outdated'],
  handle: ({ params, body, caller, at, services, write }) =>
    write(async (tx) => {
      const { over = [] } = body
      checkNames(over)
      const card = await applyDraft(tx, at, { ...mine(caller, params.id), over })
      return { success: true, card: cardBody(card, assetOf(services, card)) }
    }),
})

function checkNames(names: readonly string[]): void {
  const known: readonly string[] = Object.values(RULE_NAMES)
  if (names.every((name) => known.includes(name))) return
  throw new Problem('invalid_field', `over must name rules: ${known.join(', ')}.`, {
    param: 'over',
  })
}

const BACKTESTS_PER_MINUTE = 20
const HOURS_WITHOUT_SINCE = 30 * 24

const test = keyRoute({
  method: 'POST',
  path: '/api/cards/{id}/controls/backtest',
  tag: 'Cards',
  summary: 'Decide the past of a card anew under other rules',
  description:
    'Reads the decisions of the span, the oldest 10,000, and says what these rules would have allowed and declined, by limit and window. Changes nothing.',
  scope: 'cards:read',
  perMinute: BACKTESTS_PER_MINUTE,
  params: idParam('card'),
  body: Type.Object(
    {
      controls: Type.Optional(RulesBody),
      since: Type.Optional(
        Type.String({ maxLength: 40, description: 'ISO 8601; else 30 days before `until`' }),
      ),
      until: Type.Optional(Type.String({ maxLength: 40, description: 'ISO 8601; else now' })),
    },
    { additionalProperties: false },
  ),
  response: BacktestBody,
  attack: 'none',
  costs: { statements: 800 },
  errors: ['invalid_amount', 'not_found'],
  handle: async ({ params, body, caller, at, services }) => {
    const { reader } = services.db
    const card = await ownCard(reader, caller, params.id)
    const asset = assetOf(services, card)
    const until = body.until === undefined ? at : parseTime(body.until, 'until')
    const since =
      body.since === undefined
        ? addHours(until, -HOURS_WITHOUT_SINCE)
        : parseTime(body.since, 'since')
    if (until < since)
      throw new Problem('invalid_field', 'until must not be before since.', { param: 'until' })
    const change = body.controls ? readRules(body.controls, asset) : draftRules(card)
    const rules = { ...rulesOf(card), ...change }
    const made = await backtest(reader, { card, rules, since, until })
    return {
      rules: rulesBody(rules, asset),
      since: iso(since),
      until: iso(until),
      ...backtestBody(made, asset),
    }
  },
})

/** The rules of the draft, for a backtest that names none. */
function draftRules({ draft }: CardWithMoney): RuleChange {
  const rules = readKeptRules(draft?.rules)
  if (!rules)
    throw notFound('draft', 'Name the rules to test in `controls`; {} are the active ones.')
  return rules
}

export const draftRoutes: Route[] = [get, put, drop, apply, test]
