import { type Static, Type } from 'typebox'
import { iso, isoOrNull, NullableTimestamp, OneOf, Timestamp } from '../http/fields.ts'
import { WEBHOOK_STATUSES, type Webhook } from './store.ts'

export const WebhookBody = Type.Object({
  id: Type.String({ description: 'Id of the webhook' }),
  url: Type.String({ description: 'URL of the webhook' }),
  description: Type.String({ description: 'Description of the webhook, in words' }),
  status: OneOf(WEBHOOK_STATUSES, 'State of the webhook'),
  created_at: Timestamp,
  events: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'The types that it receives; null for every type, later ones too',
  }),
  disabled_reason: Type.Union(
    [Type.Literal('owner'), Type.Literal('gone'), Type.Literal('failing'), Type.Null()],
    {
      description: 'owner: you asked. gone: it answered 410. failing: it failed for five days',
    },
  ),
  disabled_at: NullableTimestamp('When it was disabled; null while it is active'),
  failing_since: Type.Union([Timestamp, Type.Null()], {
    description: 'The first failure since the last success',
  }),
})

export const viewWebhook = (webhook: Webhook): Static<typeof WebhookBody> => ({
  id: webhook.id,
  url: webhook.url,
  description: webhook.description,
  status: webhook.status,
  created_at: iso(webhook.createdAt),
  events: webhook.events,
  disabled_reason: webhook.disabledReason,
  disabled_at: isoOrNull(webhook.disabledAt),
  failing_since: isoOrNull(webhook.failingSince),
})
