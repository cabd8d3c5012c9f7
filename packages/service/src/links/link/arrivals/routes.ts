import { Type } from 'typebox'
import {
  CursorQuery,
  checkAfter,
  HasMore,
  idParam,
  PAGE_DEFAULT,
  pageOf,
  Success,
} from '../../../api/http/fields.ts'
import { keyRoute, type Route } from '../../../api/http/route.ts'
import { notFound } from '../../../base/kernel/problem.ts'
import { shownAsset } from '../../../chain/client/rails.ts'
import { normalCode } from '../store.ts'
import { isMine, keepException, storedReasons } from './exceptions.ts'
import { refundRoutes } from './refund-routes.ts'
import { findException, listExceptions } from './store-exceptions.ts'
import { ExceptionBody, ExceptionStatusField, exceptionBody, ReasonField } from './view.ts'

const list = keyRoute({
  method: 'GET',
  path: '/api/exceptions',
  tag: 'Pay links',
  summary: 'Payments that reached your links and do not settle them, newest first',
  description:
    'Money that came late, short, over or to a closed link. It is on your treasury balance; keep it or refund it.',
  scope: 'paylinks:read',
  query: Type.Object(
    {
      ...CursorQuery,
      status: Type.Optional(ExceptionStatusField),
      reason: Type.Optional(ReasonField),
      pay_link_code: Type.Optional(
        Type.String({ maxLength: 64, description: 'Code of the pay link' }),
      ),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    exceptions: Type.Array(ExceptionBody, { description: 'The exceptions, newest first' }),
    has_more: HasMore,
  }),
  attack: 'none',
  costs: { statements: 300 },
  errors: ['invalid_field'],
  handle: async ({ query, caller, services }) => {
    const { walletAddress, cardIds } = caller
    const { after, status, reason, limit = PAGE_DEFAULT } = query
    const { reader } = services.db
    await checkAfter(after, async (id) => {
      const last = await findException(reader, id)
      return last !== undefined && isMine(last, { id, walletAddress, cardIds })
    })
    const found = await listExceptions(reader, {
      walletAddress,
      cardIds,
      status,
      after,
      limit,
      reasons: reason && storedReasons(reason),
      code: query.pay_link_code && normalCode(query.pay_link_code),
    })
    const { rows, hasMore } = pageOf(found, limit)
    return {
      exceptions: rows.map((row) => exceptionBody(row, shownAsset(services.chain, row))),
      has_more: hasMore,
    }
  },
})

const get = keyRoute({
  method: 'GET',
  path: '/api/exceptions/{id}',
  tag: 'Pay links',
  summary: 'One exception',
  description: 'Money that reached a link and does not settle it.',
  scope: 'paylinks:read',
  params: idParam('exception'),
  response: Type.Object({ exception: ExceptionBody }),
  attack: 'none',
  costs: { statements: 300 },
  errors: ['not_found'],
  handle: async ({ params, caller, services }) => {
    const exception = await findException(services.db.reader, params.id)
    const { walletAddress, cardIds } = caller
    if (!exception || !isMine(exception, { id: params.id, walletAddress, cardIds }))
      throw notFound('exception')
    return { exception: exceptionBody(exception, shownAsset(services.chain, exception)) }
  },
})

const keep = keyRoute({
  method: 'POST',
  path: '/api/exceptions/{id}/keep',
  tag: 'Pay links',
  summary: 'Keep the money of an exception; it can no longer be refunded',
  description:
    'The money is on your treasury balance already, less its fee. To keep it again changes nothing.',
  scope: 'paylinks:write',
  params: idParam('exception'),
  response: Type.Object({ success: Success, exception: ExceptionBody }),
  attack: 'none',
  costs: { statements: 600 },
  errors: ['not_found', 'already_refunded'],
  handle: ({ params, caller, at, services, write }) =>
    write(async (tx) => {
      const { chain } = services
      const { walletAddress, cardIds } = caller
      const kept = await keepException(tx, at, { id: params.id, walletAddress, cardIds, chain })
      return { success: true, exception: exceptionBody(kept, shownAsset(chain, kept)) }
    }),
})

export const exceptionRoutes: Route[] = [list, get, keep, ...refundRoutes]
