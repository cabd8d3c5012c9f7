import { all, sql, type Tx } from '../../base/db/sql.ts'

/**
 * Counts a lookup for each of these keys, unless it has had `most` today, and answers whether it was counted. One statement,
 * so of callers that race for the last one gets it. The others of its batch are in the count, beyond `most`.
 */
export async function countLookups(
  tx: Tx,
  { keyHashes, day, most }: { keyHashes: readonly string[]; day: string; most: number },
): Promise<boolean[]> {
  const rows = await all<{ keyHash: string; before: number }>(
    tx,
    sql`with asked as (select key_hash, count(*)::integer as lookups from unnest(${[...keyHashes]}::text[]) as k (key_hash)
        group by key_hash),
      counted as (insert into credential_lookups as l (key_hash, day, count)
        select key_hash, ${day}::date, lookups from asked order by key_hash
        on conflict (key_hash, day) do update set count = l.count + excluded.count where l.count < ${most}
        returning key_hash, count)
      select c.key_hash, c.count - a.lookups as before from counted c join asked a on a.key_hash = c.key_hash`,
  )
  const left = new Map(rows.map(({ keyHash, before }) => [keyHash, most - before]))
  return keyHashes.map((key) => {
    const lookups = left.get(key) ?? 0
    left.set(key, lookups - 1)
    return lookups > 0
  })
}
