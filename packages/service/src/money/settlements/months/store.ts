import { all, one, type Reader, sql, type Tx } from '../../../base/db/sql.ts'

/** So many months are there before they begin, beside the present one. */
const AHEAD = 3

/** Whether settlements are kept by month: `purser migrate --contract` was run, or the database was new. */
const isByMonth = async (on: Reader): Promise<boolean> =>
  (await one(on, sql`select 1 where to_regclass('settlements_rest') is not null`)) !== undefined

/** Makes the months of settlements that are missing, so that each is there long before its first payment. */
export async function makeMonths(tx: Tx, at: Date): Promise<void> {
  if (await isByMonth(tx)) await sql`select make_settlement_months(${at}, ${AHEAD})`.execute(tx)
}

/** Whether a settlement lies outside all months. It counts like any other, but leaves for no archive. */
export const hasStray = async (on: Reader): Promise<boolean> =>
  (await isByMonth(on)) &&
  (await one(on, sql`select 1 from settlements_rest limit 1`)) !== undefined

/** A part of the settlements. `from` is null for what was there before the months, both are for what has no month. */
export type Month = {
  table: string
  from: Date | null
  until: Date | null
  rows: bigint
  /** With its indexes. */
  bytes: bigint
}

/** The parts that settlements lie in, the oldest first; none before they are by month. `rows` is PostgreSQL's estimate. */
export async function listMonths(on: Reader): Promise<Month[]> {
  if (!(await isByMonth(on))) return []
  return all<Month>(
    on,
    sql`select c.relname as table, settlement_id_time(substring(b.bound from $re$FROM \\('(stl_[^']+)$re$)) as from,
        settlement_id_time(substring(b.bound from $re$TO \\('(stl_[^']+)$re$)) as until,
        pg_stat_get_live_tuples(c.oid)::bigint as rows, pg_total_relation_size(c.oid) as bytes
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
        cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as bound) b
      where i.inhparent = 'settlements'::regclass order by until nulls last`,
  )
}
