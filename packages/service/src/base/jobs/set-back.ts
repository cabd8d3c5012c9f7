import type { Pool } from 'pg'
import { type Db, one, type Reader, run, sql } from '../db/sql.ts'

/**
 * A column with times that lie at most `longestSeconds` in the future, or in the past where nothing else is said. Later ones
 * were written while the clock of the database was ahead: what waits for them would wait until that time has come.
 */
export type TimeColumn = { table: string; column: string; longestSeconds?: number }

/** Brings such times to the latest that is right, after the clock was set back. Work that waits is done early, and no lease ends early. */
export async function mendTimes(
  db: Pick<Db, 'write'>,
  columns: readonly TimeColumn[],
): Promise<void> {
  for (const { table, column, longestSeconds = 0 } of columns) {
    const latest = sql`service_time() + make_interval(secs => ${longestSeconds}::double precision)`
    const name = sql.ref(column)
    await db.write((tx) =>
      run(tx, sql`update ${sql.table(table)} set ${name} = ${latest} where ${name} > ${latest}`),
    )
  }
}

/**
 * The same for the queue and its timetable. A job keeps the delay that it was given by a clock that was ahead. One of the
 * timetable has none: older versions took its time from the clock of their machine.
 */
export async function mendQueue(pool: Pool): Promise<void> {
  await pool.query(
    `update graphile_worker._private_known_crontabs
     set known_since = least(known_since, service_time()),
       last_execution = case when last_execution is not null then least(last_execution, service_time()) end
     where greatest(known_since, last_execution) > service_time()`,
  )
  await pool.query(
    `update graphile_worker._private_jobs set
       run_at = case when payload -> '_cron' is not null and attempts = 0 then least(run_at, now())
         else run_at - greatest(updated_at - now(), interval '0') end,
       created_at = least(created_at, now()), updated_at = least(updated_at, now()),
       locked_at = case when locked_at is not null then least(locked_at, now()) end
     where greatest(created_at, updated_at, locked_at) > now()
       or (run_at > now() and payload -> '_cron' is not null and attempts = 0)`,
  )
}

/** When the clock of the database was set last, within a day, and by how many seconds: negative if it was set back. */
export const findSet = (on: Reader): Promise<{ setAt: Date; seconds: number } | undefined> =>
  one(
    on,
    sql`select set_at, set_seconds as seconds from database_clock
      where abs(extract(epoch from now() - set_at)) < 86400`,
  )
