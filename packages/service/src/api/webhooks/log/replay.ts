import type { Address } from '../../../base/kernel/assets.ts'
import { addSeconds } from '../../../base/kernel/clock.ts'
import { notFound, Problem } from '../../../base/kernel/problem.ts'
import type { Uses } from '../../http/services.ts'
import { attempt } from '../deliver/attempt.ts'
import { judgeEndpoints } from '../deliver/outcomes.ts'
import { prove } from '../hosts/turns.ts'
import { liveSecrets } from '../secret.ts'
import { type Answered, answeredOf, SENDING_SECONDS, takeDestination } from './send.ts'
import { findReplayable, type Replayable, saveReplayed, takeDelivery } from './store.ts'

/**
 * Sends a delivery's event once more: the same bytes, signed anew. The delivery is taken before and written down after, so
 * that of two replays at once one is sent. Throws `not_found`, `payload_not_stored`, `invalid_state`, `rate_limited` and
 * `upstream_failed`.
 */
export async function replay(
  services: Uses<'clock' | 'db' | 'egress' | 'sealKey' | 'settings'>,
  at: Date,
  mine: { id: string; walletAddress: Address },
): Promise<Answered> {
  const { db, sealKey } = services
  const [webhookId = '', eventId = ''] = mine.id.split(':')
  const key = { webhookId, eventId }
  const { walletAddress } = mine
  const found = checkReplayable(await findReplayable(db.reader, { ...key, walletAddress }))
  const { url, body, attempts } = found
  const destination = await takeDestination(services, at, url)
  const until = addSeconds(at, SENDING_SECONDS)
  if (!(await db.write((tx) => takeDelivery(tx, at, { ...key, until })))) throw beingSent()
  const secrets = liveSecrets(sealKey, at, found)
  const letter = { ...key, body, attempts, isRedelivery: true }
  const ended = await attempt(services, { destination, secrets }, letter)
  const isDelivered = ended.kind === 'delivered'
  if (isDelivered) await prove(services, at, [destination])
  const attempted = await db.write(async (tx) => {
    await judgeEndpoints(tx, at, [{ webhookId, at, isProbe: false, ended }])
    return saveReplayed(tx, at, { ...key, ...ended, url, isDelivered })
  })
  return answeredOf(ended, { attempts: attempted, eventId })
}

function checkReplayable(found: Replayable | undefined): Replayable & { body: Buffer } {
  if (!found) throw notFound('delivery')
  const { body } = found
  if (found.isDeleted)
    throw new Problem(
      'invalid_state',
      'The webhook of this delivery was deleted. Register one, and have it sent by replay-missing.',
    )
  if (body === null)
    throw new Problem(
      'payload_not_stored',
      'The body of this delivery is not kept any more, so it cannot be sent again. Read the event from GET /api/events.',
    )
  return { ...found, body }
}

const beingSent = (): Problem =>
  new Problem(
    'invalid_state',
    'The delivery is being sent just now. See its outcome in the log, then try again.',
  )
