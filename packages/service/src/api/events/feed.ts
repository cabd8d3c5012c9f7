import { all, one, type RawBuilder, type Reader, sql, type Tx } from '../../base/db/sql.ts'
import type { Id } from '../../base/kernel/ids.ts'

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
  /** Only events of transactions before this one. */
  before?: Cursor
  limit: number
  /** If absent, events of all wallets. */
  walletAddress?: string
  walletAddresses?: readonly string[]
  /** Only events of these types. */
  types?: readonly string[]
  /** Only events of these cards, as a restricted key sees them. Null: of all. */
  cardIds?: readonly string[] | null
  /** Only events that were recorded from then on, and before then. */
  period?: { since: Date; until: Date }
  /** A condition of the caller's own SQL on `events`. */
  that?: RawBuilder<unknown>
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
      ${ask.before === undefined ? sql`` : sql`and xid < ${String(ask.before.xid)}::xid8`}
      ${ask.walletAddresses === undefined ? sql`` : sql`and wallet_address = any(${[...ask.walletAddresses]}::text[])`}
      ${ask.walletAddress === undefined ? sql`` : sql`and wallet_address = ${ask.walletAddress}`}
      ${ask.types === undefined ? sql`` : sql`and type = any(${[...ask.types]}::text[])`}
      ${!ask.cardIds ? sql`` : sql`and card_id = any(${[...ask.cardIds]}::text[])`}
      ${!ask.period ? sql`` : sql`and created_at >= ${ask.period.since} and created_at < ${ask.period.until}`}
      ${!ask.that ? sql`` : sql`and ${ask.that}`}
      order by xid, seq limit ${ask.limit}`,
  )

/** The event, also if the feed does not show it yet. */
export const findEvent = (on: Reader, id: string): Promise<FeedEvent | undefined> =>
  one<FeedEvent>(on, sql`select ${COLUMNS} from events where id = ${id}`)

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

/** As `lockCursor`, of a cursor that is there. Undefined if another transaction has it. */
export const lockFreeCursor = (tx: Tx, name: string): Promise<Cursor | undefined> =>
  one<Cursor>(
    tx,
    sql`select xid::text::bigint as xid, seq from event_cursors where name = ${name}
      for update skip locked`,
  )

/** The cursor of a reader of all events, as it was committed last. */
export const findCursor = async (on: Reader, name: string): Promise<Cursor> =>
  (await one<Cursor>(
    on,
    sql`select xid::text::bigint as xid, seq from event_cursors where name = ${name}`,
  )) ?? FEED_START

export async function saveCursor(tx: Tx, name: string, { xid, seq }: Cursor): Promise<void> {
  await sql`update event_cursors set xid = ${String(xid)}::xid8, seq = ${seq} where name = ${name}`.execute(
    tx,
  )
}

/** Rows of a room that hold transaction ids of the cluster. */
export type HoldsXids = {
  /** The newest of them. */
  newest(tx: Tx): Promise<bigint | null>
  /** Lowers all of them by so much, none below 0. */
  lower(tx: Tx, by: bigint): Promise<void>
}

const eventXids: HoldsXids = {
  async newest(tx) {
    const row = await one<{ xid: bigint | null }>(
      tx,
      sql`select max(xid)::text::bigint as xid from (select max(xid) as xid from events
        union all select max(xid) from event_cursors) of_each`,
    )
    return row?.xid ?? null
  },
  async lower(tx, by) {
    for (const table of [sql.raw('events'), sql.raw('event_cursors')])
      await sql`update ${table} set xid = greatest(xid::text::bigint - ${by}::bigint, 0)::text::xid8
        where xid <> '0'`.execute(tx)
  },
}

/**
 * Fits stored transaction ids to this database cluster: a dump that was restored into a new one brings ids that are still
 * to come there, and its events would never be shown. The newest keep their distances, so the order stays; those that
 * would fall below 0 are ordered by `seq`. `others` are rows of other rooms. Returns whether ids had to change.
 */
export async function adoptRestored(tx: Tx, others: readonly HoldsXids[] = []): Promise<boolean> {
  const holders = [eventXids, ...others]
  let newest = 0n
  for (const holder of holders) {
    const xid = await holder.newest(tx)
    if (xid !== null && xid > newest) newest = xid
  }
  const row = await one<{ next: bigint }>(
    tx,
    sql`select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next`,
  )
  const excess = newest - (row?.next ?? 0n) + 1n
  if (excess <= 0n) return false
  for (const holder of holders) await holder.lower(tx, excess)
  return true
}
