import { Type } from 'typebox'
import { notFound } from '../../base/kernel/problem.ts'
import { idParam, iso, OneOf, Success, TextField, Timestamp } from '../http/fields.ts'
import { keyRoute, type Route } from '../http/route.ts'
import { checkWholeWallet } from './caller.ts'
import { checkEndpoint } from './endpoint.ts'
import { logRoutes } from './log/routes.ts'
import { changeWebhook, deleteWebhook, registerWebhook, rotateSecret } from './register.ts'
import { findWebhook, listWebhooks, WEBHOOK_STATUSES } from './store.ts'
import { viewWebhook, WebhookBody } from './view.ts'

const TAG = 'Webhooks'
const strict = { additionalProperties: false }
/** Each asks name servers of the caller's choosing. */
const CHECKS_PER_MINUTE = 60
const NOTE = 'Keep the secret: it is not shown again. Verify each delivery with it.'

const UrlField = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'https, at a public address',
})
const DescriptionField = TextField({ maxLength: 500 })
const EventsField = Type.Union(
  [
    Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 200, uniqueItems: true }),
    Type.Null(),
  ],
  { description: 'Types of docs/events.md; null or absent for every type, later ones too' },
)

const register = keyRoute({
  method: 'POST',
  path: '/api/webhooks',
  tag: TAG,
  summary: 'Register an endpoint for your events',
  description:
    'It is ACTIVE at once and receives the events that are recorded from now on, signed with the secret of this answer. Five webhooks of a wallet are ACTIVE at most.',
  scope: 'webhooks:write',
  perMinute: CHECKS_PER_MINUTE,
  body: Type.Object(
    {
      url: UrlField,
      description: Type.Optional(DescriptionField),
      events: Type.Optional(EventsField),
    },
    strict,
  ),
  response: Type.Object({
    id: Type.String({ description: 'Id of the webhook' }),
    url: Type.String({ description: 'URL of the webhook' }),
    description: Type.String({ description: 'Description of the webhook, in words' }),
    status: OneOf(WEBHOOK_STATUSES, 'State of the webhook'),
    secret: Type.String({ description: 'whsec_ and 32 bytes in base64; shown once' }),
    note: Type.String({ description: 'What to know about the secret' }),
    created_at: Timestamp,
  }),
  attack: { capped: 'five active webhooks a wallet' },
  costs: { statements: 600, rows: 10, dns: 200 },
  errors: ['invalid_url', 'url_not_allowed', 'invalid_field', 'limit_reached', 'forbidden_scope'],
  handle: async ({ body, caller, at, services, write }) => {
    checkWholeWallet(caller)
    const { url: endpoint } = await checkEndpoint(services, body.url)
    const { walletAddress } = caller
    const { description = '', events = null } = body
    return write(async (tx) => {
      const wanted = { walletAddress, endpoint, description, events }
      const { webhook, secret } = await registerWebhook(tx, at, wanted, services.sealKey)
      const { id, url, status, createdAt } = webhook
      return { id, url, description, status, secret, note: NOTE, created_at: iso(createdAt) }
    })
  },
})

const list = keyRoute({
  method: 'GET',
  path: '/api/webhooks',
  tag: TAG,
  summary: 'Your webhooks, newest first',
  description: 'All of them, disabled ones too. Secrets are not shown.',
  scope: 'webhooks:read',
  response: Type.Object({
    webhooks: Type.Array(WebhookBody, { description: 'The webhooks, newest first' }),
  }),
  attack: 'none',
  costs: { statements: 300 },
  errors: ['forbidden_scope'],
  handle: async ({ caller, services }) => {
    checkWholeWallet(caller)
    const webhooks = await listWebhooks(services.db.reader, caller.walletAddress)
    return { webhooks: webhooks.map(viewWebhook) }
  },
})

const change = keyRoute({
  method: 'PATCH',
  path: '/api/webhooks/{id}',
  tag: TAG,
  summary: 'Change, disable or enable a webhook',
  description:
    'Deliveries that wait for a webhook that you disable are not sent: they become EXHAUSTED. Enabled again, it receives the events that are recorded from then on.',
  scope: 'webhooks:write',
  perMinute: CHECKS_PER_MINUTE,
  params: idParam('webhook'),
  body: Type.Object(
    {
      url: Type.Optional(UrlField),
      description: Type.Optional(
        Type.Union([DescriptionField, Type.Null()], {
          description: 'Description of the webhook, in words',
        }),
      ),
      events: Type.Optional(EventsField),
      status: Type.Optional(OneOf(WEBHOOK_STATUSES, 'State of the webhook')),
    },
    strict,
  ),
  response: Type.Object({ success: Success, webhook: WebhookBody }),
  attack: 'outgoing',
  costs: { statements: 600, dns: 200 },
  errors: [
    'not_found',
    'invalid_url',
    'url_not_allowed',
    'invalid_field',
    'limit_reached',
    'forbidden_scope',
  ],
  handle: async ({ params, body, caller, at, services, write }) => {
    checkWholeWallet(caller)
    const { walletAddress } = caller
    const mine = { id: params.id, walletAddress }
    if (!(await findWebhook(services.db.reader, mine))) throw notFound('webhook')
    const { url, ...rest } = body
    const endpoint = url === undefined ? undefined : (await checkEndpoint(services, url)).url
    return write(async (tx) => {
      const webhook = await changeWebhook(tx, at, mine, { ...rest, endpoint })
      return { success: true, webhook: viewWebhook(webhook) }
    })
  },
})

const remove = keyRoute({
  method: 'DELETE',
  path: '/api/webhooks/{id}',
  tag: TAG,
  summary: 'Delete a webhook',
  description: 'Nothing more is sent to it. Its deliveries stay in the log.',
  scope: 'webhooks:write',
  params: idParam('webhook'),
  response: Type.Object({ success: Success }),
  attack: 'none',
  costs: { statements: 600 },
  errors: ['not_found', 'forbidden_scope'],
  handle: ({ params, caller, at, write }) => {
    checkWholeWallet(caller)
    return write(async (tx) => {
      await deleteWebhook(tx, at, { id: params.id, walletAddress: caller.walletAddress })
      return { success: true }
    })
  },
})

const rotate = keyRoute({
  method: 'POST',
  path: '/api/webhooks/{id}/rotate-secret',
  tag: TAG,
  summary: 'Give a webhook a new secret',
  description:
    'For 24 hours deliveries are signed with both. A second rotation within that time ends the oldest at once.',
  scope: 'webhooks:write',
  params: idParam('webhook'),
  response: Type.Object({
    success: Success,
    secret: Type.String({ description: 'The new one; shown once' }),
    previous_secret_expires_at: Timestamp,
    note: Type.String({ description: 'What to know about the secret' }),
  }),
  attack: 'none',
  costs: { statements: 600 },
  errors: ['not_found', 'forbidden_scope'],
  handle: ({ params, caller, at, services, write }) => {
    checkWholeWallet(caller)
    return write(async (tx) => {
      const mine = { id: params.id, walletAddress: caller.walletAddress }
      const { secret, previousUntil } = await rotateSecret(tx, at, mine, services.sealKey)
      return { success: true, secret, previous_secret_expires_at: iso(previousUntil), note: NOTE }
    })
  },
})

export const webhookRoutes: Route[] = [register, list, change, remove, rotate, ...logRoutes]
