import { Type } from 'typebox'
import { notFound, Problem } from '../../../base/kernel/problem.ts'
import { idParam, NullableString, OneOf, PAGE_DEFAULT, parseTime } from '../../http/fields.ts'
import { keyRoute, type Route } from '../../http/route.ts'
import { checkWholeWallet } from '../caller.ts'
import { hasWebhook } from '../store.ts'
import { recoverFailed, replayMissing } from './recover.ts'
import { replay } from './replay.ts'
import { sendTest } from './send-test.ts'
import { countDeliveries, DELIVERY_STATUSES, findDelivery, listDeliveries } from './store.ts'
import { AnsweredBody, DeliveryBody, viewDelivery } from './view.ts'

const PAGE_MAX = 1_000_000
/** Each makes an event. */
const TESTS_PER_MINUTE = 60
/** Each may look at all events of a wallet. */
const RECOVERIES_PER_MINUTE = 30

const list = keyRoute({
  method: 'GET',
  path: '/api/webhooks/deliveries',
  tag: 'Webhooks',
  summary: 'The log of deliveries, newest first',
  description: 'Every event that was sent to your webhooks, or waits to be. Without the bodies.',
  scope: 'webhooks:read',
  query: Type.Object(
    {
      webhook_id: Type.Optional(Type.String({ maxLength: 64, description: 'Id of the webhook' })),
      status: Type.Optional(OneOf(DELIVERY_STATUSES, 'State of the delivery')),
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
    deliveries: Type.Array(DeliveryBody, { description: 'The deliveries, newest first' }),
    total: Type.Integer({ description: 'How many match, on all pages' }),
    page: Type.Integer({ description: 'The number of this page, from 1' }),
    pages: Type.Integer({ description: 'How many pages there are' }),
    limit: Type.Integer({ description: 'The most that a page holds' }),
  }),
  attack: 'none',
  costs: { statements: 300 },
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
      total,
      page,
      limit,
      pages: Math.ceil(total / limit),
    }
  },
})

const get = keyRoute({
  method: 'GET',
  path: '/api/webhooks/deliveries/{id}/body',
  tag: 'Webhooks',
  summary: 'One delivery, with the body that is sent',
  description:
    'The body is null once it is not kept any more; the event itself is in GET /api/events.',
  scope: 'webhooks:read',
  params: idParam('delivery'),
  response: Type.Object({
    delivery: Type.Object(
      {
        ...DeliveryBody.properties,
        body: NullableString('The bytes that are signed and sent, as text'),
      },
      { description: 'The delivery' },
    ),
  }),
  attack: 'none',
  costs: { statements: 300 },
  errors: ['not_found', 'forbidden_scope'],
  handle: async ({ params, caller, services }) => {
    checkWholeWallet(caller)
    const [webhookId = '', eventId = ''] = params.id.split(':')
    const { walletAddress } = caller
    const found = await findDelivery(services.db.reader, { webhookId, eventId, walletAddress })
    if (!found) throw notFound('delivery')
    return { delivery: { ...viewDelivery(found), body: found.body?.toString('utf8') ?? null } }
  },
})

const again = keyRoute({
  method: 'POST',
  path: '/api/webhooks/deliveries/{id}/replay',
  tag: 'Webhooks',
  summary: 'Send one delivery again',
  description:
    'The same bytes and event id, signed anew, to the URL that the webhook has now. Any answer of the endpoint is 200 here, with `ok` for 2xx; 502 if it did not answer. It counts as an attempt.',
  scope: 'webhooks:write',
  params: idParam('delivery'),
  response: AnsweredBody,
  attack: { capped: 'nothing is made' },
  costs: { statements: 1_100, rows: 10, dns: 200, requests: 100 },
  errors: [
    'not_found',
    'payload_not_stored',
    'invalid_state',
    'rate_limited',
    'upstream_failed',
    'forbidden_scope',
  ],
  handle: ({ params, caller, at, services }) => {
    checkWholeWallet(caller)
    return replay(services, at, { id: params.id, walletAddress: caller.walletAddress })
  },
})

const test = keyRoute({
  method: 'POST',
  path: '/api/webhooks/{id}/test',
  tag: 'Webhooks',
  summary: 'Send a test event to a webhook',
  description:
    'Records `webhook.test` and sends it to this webhook alone, a disabled one too. The answer is as that of a replay.',
  scope: 'webhooks:write',
  perMinute: TESTS_PER_MINUTE,
  params: idParam('webhook'),
  response: AnsweredBody,
  attack: 'open',
  costs: { statements: 600, rows: 400, dns: 200, requests: 60 },
  errors: ['not_found', 'rate_limited', 'upstream_failed', 'forbidden_scope'],
  handle: ({ params, caller, at, services }) => {
    checkWholeWallet(caller)
    return sendTest(services, at, { id: params.id, walletAddress: caller.walletAddress })
  },
})

/** An operation on what a webhook did not get in a period. */
const recovery = (
  { verb, ...said }: { verb: string; summary: string; description: string },
  work: typeof recoverFailed,
): Route =>
  keyRoute({
    method: 'POST',
    path: `/api/webhooks/{id}/${verb}`,
    tag: 'Webhooks',
    ...said,
    scope: 'webhooks:write',
    perMinute: RECOVERIES_PER_MINUTE,
    params: idParam('webhook'),
    body: Type.Object(
      {
        since: Type.String({ maxLength: 40, description: 'ISO 8601' }),
        until: Type.Optional(Type.String({ maxLength: 40, description: 'ISO 8601; else now' })),
        dry_run: Type.Optional(Type.Boolean({ description: 'Whether to count only' })),
      },
      { additionalProperties: false },
    ),
    response: Type.Object({
      count: Type.Integer({ description: 'How many, 10,000 at most' }),
      dry_run: Type.Boolean({ description: 'Whether nothing was done but counted' }),
      has_more: Type.Boolean({ description: 'Whether to call again for the rest' }),
    }),
    attack: { capped: 'one delivery an event and webhook' },
    costs: { statements: 600, rows: 400 },
    errors: ['not_found', 'invalid_state', 'forbidden_scope'],
    handle: ({ params, body, caller, at, write }) => {
      checkWholeWallet(caller)
      const { dry_run: dryRun = false } = body
      const since = parseTime(body.since, 'since')
      const until = body.until === undefined ? at : parseTime(body.until, 'until')
      if (until < since)
        throw new Problem('invalid_field', 'until must not be before since.', { param: 'until' })
      const mine = { id: params.id, walletAddress: caller.walletAddress }
      return write(async (tx) => {
        const { count, hasMore } = await work(tx, at, { ...mine, since, until, dryRun })
        return { count, dry_run: dryRun, has_more: hasMore }
      })
    },
  })

const recover = recovery(
  {
    verb: 'recover',
    summary: 'Send again what failed since a time',
    description:
      'Makes FAILED and EXHAUSTED deliveries of the period due now, 10,000 at most. Their retries begin anew.',
  },
  recoverFailed,
)
const missing = recovery(
  {
    verb: 'replay-missing',
    summary: 'Send events that a webhook has no delivery of',
    description:
      'Of the events of the period that match the filter of today: those from before the webhook, or from while it was disabled. 10,000 at most.',
  },
  replayMissing,
)

export const logRoutes: Route[] = [test, recover, missing, list, get, again]
