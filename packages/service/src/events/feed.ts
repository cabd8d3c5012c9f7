import { all, one, type Reader, sql, type Tx } from '../db/sql.ts'
import type { Id } from '../kernel/ids.ts'

/** A place in the feed: after the event of transaction `xid` with number `seq`. */
export type Cursor = { xid: bigint; seq: bigint }
/** Before the first event. */
export const FEED_START: Cursor = { xid: 0n, seq: 0n }

export type FeedEvent = {
  id: Id<'evt'>
  type: string
  walletAddress: string
  subject: string
  cardId: string | null
  data: Record<string, unknown>
  createdAt: Date
  seq: bigint
  xid: bigint
}

type FeedAsk = {
  after: Cursor
  limit: number
  /** If absent, events of all wallets. */
  walletAddress?: string
  /** Only events of these types. */
  types?: readonly string[]
  /** Only events of these cards, as a restricted key sees them. Null: of all. */
  cardIds?: readonly string[] | null
}

const COLUMNS = sql.raw(
  'id, type, wallet_address, subject, card_id, data, created_at, seq, xid::text::bigint as xid',
)

/**
 * Events after the cursor, oldest first. An event is shown once every transaction with a smaller id has ended, so none
 * appears later at an earlier place: a reader that continues from its last event misses none.
 */
export const readFeed = (on: Reader, ask: FeedAsk): Promise<FeedEvent[]> =>
  all<FeedEvent>(
    on,
    sql`select ${COLUMNS} from events where (xid, seq) > (${String(ask.after.xid)}::xid8, ${ask.after.seq}::bigint)
      and xid < pg_snapshot_xmin(pg_current_snapshot())
      ${ask.walletAddress === undefined ? sql`` : sql`and wallet_address = ${ask.walletAddress}`}
      ${ask.types === undefined ? sql`` : sql`and type = any(${[...ask.types]}::text[])`}
      ${!ask.cardIds ? sql`` : sql`and card_id = any(${[...ask.cardIds]}::text[])`}
      order by xid, seq limit ${ask.limit}`,
  )

/** The end of the feed now: a reader that continues from here gets each event that no feed has shown yet. */
export async function readEnd(on: Reader): Promise<Cursor> {
  const row = await one<{ xid: bigint }>(
    on,
    sql`select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xid`,
  )
  return { xid: row?.xid ?? 0n, seq: 0n }
}

/** The cursor of a reader of all events, locked until the transaction ends. A new reader begins at the start. */
export async function lockCursor(tx: Tx, name: string): Promise<Cursor> {
  const cursor = await one<Cursor>(
    tx,
    sql`insert into event_cursors (name, xid, seq) values (${name}, '0', 0)
      on conflict (name) do update set name = excluded.name returning xid::text::bigint as xid, seq`,
  )
  return cursor ?? FEED_START
}

export async function saveCursor(tx: Tx, name: string, { xid, seq }: Cursor): Promise<void> {
  await sql`update event_cursors set xid = ${String(xid)}::xid8, seq = ${seq} where name = ${name}`.execute(
    tx,
  )
}

/**
 * Fits stored transaction ids to this database cluster. A dump from another cluster can hold ids that are still in the
 * future here, and its events would never be shown. The newest ids keep their distances, so the order stays; ids that
 * would fall below 0 are ordered by `seq`. Answers whether ids had to change.
 */
export async function adoptRestored(tx: Tx): Promise<boolean> {
  const row = await one<{ excess: bigint | null }>(
    tx,
    sql`select newest.xid::text::bigint - pg_snapshot_xmax(pg_current_snapshot())::text::bigint + 1 as excess
      from (select max(xid) as xid from (select max(xid) as xid from events
        union all select max(xid) from event_cursors) of_each) newest`,
  )
  const excess = row?.excess ?? 0n
  if (excess <= 0n) return false
  for (const table of [sql.raw('events'), sql.raw('event_cursors')])
    await sql`update ${table} set xid = greatest(xid::text::bigint - ${excess}::bigint, 0)::text::xid8
      where xid <> '0'`.execute(tx)
  return true
}
