import type { Tx } from '../../db/sql.ts'
import { envelopeOf } from '../../events/envelope.ts'
import type { FeedEvent } from '../../events/feed.ts'
import { insertDeliveries, insertPayloads, type Listener, wake } from './store.ts'

/** An event and an endpoint that gets it. */
export type Addressed = { event: FeedEvent; listener: Pick<Listener, 'id' | 'url'> }

/** Makes deliveries that are due now, with the bytes that all their attempts send. One that exists stays as it is. */
export async function makeDeliveries(
  tx: Tx,
  at: Date,
  letters: readonly Addressed[],
): Promise<void> {
  await insertPayloads(tx, at, payloadsOf(letters))
  await insertDeliveries(tx, at, letters)
  await wake(tx, at, [...new Set(letters.map(({ listener }) => listener.id))])
}

/** The bytes of each event, once. */
function payloadsOf(letters: readonly Addressed[]) {
  const bodies = new Map<string, Buffer>()
  for (const { event } of letters) if (!bodies.has(event.id)) bodies.set(event.id, bytesOf(event))
  return [...bodies].map(([eventId, body]) => ({ eventId, body }))
}

/** The body of every delivery of the event. */
export const bytesOf = (event: FeedEvent): Buffer => Buffer.from(JSON.stringify(envelopeOf(event)))
