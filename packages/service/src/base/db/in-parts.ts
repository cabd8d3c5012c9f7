import { all, type RawBuilder, sql, type Tx } from './sql.ts'

/** So many rows a statement, so that it stays far below its time limit. */
const PART = 5_000

/**
 * Updates all rows of `table` that fit `where`, one part after another in the order of their ids. `set` must leave `where`
 * as it is. The locks are held until the transaction ends.
 */
export async function updateInParts(
  tx: Tx,
  of: { table: string; set: RawBuilder<unknown>; where: RawBuilder<unknown> },
): Promise<void> {
  const table = sql.table(of.table)
  for (let after = ''; ; ) {
    const ids = await all(
      tx,
      sql<{
        id: string
      }>`select id from ${table} where ${of.where} and id > ${after} order by id limit ${PART}`,
    )
    if (ids.length > 0)
      await sql`update ${table} set ${of.set} where id = any(${ids.map(({ id }) => id)}::text[])`.execute(
        tx,
      )
    const last = ids[PART - 1]
    if (!last) return
    after = last.id
  }
}
