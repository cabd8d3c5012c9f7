import { all, sql, type Tx } from '../../../base/db/sql.ts'

export type HostRow = { name: string; provenAt: Date | null; nextAt: Date }

/** Locks the rows of these hosts and addresses, in one order for all. Makes those that are missing. */
export async function lockHosts(tx: Tx, at: Date, names: string[]): Promise<HostRow[]> {
  const sorted = [...new Set(names)].sort()
  await sql`insert into webhook_hosts (name, next_at) select name, ${at}::timestamptz from unnest(${sorted}::text[]) as name
    on conflict do nothing`.execute(tx)
  return all<HostRow>(
    tx,
    sql`select name, proven_at, next_at from webhook_hosts where name = any(${sorted}::text[])
      order by name for update`,
  )
}

export async function saveHosts(tx: Tx, rows: readonly HostRow[]): Promise<void> {
  await sql`update webhook_hosts h set next_at = v.next_at
    from unnest(${rows.map(({ name }) => name)}::text[], ${rows.map(({ nextAt }) => nextAt)}::timestamptz[])
      as v (name, next_at) where h.name = v.name`.execute(tx)
}

/** Has endpoints that wait for a turn of these hosts looked at now. */
export async function wakeHosts(tx: Tx, at: Date, hosts: string[]): Promise<void> {
  await sql`update webhooks w set due_at = ${at}::timestamptz from (select id from webhooks
      where host = any(${hosts}::text[]) and due_at > ${at} and due_at <= ${at}::timestamptz + interval '10 seconds'
        and breaker_until is null and sender is null order by id for no key update) one
    where w.id = one.id`.execute(tx)
}

/** Writes down that these have answered with 2xx. One that had not for long is sent to at the full rate from now on. */
export async function proveHosts(tx: Tx, at: Date, names: string[]): Promise<void> {
  const sorted = [...new Set(names)].sort()
  await sql`update webhook_hosts h set proven_at = ${at}::timestamptz, next_at = least(h.next_at, ${at}::timestamptz)
    from (select name from webhook_hosts where name = any(${sorted}::text[]) order by name for update) one
    where h.name = one.name`.execute(tx)
}
