import { all, type Reader, sql } from '../../../base/db/sql.ts'

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
