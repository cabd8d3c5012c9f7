import type { Tx } from '../../../base/db/sql.ts'
import { envelopeOf } from '../../events/envelope.ts'
import type { FeedEvent } from '../../events/sources.ts'
import { insertDeliveries, insertPayloads, type Listener, wake } from './store.ts'

/** An event and an endpoint that gets it. */
export type Addressed = { event: FeedEvent; listener: Pick<Listener, 'id' | 'url'> }

/** Makes deliveries that are due now, with the bytes that all their attempts send. One that exists stays as it is. */
export async function makeDeliveries(
  tx: Tx,
  at: Date,
  letters: readonly Addressed[],
): Promise<void> {
  const events = new Map(letters.map(({ event }) => [event.id, event]))
  await insertPayloads(tx, at, [...events.values()].map(envelopeOf))
  await insertDeliveries(tx, at, letters)
  await wake(tx, at, [...new Set(letters.map(({ listener }) => listener.id))])
}

/** The body of every delivery of the event. */
export const bytesOf = (event: FeedEvent): Buffer => Buffer.from(JSON.stringify(envelopeOf(event)))
