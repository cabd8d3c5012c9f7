import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, one, type RawBuilder, type Reader, run, sql, type Tx } from '../db/sql.ts'
import type { Task } from './worker.ts'

/** How many rows there are, and how many of them are over. */
export type Counted = { rows: bigint; due: bigint }
type Rows = {
  /** Rows of before `before` are over. */
  count(on: Reader, before: Date): Promise<Counted>
  /** Deletes some of the rows that are over, about `most`; fewer than `most` says that none is left. */
  remove(tx: Tx, before: Date, most: number): Promise<number>
}
/** Rows of a kind that are deleted once they are old enough, by a task and by `purser retention apply`. */
export type Kept<S> = Rows & {
  kind: string
  /** In words, many of them. */
  what: string
  /** The variable that says how long, if one does. */
  setting?: string
  /** Null: for ever. */
  seconds(settings: S): number | null
  /** The time begins with it, in words. */
  since: string
}

export const HOUR = 3_600
export const DAY = 86_400

/** Rows of a transaction: it holds no lock for long. */
const PIECE = 2_000
/** Between two pieces the database is left to payments. */
const REST_MS = 20

/** Rows of a table that are over by one of its columns. A column of type date holds UTC days. */
export function keptRows(of: {
  table: string
  column: string
  type?: 'date'
  /** A second condition for a row that is over. */
  and?: (before: Date) => RawBuilder<unknown>
}): Rows {
  const table = sql.table(of.table)
  const isOlder = (before: Date) =>
    of.type === 'date'
      ? sql`${sql.ref(of.column)} < (${before}::timestamptz at time zone 'UTC')::date`
      : sql`${sql.ref(of.column)} < ${before}::timestamptz`
  const isOver = (before: Date) =>
    of.and ? sql`${isOlder(before)} and ${of.and(before)}` : isOlder(before)
  return {
    async count(on, before) {
      const row = await one<Counted>(
        on,
        sql`select count(*) as rows, count(*) filter (where ${isOver(before)}) as due from ${table}`,
      )
      return row ?? { rows: 0n, due: 0n }
    },
    // Rows that somebody holds are left to the next run.
    remove: (tx, before, most) =>
      run(
        tx,
        sql`delete from ${table} where ctid = any(array(
          select ctid from ${table} where ${isOver(before)} limit ${most} for update skip locked))`,
      ),
  }
}

/** Since when rows of this kind are over; undefined if they are kept for ever. */
export function overSince<S>({ seconds }: Kept<S>, settings: S, at: Date): Date | undefined {
  const kept = seconds(settings)
  return kept === null ? undefined : new Date(at.getTime() - kept * 1000)
}

/** Deletes what is over, a piece in a transaction. May be cut off at any time: what is left waits for the next run. Returns how many. */
export async function forget(db: Pick<Db, 'write'>, kept: Rows, before: Date): Promise<number> {
  for (let gone = 0; ; await sleep(REST_MS)) {
    const piece = await db.write((tx) => kept.remove(tx, before, PIECE))
    gone += piece
    if (piece < PIECE) return gone
  }
}

/** The task that deletes what is over of these kinds. */
export const forgetTask = <S, Given extends { db: Pick<Db, 'write'>; settings: S }>(
  of: { name: string; cron: string },
  kinds: readonly Kept<S>[],
): Task<Given> => ({
  ...of,
  async handle({ db, settings }, _, at) {
    for (const kept of kinds) {
      const before = overSince(kept, settings, at)
      if (before) await forget(db, kept, before)
    }
  },
})
