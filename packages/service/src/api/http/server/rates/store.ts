import { all, sql, type Tx } from '../../../../base/db/sql.ts'

export type Count = { name: string; count: number }

/** Adds what this process has counted, and answers what all others have under the same names, after the slot `since`, up to `slot`. */
export const exchangeCounts = (
  tx: Tx,
  of: { process: string; slot: number; since: number; counts: readonly Count[] },
): Promise<Count[]> =>
  all(
    tx,
    sql<Count>`with mine as (select * from unnest(${of.counts.map(({ name }) => name)}::text[],
        ${of.counts.map(({ count }) => count)}::integer[]) as m (name, count)),
      added as (insert into rate_counts as r (name, slot, process, count)
        select name, ${of.slot}, ${of.process}, count from mine where count > 0
        on conflict (name, slot, process) do update set count = r.count + excluded.count)
      select m.name, coalesce(sum(r.count), 0)::integer as count
      from mine m left join rate_counts r on r.name = m.name and r.slot > ${of.since} and r.slot <= ${of.slot} and r.process <> ${of.process}
      group by m.name`,
  )

/** Others may delete the same rows, so what somebody holds is left to them. */
export async function deleteOldCounts(tx: Tx, before: number): Promise<void> {
  await sql`delete from rate_counts where ctid = any(array(
    select ctid from rate_counts where slot < ${before} limit 10000 for update skip locked))`.execute(
    tx,
  )
}
