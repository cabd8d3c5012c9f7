import { Type } from 'typebox'
import {
  AmountOut,
  CursorQuery,
  checkAfter,
  HasMore,
  idParam,
  iso,
  NullableString,
  OneOf,
  PAGE_DEFAULT,
  pageOf,
  TextField,
  Timestamp,
  WHOLE_DEFAULT,
  WholeQuery,
} from '../../api/http/fields.ts'
import { keyRoute, type Route } from '../../api/http/route.ts'
import type { Services } from '../../api/http/services.ts'
import { toNumber } from '../../base/kernel/money.ts'
import { RAILS } from '../../base/protocols/rails.ts'
import { shownAsset } from '../../chain/client/rails.ts'
import { remediesOf } from './approvals/remedies.ts'
import { approvalRoutes } from './approvals/routes.ts'
import { allowedOnce } from './approvals/store.ts'
import { RemedyBody, shownRemedies } from './approvals/view.ts'
import { countRead } from './caps/store-counters.ts'
import { CARD_STATUSES } from './card.ts'
import { childRoutes } from './children/routes.ts'
import { controlRoutes } from './control-routes.ts'
import { findOwn, ownCard } from './controls/own-card.ts'
import { hasDecision, listDecisions } from './decisions.ts'
import { draftRoutes } from './drafts/routes.ts'
import { VerdictBody, verdictBody } from './drafts/view.ts'
import { fundRoutes, issueRoutes } from './issue/routes.ts'
import { capRoutes } from './limits/routes.ts'
import { CARD_ORDERS, listCards } from './lists/store.ts'
import { findTransaction, listTransactions } from './transactions.ts'
import { assetOfTransaction, CardBody, cardAt, TransactionBody, transactionBody } from './view.ts'

/** The reserve of a membership may be in the service token. */
const assetOf = ({ chain }: Services, card: { asset: string }) => shownAsset(chain, card)

const list = keyRoute({
  method: 'GET',
  path: '/api/cards',
  tag: 'Cards',
  summary: 'Your cards',
  description: 'Tokens are masked. A key that is restricted to cards is shown those alone.',
  scope: 'cards:read',
  query: Type.Object(
    {
      ...CursorQuery,
      status: Type.Optional(OneOf(CARD_STATUSES, 'State of the card')),
      search: Type.Optional(
        TextField({
          minLength: 1,
          maxLength: 100,
          description: 'A part of the purpose, in any case; or the id',
        }),
      ),
      sort: Type.Optional(
        OneOf(
          CARD_ORDERS,
          'newest without it. By spent or balance the largest is first, by purpose A',
        ),
      ),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    cards: Type.Array(CardBody, { description: 'The cards, in the order of `sort`' }),
    has_more: HasMore,
  }),
  attack: 'none',
  costs: { statements: 300 },
  errors: [],
  handle: async ({ query, caller, at, services }) => {
    const limit = query.limit ?? PAGE_DEFAULT
    await checkAfter(
      query.after,
      async (id) => (await findOwn(services.db.reader, caller, id)) !== undefined,
    )
    const filter = { ...query, limit, ids: caller.cardIds }
    const { rows, hasMore } = pageOf(
      await listCards(services.db.reader, caller.walletAddress, filter),
      limit,
    )
    return {
      cards: (await countRead(services.db.reader, at, rows)).map((card) =>
        cardAt(card, at, assetOf(services, card)),
      ),
      has_more: hasMore,
    }
  },
})

const get = keyRoute({
  method: 'GET',
  path: '/api/cards/{id}',
  tag: 'Cards',
  summary: 'One card',
  description: 'The token is masked.',
  scope: 'cards:read',
  params: idParam('card'),
  response: Type.Object({ card: CardBody }),
  attack: 'none',
  costs: { statements: 300 },
  errors: ['not_found'],
  handle: async ({ params, caller, at, services }) => {
    const found = await ownCard(services.db.reader, caller, params.id)
    const [card = found] = await countRead(services.db.reader, at, [found])
    return { card: cardAt(card, at, assetOf(services, card)) }
  },
})

const transactions = keyRoute({
  method: 'GET',
  path: '/api/cards/{id}/transactions',
  tag: 'Cards',
  summary: 'List the transactions of a card, newest first',
  description: 'One side of each payment, as this card sees it.',
  scope: 'cards:read',
  params: idParam('card'),
  query: Type.Object(WholeQuery, { additionalProperties: false }),
  response: Type.Object({
    transactions: Type.Array(TransactionBody, { description: 'The transactions, newest first' }),
    has_more: HasMore,
  }),
  attack: 'none',
  costs: { statements: 400 },
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
      transactions: rows.map((row) =>
        transactionBody(row, assetOfTransaction(services.chain, row)),
      ),
      has_more: hasMore,
    }
  },
})

const decisions = keyRoute({
  method: 'GET',
  path: '/api/cards/{id}/decisions',
  tag: 'Cards',
  summary: 'Every allow and deny of a card, with the rule and what it was decided on',
  description: 'Newest first, each with what it was decided on.',
  scope: 'cards:read',
  params: idParam('card'),
  query: Type.Object(CursorQuery, { additionalProperties: false }),
  response: Type.Object({
    decisions: Type.Array(
      Type.Object({
        id: Type.String({ description: 'Id of the card' }),
        allowed: Type.Boolean({ description: 'Whether the card may pay this' }),
        rule: Type.String({ description: 'The rule that decided' }),
        amount: AmountOut,
        merchant: Type.String({
          description: 'The payee: a host, pay link, wallet, address or card',
        }),
        mcc: NullableString('Merchant category code, four digits; null for none'),
        protocol: OneOf(RAILS, 'Protocol by which it is paid'),
        ref: Type.String({ description: 'Id of what it belongs to' }),
        inputs: Type.Record(Type.String(), Type.Any(), {
          description: 'The card as it stood; amounts in base units',
        }),
        draft: VerdictBody,
        remedies: Type.Array(RemedyBody, {
          description: 'What you can do so that the payment passes; empty for an allowed one',
        }),
        allowed_by: NullableString('The approval that lets a decline pass once'),
        created_at: Timestamp,
      }),
      { description: 'The decisions, newest first' },
    ),
    has_more: HasMore,
  }),
  attack: 'none',
  costs: { statements: 400 },
  errors: ['not_found'],
  handle: async ({ params, query, caller, services }) => {
    const card = await ownCard(services.db.reader, caller, params.id)
    await checkAfter(query.after, (id) => hasDecision(services.db.reader, card.id, id))
    const limit = query.limit ?? PAGE_DEFAULT
    const { rows, hasMore } = pageOf(
      await listDecisions(services.db.reader, card, { after: query.after, limit }),
      limit,
    )
    const declined = rows.filter(({ allowed }) => !allowed).map(({ id }) => id)
    const allowed = await allowedOnce(services.db.reader, declined)
    return {
      decisions: rows.map(({ rail, createdAt, merchants, draftId, draftSays, ...row }) => ({
        ...row,
        protocol: rail,
        draft: verdictBody({ draftId, draftSays }),
        amount: toNumber(row.amount, assetOf(services, card).decimals),
        remedies: row.allowed
          ? []
          : shownRemedies(remediesOf({ ...row, merchants }), {
              id: row.id,
              cardId: card.id,
              asset: assetOf(services, card),
            }),
        allowed_by: allowed.get(row.id) ?? null,
        created_at: iso(createdAt),
      })),
      has_more: hasMore,
    }
  },
})

export const cardRoutes: Route[] = [
  ...issueRoutes,
  list,
  get,
  ...fundRoutes,
  ...controlRoutes,
  ...draftRoutes,
  transactions,
  decisions,
  ...approvalRoutes,
  ...childRoutes,
  ...capRoutes,
]
