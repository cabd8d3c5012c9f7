import { Type } from 'typebox'
import {
  CursorQuery,
  checkAfter,
  HasMore,
  iso,
  PAGE_DEFAULT,
  pageOf,
  Success,
  Timestamp,
} from '../../../api/http/fields.ts'
import { keyRoute, type Route } from '../../../api/http/route.ts'
import { assert } from '../../../base/kernel/assert.ts'
import { ownCard } from '../../../money/cards/controls/own-card.ts'
import { CardIdField, MandateField, strict } from '../fields.ts'
import { nameOf } from './open/open-mandate.ts'
import { revokeMandate } from './open/revoke.ts'
import { hasOpenMandate, listOpenMandates } from './open/store.ts'
import { unsealTokens } from './open/unseal.ts'
import { findMandates, listMandates } from './store.ts'
import { closedBody, MandateBody, openBody } from './view.ts'

const IdField = Type.String({ minLength: 1, maxLength: 300, description: 'Id of the mandate' })

const list = keyRoute({
  method: 'GET',
  path: '/api/ap2/mandates/{card_id}',
  tag: 'AP2',
  summary: "A card's mandates, newest first",
  description:
    'Payments that were made by mandate; with `kind=open` the open mandates that were issued here, used or revoked, with what is used of them.',
  scope: 'cards:read',
  params: Type.Object({ card_id: CardIdField }),
  query: Type.Object(
    {
      ...CursorQuery,
      after: Type.Optional(IdField),
      kind: Type.Optional(
        Type.Unsafe<'open' | 'closed'>({
          type: 'string',
          enum: ['open', 'closed'],
          description: 'Open mandates alone, or closed ones that have paid',
        }),
      ),
    },
    strict,
  ),
  response: Type.Object({
    mandates: Type.Array(MandateBody, { description: 'The mandates, newest first' }),
    has_more: HasMore,
  }),
  attack: 'none',
  costs: { statements: 400 },
  errors: ['not_found'],
  handle: async ({ params, query, caller, at, services }) => {
    const { reader } = services.db
    const card = await ownCard(reader, caller, params.card_id)
    const { limit = PAGE_DEFAULT, after } = query
    if (query.kind === 'open') {
      await checkAfter(after, (name) => hasOpenMandate(reader, card.id, name))
      const opens = await listOpenMandates(reader, card.id, { after, limit })
      const { rows, hasMore } = pageOf(opens, limit)
      const withTokens = await unsealTokens(services, rows)
      return { mandates: withTokens.map((open) => openBody(open, at)), has_more: hasMore }
    }
    const [last] =
      after === undefined ? [] : await findMandates(reader, [{ cardId: card.id, mandateId: after }])
    await checkAfter(after, async () => last !== undefined)
    const closed = await listMandates(reader, card.id, {
      owner: card.walletAddress,
      after: last?.settlementId,
      limit,
    })
    const { rows, hasMore } = pageOf(closed, limit)
    return { mandates: rows.map(closedBody), has_more: hasMore }
  },
})

const revoke = keyRoute({
  method: 'POST',
  path: '/api/ap2/mandates/{mandate_id}/revoke',
  tag: 'AP2',
  summary: 'Revoke an open mandate for good',
  description:
    'By the `mandate_id` it was issued under, or by its `open_id`. An open mandate is one grant: revoked, it ends on every card that it allows. One that none of your cards has used is revoked by its token: send `open_mandate`, and the `card_id` of a card of yours whose user key has signed it.',
  scope: 'cards:write',
  params: Type.Object({ mandate_id: IdField }),
  // A request without a body names one that is known.
  body: Type.Union([
    Type.Object(
      { card_id: Type.Optional(CardIdField), open_mandate: Type.Optional(MandateField) },
      strict,
    ),
    Type.Null(),
  ]),
  response: Type.Object({
    success: Success,
    mandate_id: Type.String({ description: 'Id of the mandate' }),
    open_id: Type.String({
      description: 'Hash under which the use of the open mandate is counted',
    }),
    revoked_at: Timestamp,
  }),
  attack: 'open',
  costs: { statements: 2_000, rows: 200 },
  errors: ['missing_field', 'invalid_field', 'not_found', 'invalid_state'],
  handle: async ({ params, body, caller, at, write }) => {
    const { card_id: cardId, open_mandate: token } = body ?? {}
    const of = {
      mandateId: params.mandate_id,
      ...(cardId !== undefined && { cardId }),
      ...(token !== undefined && { token }),
    }
    return write(async (tx) => {
      const open = await revokeMandate(tx, at, { caller, of })
      assert(open.revokedAt, 'it is revoked')
      return {
        success: true,
        mandate_id: nameOf(open),
        open_id: open.openId,
        revoked_at: iso(open.revokedAt),
      }
    })
  },
})

export const ap2MandateRoutes: Route[] = [list, revoke]
