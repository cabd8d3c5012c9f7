import { Type } from 'typebox'
import type { Caller } from '../../../api/http/caller.ts'
import {
  CardTokenIn,
  CursorQuery,
  checkAfter,
  HasMore,
  idParam,
  PAGE_DEFAULT,
  pageOf,
  Success,
} from '../../../api/http/fields.ts'
import { keyRoute, type Route } from '../../../api/http/route.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { assetOf } from '../../../chain/client/rails.ts'
import { findOwn, mine, ownCard } from '../controls/own-card.ts'
import { orderFields, readOrder } from '../issue/orders.ts'
import { listChildren } from '../store.ts'
import { CardBody, cardBody } from '../view.ts'
import { issueChild } from './issue.ts'

/** A key that issues cards needs no token of theirs. One that only pays hands on what it could spend itself. */
function checkMaySlice({ scopes, maxAmount }: Caller, token: string | undefined): void {
  if (maxAmount !== null)
    throw new Problem(
      'forbidden_scope',
      'A key restricted to an amount cannot make a card token. Use a key without max_amount.',
    )
  if (token === undefined && scopes && !scopes.includes('cards:write'))
    throw new Problem(
      'missing_field',
      'card_token is required for a key without the scope cards:write.',
      { param: 'card_token' },
    )
}

const issue = keyRoute({
  method: 'POST',
  path: '/api/cards/{id}/children',
  tag: 'Cards',
  summary: 'Hand a slice of a card to another agent, as a card of its own',
  description:
    'The money comes off this card. What the child spends counts against the limits of this card and of all above it, and each of them decides too: frozen, cancelled or with a lowered limit, it stops the child at once. A restricted key needs the scope `children:write`, and the `card_token` of this card unless it has `cards:write` too.',
  scope: 'children:write',
  params: idParam('card'),
  body: Type.Object(
    { ...orderFields, card_token: Type.Optional(CardTokenIn) },
    { additionalProperties: false },
  ),
  response: Type.Object({ success: Success, card: CardBody }),
  attack: 'none',
  costs: { statements: 1_000 },
  errors: [
    'invalid_amount',
    'invalid_card_token',
    'insufficient_funds',
    'not_found',
    'invalid_state',
    'limit_reached',
    'forbidden_scope',
  ],
  handle: async ({ params, body, caller, at, services, write }) => {
    const { card_token: token, ...order } = body
    const { chain } = services
    const { walletAddress } = caller
    return write(async (tx) => {
      const own = mine(caller, params.id)
      const made = await issueChild(tx, at, {
        ...own,
        token,
        allow: () => checkMaySlice(caller, token),
        asset: (card) => assetOf(chain, card),
        orderOf: (asset) => readOrder(order, { at, walletAddress, asset }),
      })
      return { success: true, card: cardBody(made.card, made.asset, made.token) }
    })
  },
})

const list = keyRoute({
  method: 'GET',
  path: '/api/cards/{id}/children',
  tag: 'Cards',
  summary: 'The child cards of a card, newest first',
  description: 'Those that were issued from this card itself. Tokens are masked.',
  scope: 'cards:read',
  params: idParam('card'),
  query: Type.Object(CursorQuery, { additionalProperties: false }),
  response: Type.Object({
    cards: Type.Array(CardBody, { description: 'The children, newest first' }),
    has_more: HasMore,
  }),
  attack: 'none',
  costs: { statements: 400 },
  errors: ['not_found'],
  handle: async ({ params, query, caller, services }) => {
    const { reader } = services.db
    const card = await ownCard(reader, caller, params.id)
    await checkAfter(query.after, async (id) => {
      const last = await findOwn(reader, caller, id)
      return last?.ancestors.at(-1) === card.id
    })
    const limit = query.limit ?? PAGE_DEFAULT
    const found = await listChildren(reader, { id: card.id, after: query.after, limit })
    const { rows, hasMore } = pageOf(found, limit)
    const own = rows.filter(({ walletAddress }) => walletAddress === card.walletAddress)
    return {
      cards: own.map((child) => cardBody(child, assetOf(services.chain, child))),
      has_more: hasMore,
    }
  },
})

export const childRoutes: Route[] = [issue, list]
