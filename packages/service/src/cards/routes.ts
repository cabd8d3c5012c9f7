import { Type } from 'typebox'
import type { Reader } from '../db/sql.ts'
import { type Caller, mayUseCard, type Scope } from '../http/caller.ts'
import {
  AmountIn,
  AmountOut,
  CursorQuery,
  checkAfter,
  IdParam,
  iso,
  NullableString,
  OneOf,
  PAGE_DEFAULT,
  pageOf,
  Timestamp,
  WHOLE_DEFAULT,
  WholeQuery,
} from '../http/fields.ts'
import { keyRoute, type Route } from '../http/route.ts'
import { parsePositiveAmount, toNumber } from '../kernel/money.ts'
import { notFound, Problem } from '../kernel/problem.ts'
import { BalanceBody, readTreasury } from '../treasury/balance.ts'
import { CARD_STATUSES, type CardWithMoney } from './card.ts'
import {
  cancelCard,
  changeControls,
  claimCard,
  freezeCard,
  rotateToken,
  unfreezeCard,
} from './change.ts'
import { hasDecision, listDecisions } from './decisions.ts'
import { fundLane } from './issue/fund.ts'
import { ControlsBody, readControls } from './issue/orders.ts'
import { issueRoutes, mayIssue } from './issue/routes.ts'
import { RAILS } from './policy.ts'
import { findCard, listCards } from './store.ts'
import { findTransaction, listTransactions } from './transactions.ts'
import { CardBody, cardBody, TransactionBody, transactionBody } from './view.ts'

const CardAnswer = Type.Object({ success: Type.Boolean(), card: CardBody })
const StatusAnswer = Type.Object({
  success: Type.Boolean(),
  card_id: Type.String(),
  status: OneOf(CARD_STATUSES),
})

/** The caller's card; one of another wallet, or that the key does not name, does not exist. */
async function ownCard(on: Reader, caller: Caller, id: string): Promise<CardWithMoney> {
  const card = await findOwn(on, caller, id)
  if (!card) throw notFound('card')
  return card
}

async function findOwn(on: Reader, caller: Caller, id: string): Promise<CardWithMoney | undefined> {
  const card = mayUseCard(caller, id) ? await findCard(on, id) : undefined
  return card?.walletAddress === caller.walletAddress ? card : undefined
}

/** The caller and the card of the path, for the verbs that lock it themselves. */
function mine(caller: Caller, id: string) {
  if (!mayUseCard(caller, id)) throw notFound('card')
  return { walletAddress: caller.walletAddress, cardId: id }
}

const balance = keyRoute({
  method: 'GET',
  path: '/api/balance',
  tag: 'Treasury',
  summary: 'Your treasury balance',
  description: 'What is free to be put on cards or taken out. What is on cards is not in it.',
  scope: 'treasury:read',
  response: Type.Object({ balances: Type.Array(BalanceBody) }),
  errors: [],
  handle: async ({ caller, services }) => ({
    balances: [await readTreasury(services.db.reader, services.chain.asset, caller.walletAddress)],
  }),
})

const list = keyRoute({
  method: 'GET',
  path: '/api/cards',
  tag: 'Cards',
  summary: 'Your cards, newest first',
  description: 'Tokens are masked. A key that is restricted to cards is shown those alone.',
  scope: 'cards:read',
  query: Type.Object(
    { ...CursorQuery, status: Type.Optional(OneOf(CARD_STATUSES)) },
    { additionalProperties: false },
  ),
  response: Type.Object({ cards: Type.Array(CardBody), has_more: Type.Boolean() }),
  errors: [],
  handle: async ({ query, caller, services }) => {
    const limit = query.limit ?? PAGE_DEFAULT
    await checkAfter(
      query.after,
      async (id) => (await findOwn(services.db.reader, caller, id)) !== undefined,
    )
    const filter = { status: query.status, after: query.after, limit, ids: caller.cardIds }
    const { rows, hasMore } = pageOf(
      await listCards(services.db.reader, caller.walletAddress, filter),
      limit,
    )
    return { cards: rows.map((card) => cardBody(card, services.chain.asset)), has_more: hasMore }
  },
})

const get = keyRoute({
  method: 'GET',
  path: '/api/cards/{id}',
  tag: 'Cards',
  summary: 'One card',
  description: 'The token is masked.',
  scope: 'cards:read',
  params: IdParam,
  response: Type.Object({ card: CardBody }),
  errors: ['not_found'],
  handle: async ({ params, caller, services }) => ({
    card: cardBody(await ownCard(services.db.reader, caller, params.id), services.chain.asset),
  }),
})

const fund = keyRoute({
  method: 'POST',
  path: '/api/cards/{id}/fund',
  tag: 'Cards',
  summary: 'Top up an ACTIVE card from your treasury balance',
  description: 'Raises limit and balance of the card by the amount.',
  scope: 'cards:write',
  params: IdParam,
  body: Type.Object({ amount: AmountIn }, { additionalProperties: false }),
  response: Type.Object({
    success: Type.Boolean(),
    card_id: Type.String(),
    added: AmountOut,
    new_limit: AmountOut,
  }),
  errors: ['invalid_amount', 'insufficient_balance', 'not_found', 'invalid_state'],
  handle: async ({ params, body, caller, services, submit }) => {
    mayIssue(caller)
    const { asset } = services.chain
    const amount = parsePositiveAmount(body.amount, asset.decimals)
    return submit(fundLane, { ...mine(caller, params.id), amount, asset }, (outcome) => {
      if (!outcome.ok) throw outcome.problem
      return {
        success: true,
        card_id: outcome.card.id,
        added: toNumber(amount, asset.decimals),
        new_limit: toNumber(outcome.card.limitAmount, asset.decimals),
      }
    })
  },
})

const statusRoute = (
  { verb, ...said }: { verb: string; scope: Scope; summary: string; description: string },
  change: typeof freezeCard,
): Route =>
  keyRoute({
    method: 'POST',
    path: `/api/cards/{id}/${verb}`,
    tag: 'Cards',
    ...said,
    params: IdParam,
    response: StatusAnswer,
    errors: ['not_found', 'invalid_state'],
    handle: ({ params, caller, at, write }) =>
      write(async (tx) => {
        const card = await change(tx, at, mine(caller, params.id))
        return { success: true, card_id: card.id, status: card.status }
      }),
  })
const freeze = statusRoute(
  {
    verb: 'freeze',
    scope: 'cards:write',
    summary: 'Stop every debit of a card',
    description: 'At once, on every protocol. Money still arrives on it.',
  },
  freezeCard,
)
// A key that spends with a card may freeze it. Only controls:write may undo a freeze, which may be the wallet's own.
const unfreeze = statusRoute(
  {
    verb: 'unfreeze',
    scope: 'controls:write',
    summary: 'Let a frozen card spend again',
    description:
      'Needs `controls:write`: whoever may stop a card must not undo that its wallet has.',
  },
  unfreezeCard,
)

const controls = keyRoute({
  method: 'PATCH',
  path: '/api/cards/{id}/controls',
  tag: 'Cards',
  summary: 'Change what a card may spend on',
  description:
    'A restricted key needs the scope `controls:write`: whoever may spend with a card must not loosen its controls.',
  scope: 'controls:write',
  params: IdParam,
  body: ControlsBody,
  response: CardAnswer,
  errors: ['invalid_amount', 'not_found', 'invalid_state'],
  handle: async ({ params, body, caller, at, services, write }) => {
    const { asset } = services.chain
    const change = readControls(body, asset)
    return write(async (tx) => {
      const card = await changeControls(tx, at, { ...mine(caller, params.id), change })
      return { success: true, card: cardBody(card, asset) }
    })
  },
})

const claim = keyRoute({
  method: 'POST',
  path: '/api/cards/{id}/claim',
  tag: 'Cards',
  summary:
    'Move what is left on an ended card, or what an ACTIVE card earned, to your treasury balance',
  description: 'What an open card earned beyond its limit, and all of one that has ended.',
  scope: 'cards:write',
  params: IdParam,
  body: Type.Object(
    { token: Type.String({ maxLength: 100 }), amount: Type.Optional(AmountIn) },
    { additionalProperties: false },
  ),
  response: Type.Object({
    success: Type.Boolean(),
    card: CardBody,
    claimed: AmountOut,
    ...CardBody.properties,
  }),
  errors: [
    'invalid_amount',
    'invalid_card_token',
    'insufficient_funds',
    'not_found',
    'invalid_state',
    'nothing_to_claim',
  ],
  handle: async ({ params, body, caller, at, services, write }) => {
    const { asset } = services.chain
    const amount =
      body.amount === undefined ? null : parsePositiveAmount(body.amount, asset.decimals)
    return write(async (tx) => {
      const claimed = await claimCard(tx, at, {
        ...mine(caller, params.id),
        token: body.token,
        amount,
        asset,
      })
      const card = cardBody(claimed.card, asset)
      return { success: true, card, claimed: toNumber(claimed.claimed, asset.decimals), ...card }
    })
  },
})

const cancel = keyRoute({
  method: 'POST',
  path: '/api/cards/{id}/cancel',
  tag: 'Cards',
  summary: 'Close a card for good; what it does not hold returns to your treasury balance',
  description: 'For good. What was on the card is on the treasury balance again.',
  scope: 'cards:write',
  params: IdParam,
  response: CardAnswer,
  errors: ['not_found', 'invalid_state'],
  handle: ({ params, caller, at, services, write }) =>
    write(async (tx) => {
      const { asset } = services.chain
      const card = await cancelCard(tx, at, { ...mine(caller, params.id), asset })
      return { success: true, card: cardBody(card, asset) }
    }),
})

const rotate = keyRoute({
  method: 'POST',
  path: '/api/cards/{id}/rotate-token',
  tag: 'Cards',
  summary: 'Give a card a new token; the old one stops at once',
  description: 'The old token is refused at once. The new one is shown this once.',
  scope: 'cards:write',
  params: IdParam,
  response: CardAnswer,
  errors: ['not_found', 'invalid_state'],
  handle: async ({ params, caller, at, services, write }) => {
    // Who has the token may pay any amount with it, at a pay link and without a key.
    if (caller.maxAmount !== null)
      throw new Problem(
        'forbidden_scope',
        'A key restricted to an amount cannot make a card token. Use a key without max_amount.',
      )
    return write(async (tx) => {
      const { card, token } = await rotateToken(tx, at, mine(caller, params.id))
      return { success: true, card: cardBody(card, services.chain.asset, token) }
    })
  },
})

const transactions = keyRoute({
  method: 'GET',
  path: '/api/cards/{id}/transactions',
  tag: 'Cards',
  summary: 'What a card sent and received, newest first',
  description: 'One side of each payment, as this card sees it.',
  scope: 'cards:read',
  params: IdParam,
  query: Type.Object(WholeQuery, { additionalProperties: false }),
  response: Type.Object({ transactions: Type.Array(TransactionBody), has_more: Type.Boolean() }),
  errors: ['not_found'],
  handle: async ({ params, query, caller, services }) => {
    const { walletAddress } = caller
    const card = await ownCard(services.db.reader, caller, params.id)
    await checkAfter(query.after, async (id) => {
      const last = await findTransaction(services.db.reader, id)
      return last?.cardId === card.id && last.walletAddress === walletAddress
    })
    const limit = query.limit ?? WHOLE_DEFAULT
    const found = await listTransactions(services.db.reader, {
      walletAddress,
      cardId: card.id,
      after: query.after,
      limit,
    })
    const { rows, hasMore } = pageOf(found, limit)
    return {
      transactions: rows.map((row) => transactionBody(row, services.chain.asset)),
      has_more: hasMore,
    }
  },
})

const decisions = keyRoute({
  method: 'GET',
  path: '/api/cards/{id}/decisions',
  tag: 'Cards',
  summary: 'Every allow and deny of a card, with the rule and what it was decided on',
  description: 'Newest first. Each tells what it was decided on, so that it can be followed.',
  scope: 'cards:read',
  params: IdParam,
  query: Type.Object(CursorQuery, { additionalProperties: false }),
  response: Type.Object({
    decisions: Type.Array(
      Type.Object({
        id: Type.String(),
        allowed: Type.Boolean(),
        rule: Type.String(),
        amount: AmountOut,
        merchant: Type.String(),
        mcc: NullableString,
        protocol: OneOf(RAILS),
        ref: Type.String(),
        inputs: Type.Record(Type.String(), Type.Any(), {
          description: 'The card as it stood; amounts in base units',
        }),
        created_at: Timestamp,
      }),
    ),
    has_more: Type.Boolean(),
  }),
  errors: ['not_found'],
  handle: async ({ params, query, caller, services }) => {
    const card = await ownCard(services.db.reader, caller, params.id)
    await checkAfter(query.after, (id) => hasDecision(services.db.reader, card.id, id))
    const limit = query.limit ?? PAGE_DEFAULT
    const { rows, hasMore } = pageOf(
      await listDecisions(services.db.reader, card.id, { after: query.after, limit }),
      limit,
    )
    return {
      decisions: rows.map(({ rail, createdAt, ...row }) => ({
        ...row,
        protocol: rail,
        amount: toNumber(row.amount, services.chain.asset.decimals),
        created_at: iso(createdAt),
      })),
      has_more: hasMore,
    }
  },
})

export const cardRoutes: Route[] = [
  balance,
  ...issueRoutes,
  list,
  get,
  fund,
  freeze,
  unfreeze,
  controls,
  claim,
  cancel,
  rotate,
  transactions,
  decisions,
]
