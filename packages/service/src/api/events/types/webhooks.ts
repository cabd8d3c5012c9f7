import { Type } from 'typebox'
import { defineEvent } from '../define.ts'

export const webhookDisabled = defineEvent({
  type: 'webhook.disabled',
  when: 'the service stopped sending to an endpoint: it answered 410, or failed for five days',
  to: "wallet's other webhooks",
  subject: 'webhook_id',
  fields: {
    webhook_id: Type.String(),
    url: Type.String(),
    reason: Type.Union([Type.Literal('gone'), Type.Literal('failing')]),
    failing_since: Type.String(),
    last_status_code: Type.Union([Type.Integer(), Type.Null()]),
  },
})

export const webhookTest = defineEvent({
  type: 'webhook.test',
  when: 'a test was asked for',
  to: 'that webhook only',
  subject: 'webhook_id',
  fields: { webhook_id: Type.String() },
})
