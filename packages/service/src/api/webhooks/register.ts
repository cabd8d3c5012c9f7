import type { Tx } from '../../base/db/sql.ts'
import { hostOf } from '../../base/egress/guard/url.ts'
import type { Address } from '../../base/kernel/assets.ts'
import { addHours } from '../../base/kernel/clock.ts'
import { newId } from '../../base/kernel/ids.ts'
import { notFound, Problem } from '../../base/kernel/problem.ts'
import type { SealKeys } from '../../base/kernel/secrets.ts'
import { lockOwner } from '../keys/store.ts'
import { disableEndpoints, exhaustWaiting } from './deliver/store.ts'
import { checkFilter } from './filter.ts'
import { newSecret, sealSecret } from './secret.ts'
import type { Mine, Webhook } from './store.ts'
import * as store from './store.ts'

const ACTIVE_MAX = 5
const REGISTERED_MAX = 100
const OVERLAP_HOURS = 24
const EXHAUST_MOST = 5_000

export type Change = {
  endpoint?: URL | undefined
  description?: string | null | undefined
  events?: string[] | null | undefined
  status?: Webhook['status'] | undefined
}

/** Registers an endpoint, ACTIVE at once, and answers its secret, which nobody can read again. Throws `limit_reached`. */
export async function registerWebhook(
  tx: Tx,
  at: Date,
  wanted: { walletAddress: Address; endpoint: URL; description: string; events: string[] | null },
  sealKey: SealKeys,
): Promise<{ webhook: Webhook; secret: string }> {
  const { walletAddress, endpoint, description, events } = wanted
  checkFilter(events)
  await lockOwner(tx, walletAddress)
  if ((await store.countWebhooks(tx, walletAddress)) >= REGISTERED_MAX)
    throw new Problem(
      'limit_reached',
      `A wallet has ${REGISTERED_MAX} webhooks at most, disabled ones included. Delete one that you no longer use.`,
    )
  const id = newId('wh', at)
  const secret = newSecret()
  const webhook = await store.insertWebhook(tx, {
    id,
    walletAddress,
    description,
    events,
    url: endpoint.href,
    host: hostOf(endpoint),
    secret: sealSecret(sealKey, id, secret),
    createdAt: at,
  })
  if (!webhook) throw fiveActive()
  return { webhook, secret }
}

/** Changes the fields that are given. Throws `not_found`, and `limit_reached` if no slot is free to activate it. */
export async function changeWebhook(
  tx: Tx,
  at: Date,
  mine: Mine & { walletAddress: Address },
  change: Change,
): Promise<Webhook> {
  checkFilter(change.events ?? null)
  if (change.status === 'ACTIVE') await lockOwner(tx, mine.walletAddress)
  const webhook = await store.lockWebhook(tx, mine)
  if (!webhook) throw notFound('webhook')
  const { endpoint = new URL(webhook.url), events = webhook.events } = change
  const description = change.description === undefined ? webhook.description : change.description
  await store.saveChanges(tx, webhook.id, {
    url: endpoint.href,
    host: hostOf(endpoint),
    events,
    description: description ?? '',
  })
  if (change.status === 'DISABLED') await disableWebhook(tx, at, webhook.id)
  if (change.status === 'ACTIVE' && webhook.status === 'DISABLED')
    if (!(await store.activate(tx, mine))) throw fiveActive()
  return (await store.findWebhook(tx, mine)) ?? webhook
}

/** Deletes a webhook for its owner. What was not delivered yet never is; the log stays. Throws `not_found`. */
export async function deleteWebhook(tx: Tx, at: Date, mine: Mine): Promise<void> {
  const webhook = await store.lockWebhook(tx, mine)
  if (!webhook) throw notFound('webhook')
  await disableWebhook(tx, at, webhook.id)
  await store.markDeleted(tx, at, webhook.id)
}

/** Most of what waits ends here; the sender ends the rest. */
async function disableWebhook(tx: Tx, at: Date, id: string): Promise<void> {
  await disableEndpoints(tx, at, [{ id, reason: 'owner' }])
  await exhaustWaiting(tx, at, { webhookId: id, most: EXHAUST_MOST })
}

/** Gives a webhook a new secret. The one it had signs too for a day; one before that no longer. Throws `not_found`. */
export async function rotateSecret(
  tx: Tx,
  at: Date,
  mine: Mine,
  sealKey: SealKeys,
): Promise<{ secret: string; previousUntil: Date }> {
  const secret = newSecret()
  const previousUntil = addHours(at, OVERLAP_HOURS)
  const sealed = sealSecret(sealKey, mine.id, secret)
  if (!(await store.saveSecret(tx, mine, { secret: sealed, previousUntil })))
    throw notFound('webhook')
  return { secret, previousUntil }
}

const fiveActive = (): Problem =>
  new Problem(
    'limit_reached',
    `A wallet has ${ACTIVE_MAX} active webhooks at most. Disable or delete one, then try again.`,
  )
