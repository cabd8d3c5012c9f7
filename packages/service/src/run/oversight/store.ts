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
  /** How many connections to the database it may open; null for a version that does not say. */
  connections: number | null
  /** The marks of the secrets that it lists, the one that seals first; null for a version that knows one secret only. */
  secrets: readonly string[] | null
  /** By how much its own clock is ahead of the database's; null for a version that does not compare them. */
  aheadMs: number | null
  /** The last time in which the database took nothing from it, since its start. */
  refused: { from: Date; until: Date; why: string } | null
}
export type SeenMachine = Omit<Machine, 'refused'> & {
  startedAt: Date
  seenAt: Date
  silentSeconds: number
} & Refused
/** All null for a machine that was not refused, or has an older version. */
type Refused = { refusedFrom: Date | null; refusedUntil: Date | null; refusedWhy: string | null }

/** Writes the machine, or that it is seen. Deletes those that were not seen for a day. */
export async function saveMachine(tx: Tx, machine: Machine): Promise<void> {
  const { id, host, pid, version, roles, processes, connections, secrets, aheadMs, refused } =
    machine
  await run(
    tx,
    sql`insert into machines (id, host, pid, version, roles, processes, connections, secrets, ahead_ms,
        refused_from, refused_until, refused_why)
      values (${id}, ${host}, ${pid}, ${version}, ${[...roles]}::text[], ${processes}, ${connections}, ${secrets && [...secrets]}::text[], ${aheadMs},
        ${refused?.from ?? null}::timestamptz, ${refused?.until ?? null}::timestamptz, ${refused?.why ?? null})
      on conflict (id) do update set seen_at = now(), secrets = excluded.secrets,
        ahead_ms = excluded.ahead_ms, refused_from = excluded.refused_from,
        refused_until = excluded.refused_until, refused_why = excluded.refused_why`,
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
    sql`select id, host, pid, version, roles, processes, connections, secrets, ahead_ms, refused_from, refused_until, refused_why, started_at, seen_at,
        abs(extract(epoch from now() - seen_at))::double precision as silent_seconds
      from machines order by started_at desc, id limit ${MACHINES_MAX}`,
  )
