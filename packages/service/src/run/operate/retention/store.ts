import { all, type Reader, sql } from '../../../base/db/sql.ts'
import { isArchived } from '../../../money/ledger/verify/store-archived.ts'

/** The size of tables with their indexes. `rows` is PostgreSQL's estimate. */
export const readSizes = (
  on: Reader,
  tables: readonly string[],
): Promise<{ table: string; rows: bigint; bytes: bigint }[]> =>
  all(
    on,
    sql`select name as table, pg_stat_get_live_tuples(to_regclass(name))::bigint as rows,
        pg_total_relation_size(to_regclass(name)) as bytes
      from unnest(${[...tables]}::text[]) as name where to_regclass(name) is not null`,
  )

/** Makes the tables into which a file is read again. Both go with `dropRead`. */
export async function makeRead(on: Reader, columns: readonly string[]): Promise<void> {
  await dropRead(on)
  const names = sql.join(columns.map((name) => sql.ref(name)))
  await sql`create temp table archive_line as select ${names} from settlements limit 0`.execute(on)
  await sql`create temp table archive_rows (like settlements including defaults)`.execute(on)
}

export async function dropRead(on: Reader): Promise<void> {
  await sql`drop table if exists pg_temp.archive_line, pg_temp.archive_rows`.execute(on)
}

export async function addRead(
  on: Reader,
  columns: readonly string[],
  lines: readonly string[],
): Promise<void> {
  const names = sql.join(columns.map((name) => sql.ref(name)))
  await sql`insert into pg_temp.archive_rows (${names})
    select (l::pg_temp.archive_line).* from unnest(${[...lines]}::text[]) as l`.execute(on)
}

/** How a batch that was read fits its chain. */
export type ReadBatch = {
  batch: bigint
  rows: bigint
  isArchived: boolean
  /** It has the hash that the chain has for it. */
  isIntact: boolean
  /** Rows with another byte than when they were posted. */
  altered: string[] | null
}

/** The batches that were read whole: all but the newest, unless the file has ended. They are put out of the table. */
export async function takeRead(on: Reader, isEnd: boolean): Promise<ReadBatch[]> {
  const isWhole = isEnd ? sql`true` : sql`batch < (select max(batch) from pg_temp.archive_rows)`
  const batches = await all<ReadBatch>(
    on,
    sql`select r.batch, r.rows, r.altered, ${isArchived(sql`r.batch`)} as is_archived,
        coalesce(sha256(b.previous || r.digests) = b.hash, false) as is_intact
      from (select batch, count(*) as rows, string_agg(digest, '' order by id collate "C") as digests,
          array_agg(id) filter (where digest is distinct from settlement_fact(row(a.*)::settlements)) as altered
        from pg_temp.archive_rows a where ${isWhole} group by batch) r
      left join ledger_batches b on b.id = r.batch order by r.batch`,
  )
  await sql`delete from pg_temp.archive_rows where ${isWhole}`.execute(on)
  return batches
}
