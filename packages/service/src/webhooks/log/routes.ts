import { Type } from 'typebox'
import { OneOf, PAGE_DEFAULT } from '../../http/fields.ts'
import { keyRoute, type Route } from '../../http/route.ts'
import { notFound } from '../../kernel/problem.ts'
import { checkWholeWallet } from '../caller.ts'
import { hasWebhook } from '../store.ts'
import { DeliveryBody, viewDelivery } from '../view.ts'
import { countDeliveries, DELIVERY_STATUSES, listDeliveries } from './store.ts'

const PAGE_MAX = 1_000_000

const list = keyRoute({
  method: 'GET',
  path: '/api/webhooks/deliveries',
  tag: 'Webhooks',
  summary: 'The log of deliveries, newest first',
  description: 'Every event that was sent to your webhooks, or waits to be. Without the bodies.',
  scope: 'webhooks:read',
  query: Type.Object(
    {
      webhook_id: Type.Optional(Type.String({ maxLength: 64 })),
      status: Type.Optional(OneOf(DELIVERY_STATUSES)),
      page: Type.Optional(
        Type.Integer({ minimum: 1, maximum: PAGE_MAX, description: '1 without it' }),
      ),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 100, description: 'At most 100; 50 without it' }),
      ),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    deliveries: Type.Array(DeliveryBody),
    total: Type.Integer({ description: 'How many match, on all pages' }),
    page: Type.Integer(),
    pages: Type.Integer(),
    limit: Type.Integer(),
  }),
  errors: ['not_found', 'forbidden_scope'],
  handle: async ({ query, caller, services }) => {
    checkWholeWallet(caller)
    const { page = 1, limit = PAGE_DEFAULT, webhook_id: webhookId, status } = query
    const { walletAddress } = caller
    const { reader } = services.db
    if (webhookId !== undefined && !(await hasWebhook(reader, { id: webhookId, walletAddress })))
      throw notFound('webhook')
    const filter = { walletAddress, webhookId, status }
    const total = await countDeliveries(reader, filter)
    const offset = (page - 1) * limit
    const rows = offset < total ? await listDeliveries(reader, filter, { limit, offset }) : []
    return {
      deliveries: rows.map(viewDelivery),
      ...{ total, page, limit },
      pages: Math.ceil(total / limit),
    }
  },
})

export const logRoutes: Route[] = [list]
