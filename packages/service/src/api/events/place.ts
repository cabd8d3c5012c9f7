import { all, one, type Reader, sql, type Tx } from '../../base/db/sql.ts'
import { timeOf } from '../../base/kernel/ids.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { type Cursor, FEED_START, lockCursor, saveCursor } from './feed.ts'

/** The owner of a feed: a wallet, or a key that is restricted to some of its cards. */
export type FeedOwner = { walletAddress: string; cardIds: readonly string[] | null }

/** The place of one of the owner's events; undefined if the feed has none with this id. */
export const findPlace = (
  on: Reader,
  { walletAddress, cardIds }: FeedOwner,
  eventId: string,
): Promise<Cursor | undefined> =>
  one<Cursor>(
    on,
    sql`select xid::text::bigint as xid, seq from events
      where id = ${eventId} and wallet_address = ${walletAddress}
      ${cardIds === null ? sql`` : sql`and card_id = any(${[...cardIds]}::text[])`}`,
  )

/** The last event that the owner's feed shows now; undefined for an empty feed. */
export const findLast = (
  on: Reader,
  { walletAddress, cardIds }: FeedOwner,
): Promise<(Cursor & { id: string }) | undefined> =>
  one<Cursor & { id: string }>(
    on,
    sql`select id, xid::text::bigint as xid, seq from events
      where wallet_address = ${walletAddress} and xid < pg_snapshot_xmin(pg_current_snapshot())
      ${cardIds === null ? sql`` : sql`and card_id = any(${[...cardIds]}::text[])`}
      order by xid desc, seq desc limit 1`,
  )

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
  if (!time) return false
  const row = await one<{ hasDeleted: boolean; oldest: Date | null }>(
    on,
    sql`select exists(select from event_cursors where name = ${RETENTION}) as has_deleted,
      (select created_at from events order by xid, seq limit 1) as oldest`,
  )
  if (!row?.hasDeleted) return false
  return row.oldest === null || time < row.oldest || time > at
}

/** The place of the last deleted event. */
const RETENTION = 'retention'

/**
 * Deletes events recorded before `before`, of the oldest `most` that there are; returns how many. Fewer than `most` says
 * that nothing older is left.
 */
export async function deleteEvents(tx: Tx, before: Date, most: number): Promise<number> {
  const deleted = await all<Cursor>(
    tx,
    sql`with gone as (delete from events where created_at < ${before}
        and (xid, seq) in (select xid, seq from events order by xid, seq limit ${most})
        returning xid, seq)
      select xid::text::bigint as xid, seq from gone order by xid, seq`,
  )
  const last = deleted.at(-1)
  if (last) {
    await lockCursor(tx, RETENTION)
    await saveCursor(tx, RETENTION, last)
  }
  return deleted.length
}
