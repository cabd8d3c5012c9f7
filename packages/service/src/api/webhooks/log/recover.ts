import type { Tx } from '../../../base/db/sql.ts'
import { notFound, Problem } from '../../../base/kernel/problem.ts'
import { FEED_START } from '../../events/cursor.ts'
import { readFeed } from '../../events/feed.ts'
import { makeDeliveries } from '../fan-out/fan-out.ts'
import { wake } from '../fan-out/store.ts'
import { lockWebhook, type Mine, type Webhook } from '../store.ts'
import { isMissing, lockFailed, makeDue, type Period } from './store.ts'

const MOST = 10_000

export type Recovery = Mine & Period & { dryRun: boolean }
export type Recovered = { count: number; hasMore: boolean }

/** Makes failed deliveries of a period due now, 10,000 at most. Throws `not_found`, and `invalid_state` if disabled. */
export async function recoverFailed(tx: Tx, at: Date, ask: Recovery): Promise<Recovered> {
  const { id: webhookId } = await lockActive(tx, ask)
  const { since, until } = ask
  const found = await lockFailed(tx, { webhookId, since, until, limit: MOST + 1 })
  const eventIds = found.slice(0, MOST)
  if (!ask.dryRun && eventIds.length > 0) {
    await makeDue(tx, at, { webhookId, eventIds })
    await wake(tx, at, [webhookId])
  }
  return { count: eventIds.length, hasMore: found.length > MOST }
}

/**
 * Makes deliveries, 10,000 at most, of events of a period that the webhook takes today and has no delivery of. Throws
 * `not_found`, and `invalid_state` if disabled.
 */
export async function replayMissing(tx: Tx, at: Date, ask: Recovery): Promise<Recovered> {
  const webhook = await lockActive(tx, ask)
  const { since, until, walletAddress } = ask
  const found = await readFeed(tx, {
    after: FEED_START,
    walletAddress,
    limit: MOST + 1,
    period: { since, until },
    ...(webhook.events && { types: webhook.events }),
    that: isMissing(webhook.id),
  })
  const missing = found.slice(0, MOST).map((event) => ({ event, listener: webhook }))
  if (!ask.dryRun) await makeDeliveries(tx, at, missing)
  return { count: missing.length, hasMore: found.length > MOST }
}

async function lockActive(tx: Tx, mine: Mine): Promise<Webhook> {
  const webhook = await lockWebhook(tx, mine)
  if (!webhook) throw notFound('webhook')
  if (webhook.status !== 'ACTIVE')
    throw new Problem(
      'invalid_state',
      'The webhook is DISABLED, so nothing is sent to it. Make it ACTIVE by PATCH first.',
    )
  return webhook
}
