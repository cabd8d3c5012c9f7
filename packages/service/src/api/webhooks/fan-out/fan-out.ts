import type { Tx } from '../../../base/db/sql.ts'
import { findCursor, lockFreeCursor, readEnd, saveCursor } from '../../events/cursor.ts'
import { envelopeOf } from '../../events/envelope.ts'
import { readFeed } from '../../events/feed.ts'
import type { FeedEvent } from '../../events/sources.ts'
import type { Uses } from '../../http/services.ts'
import {
  insertDeliveries,
  insertPayloads,
  type Listener,
  listListeners,
  lockListeners,
  wake,
} from './store.ts'

const CURSOR = 'webhooks'
const BATCH = 1_000
/** With more wallets that listen, every event is read. */
const WALLETS_MAX = 200
/** The cursor is moved over transactions without events only so often, since each move is a transaction too. */
const IDLE_XIDS = 1_000n
/** Its delivery is made by whoever asks for the test. */
const TEST = 'webhook.test'

/** Makes the deliveries of the next events, once: one process at a time does it. Returns how many events it read. */
export async function fanOut({ db }: Uses<'db'>, at: Date): Promise<number> {
  const cursor = await findCursor(db.reader, CURSOR)
  // A webhook that becomes active later than this look sees only events of later transactions.
  const end = await readEnd(db.reader)
  const wallets = await listListeners(db.reader, WALLETS_MAX + 1)
  const of = wallets.length > WALLETS_MAX ? {} : { walletAddresses: wallets }
  const ask = { after: cursor, before: end, limit: BATCH, ...of }
  const events = wallets.length === 0 ? [] : await readFeed(db.reader, ask)
  const last = events.length === BATCH ? events.at(-1) : undefined
  if (events.length === 0 && end.xid - cursor.xid < IDLE_XIDS) return 0
  const isDone = await db.write(async (tx) => {
    const locked = await lockFreeCursor(tx, CURSOR)
    if (locked?.xid !== cursor.xid || locked.seq !== cursor.seq) return false
    const listeners = await lockListeners(tx, [...new Set(events.map((e) => e.walletAddress))])
    const letters = address(events, listeners)
    await makeDeliveries(tx, at, letters)
    await saveCursor(tx, CURSOR, last ?? end)
    return true
  })
  return isDone ? events.length : 0
}

/** Which endpoints get which events: those of the event's wallet that were active before it and take its type. */
function address(events: readonly FeedEvent[], listeners: readonly Listener[]): Addressed[] {
  const byWallet = Map.groupBy(listeners, ({ walletAddress }) => walletAddress)
  return events
    .filter(({ type }) => type !== TEST)
    .flatMap((event) =>
      (byWallet.get(event.walletAddress) ?? [])
        .filter((listener) => listensTo(listener, event))
        .map((listener) => ({ event, listener })),
    )
}

const listensTo = ({ activeXid, events }: Listener, { xid, type }: FeedEvent): boolean =>
  xid > activeXid && (events === null || events.includes(type))

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
