import { assert } from '../../../base/kernel/assert.ts'
import { addSeconds } from '../../../base/kernel/clock.ts'
import { newId } from '../../../base/kernel/ids.ts'
import { notFound } from '../../../base/kernel/problem.ts'
import { envelopeOf } from '../../events/envelope.ts'
import { findEvent } from '../../events/feed.ts'
import { record } from '../../events/record.ts'
import { webhookTest } from '../../events/types/webhooks.ts'
import type { Uses } from '../../http/services.ts'
import { attempt } from '../deliver/attempt.ts'
import { saveOutcomes } from '../deliver/outcomes.ts'
import { bytesOf } from '../fan-out/fan-out.ts'
import { insertDeliveries, insertPayloads, wake } from '../fan-out/store.ts'
import { prove } from '../hosts/turns.ts'
import { liveSecrets } from '../secret.ts'
import { findSecrets, findWebhook, type Mine, type Webhook } from '../store.ts'
import { type Answered, answeredOf, SENDING_SECONDS, takeDestination } from './send.ts'
import { releaseDelivery, takeDelivery } from './store.ts'

/**
 * Records a `webhook.test` and sends it to this webhook, a disabled one too. It is a delivery as any other: one that fails
 * is tried again by the schedule, and so is one whose process dies here. Throws `not_found`, `rate_limited` and
 * `upstream_failed`.
 */
export async function sendTest(
  services: Uses<'clock' | 'db' | 'egress' | 'log' | 'sealKey' | 'settings'>,
  at: Date,
  mine: Mine & Pick<Webhook, 'walletAddress'>,
): Promise<Answered> {
  const { db, sealKey } = services
  const webhook = await findWebhook(db.reader, mine)
  if (!webhook) throw notFound('webhook')
  const { url } = webhook
  const destination = await takeDestination(services, at, url)
  const made = await makeTest(services, at, webhook)
  const sealed = await findSecrets(db.reader, webhook.id)
  assert(sealed, 'a webhook has a secret')
  const secrets = liveSecrets(sealKey, at, sealed)
  const ended = await attempt(services, { destination, secrets }, { ...made, isRedelivery: false })
  if (ended.kind === 'delivered') await prove(services, at, [destination])
  await saveOutcomes(services, at, [{ due: made, url, at, isProbe: false, ended }])
  await db.write(async (tx) => {
    await wake(tx, at, [webhook.id])
    await releaseDelivery(tx, made)
  })
  return answeredOf(ended, { attempts: 1, eventId: made.eventId })
}

/** Records the event with its delivery, kept for this request for now. */
async function makeTest({ db }: Uses<'db'>, at: Date, webhook: Webhook) {
  const eventId = newId('evt', at)
  const webhookId = webhook.id
  const until = addSeconds(at, SENDING_SECONDS)
  const built = webhookTest.of({
    walletAddress: webhook.walletAddress,
    data: { webhook_id: webhookId },
  })
  return db.write(async (tx) => {
    await wake(tx, until, [webhookId])
    await record(tx, at, [{ ...built, id: eventId }])
    const event = await findEvent(tx, eventId)
    assert(event, 'the event was recorded')
    const body = bytesOf(event)
    await insertPayloads(tx, at, [envelopeOf(event)])
    await insertDeliveries(tx, at, [{ event, listener: webhook }])
    if (!(await takeDelivery(tx, at, { webhookId, eventId, until }))) throw notFound('webhook')
    return { webhookId, eventId, subject: event.subject, attempts: 0, step: 0, body }
  })
}
