import { one, type Reader, sql, type Tx } from '../../base/db/sql.ts'

/** A place in the feed: after the event of transaction `xid` with number `seq`. */
export type Cursor = { xid: bigint; seq: bigint }
/** Before the first event. */
export const FEED_START: Cursor = { xid: 0n, seq: 0n }
/** The cursor that says how far events were deleted by their age. */
export const RETENTION = 'retention'

/** The end of the feed now: a reader that continues from here gets each event that no feed has shown yet. */
export async function readEnd(on: Reader): Promise<Cursor> {
  const row = await one<{ xid: bigint }>(on, sql`select event_horizon() as xid`)
  return { xid: row?.xid ?? 0n, seq: 0n }
}

/** The cursor of a reader of all events, locked until the transaction ends. A new reader begins at the start. */
export async function lockCursor(tx: Tx, name: string): Promise<Cursor> {
  const cursor = await one<Cursor>(
    tx,
    sql`insert into event_cursors (name, xid, seq) values (${name}, 0, 0)
      on conflict (name) do update set name = excluded.name returning xid, seq`,
  )
  return cursor ?? FEED_START
}

/** As `lockCursor`, of a cursor that is there. Undefined if another transaction has it. */
export const lockFreeCursor = (tx: Tx, name: string): Promise<Cursor | undefined> =>
  one<Cursor>(
    tx,
    sql`select xid, seq from event_cursors where name = ${name} for update skip locked`,
  )

/** The cursor of a reader of all events, as it was committed last. */
export const findCursor = async (on: Reader, name: string): Promise<Cursor> =>
  (await one<Cursor>(on, sql`select xid, seq from event_cursors where name = ${name}`)) ??
  FEED_START

export async function saveCursor(tx: Tx, name: string, { xid, seq }: Cursor): Promise<void> {
  await sql`update event_cursors set xid = ${xid}, seq = ${seq} where name = ${name}`.execute(tx)
}
