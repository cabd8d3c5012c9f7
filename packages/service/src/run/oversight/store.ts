import { all, type Reader, run, sql, type Tx } from '../../base/db/sql.ts'
import type { Id } from '../../base/kernel/ids.ts'

/** One start of the service on a machine. */
export type Machine = {
  id: Id<'mch'>
  host: string
  pid: number
  version: string
  roles: readonly string[]
  /** How many processes share the port of its API. */
  processes: number
  /** The marks of the secrets that it lists, the one that seals first; null for a version that knows one secret only. */
  secrets: readonly string[] | null
  /** By how much its own clock is ahead of the database's; null for a version that does not compare them. */
  aheadMs: number | null
}
export type SeenMachine = Machine & { startedAt: Date; seenAt: Date; silentSeconds: number }

/** Writes the machine, or that it is seen. Deletes those that were not seen for a day. */
export async function saveMachine(tx: Tx, machine: Machine): Promise<void> {
  const { id, host, pid, version, roles, processes, secrets, aheadMs } = machine
  await run(
    tx,
    sql`insert into machines (id, host, pid, version, roles, processes, secrets, ahead_ms)
      values (${id}, ${host}, ${pid}, ${version}, ${[...roles]}::text[], ${processes}, ${secrets && [...secrets]}::text[], ${aheadMs})
      on conflict (id) do update set seen_at = now(), secrets = excluded.secrets,
        ahead_ms = excluded.ahead_ms`,
  )
  await run(tx, sql`delete from machines where abs(extract(epoch from now() - seen_at)) > 86400`)
}

export const deleteMachine = (tx: Tx, id: string): Promise<number> =>
  run(tx, sql`delete from machines where id = ${id}`)

const MACHINES_MAX = 100

/** The machines that were seen within a day, the newest start first. */
export const listMachines = (on: Reader): Promise<SeenMachine[]> =>
  all<SeenMachine>(
    on,
    sql`select id, host, pid, version, roles, processes, secrets, ahead_ms, started_at, seen_at,
        abs(extract(epoch from now() - seen_at))::double precision as silent_seconds
      from machines order by started_at desc, id limit ${MACHINES_MAX}`,
  )
