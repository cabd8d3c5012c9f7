import { type Static, Type } from 'typebox'
import { iso, isoOrNull, NullableTimestamp, OneOf, Timestamp } from '../../http/fields.ts'
import { DELIVERY_STATUSES, type Delivery } from './store.ts'

export const DeliveryBody = Type.Object({
  id: Type.String({ description: '<webhook_id>:<event_id>' }),
  webhook_id: Type.String({ description: 'Id of the webhook' }),
  event_id: Type.String({ description: 'Id of the event' }),
  status: OneOf(
    DELIVERY_STATUSES,
    'FAILED: a retry is scheduled. EXHAUSTED: no retry is scheduled',
  ),
  status_code: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The status of the last answer; null while the endpoint has not answered',
  }),
  attempts: Type.Integer({ description: 'How often it was sent' }),
  created_at: Timestamp,
  updated_at: Timestamp,
  url: Type.String({ description: 'Where the last attempt went' }),
  has_payload: Type.Boolean({ description: 'Whether it can be replayed' }),
  next_attempt_at: NullableTimestamp('When it is sent again; null if it is not'),
  error: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the last attempt got no answer',
  }),
  response_head: Type.Union([Type.String(), Type.Null()], {
    description: "The first KiB of the endpoint's last answer",
  }),
})

export const viewDelivery = (delivery: Delivery): Static<typeof DeliveryBody> => ({
  id: `${delivery.webhookId}:${delivery.eventId}`,
  webhook_id: delivery.webhookId,
  event_id: delivery.eventId,
  status: delivery.status,
  status_code: delivery.statusCode,
  attempts: delivery.attempts,
  created_at: iso(delivery.createdAt),
  updated_at: iso(delivery.updatedAt),
  url: delivery.url,
  has_payload: delivery.hasPayload,
  next_attempt_at: isoOrNull(delivery.nextAt),
  error: delivery.error,
  response_head: delivery.responseHead,
})

export const AnsweredBody = Type.Object({
  ok: Type.Boolean({ description: 'Whether the endpoint answered 2xx' }),
  status_code: Type.Integer({ description: 'What the endpoint answered' }),
  attempts: Type.Integer({ description: 'How often it was sent' }),
  event_id: Type.String({ description: 'Id of the event' }),
})
