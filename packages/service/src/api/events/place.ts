import { type Reader, sql, type Tx } from '../../base/db/sql.ts'
import { timeOf } from '../../base/kernel/ids.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { type Cursor, FEED_START, findCursor, lockCursor, RETENTION, saveCursor } from './cursor.ts'
import { type FeedEvent, isOfWallet, readEvents } from './sources.ts'

/** The owner of a feed: a wallet, or a key that is restricted to some of its cards. */
export type FeedOwner = { walletAddress: string; cardIds: readonly string[] | null }

/** The place of one of the owner's events; undefined if the feed has none with this id. */
export async function findPlace(
  on: Reader,
  owner: FeedOwner,
  eventId: string,
): Promise<Cursor | undefined> {
  const [event] = await readEvents(on, {
    where: ({ isNamed }) => sql`${isNamed(eventId)} and ${isOf(owner)}`,
    limit: 1,
  })
  return event && { xid: event.xid, seq: event.seq }
}

/** The last event that the owner's feed shows now; undefined for an empty feed. */
export async function findLast(on: Reader, owner: FeedOwner): Promise<FeedEvent | undefined> {
  const where = sql`${isOf(owner)} and e.xid < (select event_horizon())`
  const [event] = await readEvents(on, { where: () => where, isNewestFirst: true, limit: 1 })
  return event
}

/** The owner's events before that place, or the last ones, the newest first. */
export function readNewest(
  on: Reader,
  owner: FeedOwner,
  { before, types, limit }: { before?: Cursor; types?: readonly string[]; limit: number },
): Promise<FeedEvent[]> {
  return readEvents(on, {
    ...{ types, limit, isNewestFirst: true },
    where: ({ step }) => sql`${isOf(owner)} and e.xid < (select event_horizon())
      ${before === undefined ? sql`` : sql`and (e.xid, e.seq) < (${before.xid}::bigint, ${before.seq}::bigint - ${sql.raw(String(step))})`}`,
  })
}

const isOf = ({ walletAddress, cardIds }: FeedOwner) =>
  sql`${isOfWallet(walletAddress)}
    ${cardIds === null ? sql`` : sql`and e.card_id = any(${[...cardIds]}::text[])`}`

/**
 * The place from which a caller continues after the event `eventId`; the start of the feed without one. Throws
 * `cursor_expired` if the event may have been deleted by its age, and a 400 if it was never in this feed.
 */
export async function placeAfter(
  on: Reader,
  at: Date,
  owner: FeedOwner,
  eventId: string | undefined,
): Promise<Cursor> {
  if (eventId === undefined) return FEED_START
  const place = await findPlace(on, owner, eventId)
  if (place) return place
  if (await mayBeDeleted(on, at, eventId))
    throw new Problem(
      'cursor_expired',
      'The event that after names is not kept any more: events are deleted by age. Leave after out to begin with the oldest that is kept.',
      { param: 'after' },
    )
  throw new Problem(
    'invalid_field',
    'after must be an id of this list, such as that of the last event that you were given. Leave it out to begin with the oldest.',
    { param: 'after' },
  )
}

/**
 * Nothing is kept of a deleted event but that events were deleted. So an unknown id counts as deleted if its time is not
 * within the time of the events that are kept. The id of a chain fact holds no time, and counts as deleted too.
 */
async function mayBeDeleted(on: Reader, at: Date, eventId: string): Promise<boolean> {
  const time = timeOf('evt', eventId)
  const { xid } = await findCursor(on, RETENTION)
  if (!time || xid === 0n) return false
  const [oldest] = await readOldest(on, 1)
  return !oldest || time < oldest.createdAt || time > at
}

const readOldest = (on: Reader, limit: number) => readEvents(on, { where: () => sql`true`, limit })

/**
 * Deletes events recorded before `before`, of the oldest `most` that there are; returns how many. Fewer than `most` says
 * that nothing older is left. Those of settlements have no rows: the cursor alone hides them.
 */
export async function deleteEvents(tx: Tx, before: Date, most: number): Promise<number> {
  const oldest = await readOldest(tx, most)
  const kept = oldest.findIndex(({ createdAt }) => createdAt >= before)
  const gone = kept === -1 ? oldest : oldest.slice(0, kept)
  const last = gone.at(-1)
  if (!last) return 0
  await sql`delete from events where (xid, seq) <= (${last.xid}::bigint, ${last.seq}::bigint)`.execute(
    tx,
  )
  await lockCursor(tx, RETENTION)
  await saveCursor(tx, RETENTION, last)
  return gone.length
}
