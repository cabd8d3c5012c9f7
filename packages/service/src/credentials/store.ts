import { run, sql, type Tx } from '../db/sql.ts'

/**
 * Counts a lookup of the key, unless it has had `most` today. One statement, so of callers that race for the last one
 * gets it. Answers whether it was counted.
 */
export const countLookup = async (
  tx: Tx,
  { keyHash, day, most }: { keyHash: string; day: string; most: number },
): Promise<boolean> =>
  (await run(
    tx,
    sql`insert into credential_lookups as l (key_hash, day, count) values (${keyHash}, ${day}::date, 1)
      on conflict (key_hash, day) do update set count = l.count + 1 where l.count < ${most}`,
  )) === 1

/** Deletes the counts of days before this one. */
export async function forgetLookups(tx: Tx, day: string): Promise<void> {
  await sql`delete from credential_lookups where day < ${day}::date`.execute(tx)
}
