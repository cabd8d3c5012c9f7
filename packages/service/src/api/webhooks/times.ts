import type { TimeColumn } from '../../base/jobs/set-back.ts'
import { SENDING_SECONDS } from './log/send.ts'

export const webhookTimes: readonly TimeColumn[] = [
  { table: 'webhook_deliveries', column: 'next_at' },
  { table: 'webhook_deliveries', column: 'sending_until', longestSeconds: SENDING_SECONDS },
  { table: 'webhook_hosts', column: 'next_at' },
  { table: 'webhooks', column: 'breaker_until' },
  { table: 'webhooks', column: 'due_at' },
]
