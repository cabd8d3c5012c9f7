import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { sinceBoot, steadyNow } from '../kernel/clock.ts'
import { mendQueue } from './set-back.ts'

const BEAT_MS = 2_000
/** A worker without a heartbeat for this long is dead: its process or its machine was killed. */
const DEAD_SECONDS = 10
/** A clock that goes by more was set. Servers between which a database moves may be apart by less. */
const SET_SECONDS = 5
/** Every process follows the clock of the database by then, and writes no more times of before. */
const FOLLOWED_MS = 10_000

type Beating = {
  workerIds: ReadonlySet<string>
  log: Logger
  /** Mends the times that rooms wrote before the clock was set back. */
  mend?: (() => Promise<void>) | undefined
}

/**
 * Writes a heartbeat for these workers, and frees the jobs of dead ones. The queue itself waits four hours for a killed
 * worker, which is too long for a payment. A freed job may run twice, and every job allows that.
 */
export function startHeartbeat(
  pool: Pool,
  { workerIds, log, mend }: Beating,
): { stop(): Promise<void> } {
  const watch = watchClock(pool, log, mend)
  const beat = async () => {
    // A worker that beats is alive, however long the database took between two of these.
    const own = [...workerIds]
    try {
      await watch()
      await pool.query(
        `insert into job_workers (worker_id) select unnest($1::text[])
         on conflict (worker_id) do update set seen_at = now()`,
        [own],
      )
      await pool.query(
        `delete from job_workers
         where abs(extract(epoch from now() - seen_at)) > $1 and worker_id <> all($2::text[])`,
        [DEAD_SECONDS, own],
      )
      await pool.query(
        `select graphile_worker.force_unlock_workers(array(
           select distinct locked_by from graphile_worker.jobs where locked_by is not null
             and locked_at < now() - make_interval(secs => $1)
             and locked_by <> all($2::text[])
             and locked_by not in (select worker_id from job_workers)))`,
        [DEAD_SECONDS, own],
      )
    } catch (error) {
      log.warn({ err: error }, 'the heartbeat of the workers could not be written')
    }
  }
  let last = beat()
  const timer = setInterval(() => {
    last = last.then(beat)
  }, BEAT_MS)
  return {
    async stop() {
      clearInterval(timer)
      await last
      await pool.query('delete from job_workers where worker_id = any($1::text[])', [
        [...workerIds],
      ])
    },
  }
}

/**
 * Notices when the clock of the database is set. It keeps the newest time that any worker has seen, so one that is started
 * later notices too. Once it is set back, what stands in the future is mended.
 */
function watchClock(pool: Pool, log: Logger, mend: Beating['mend']): () => Promise<void> {
  let last: { atMs: number; bootMs: number } | undefined
  let back: { sinceMs: number; seconds: number } | undefined
  return async () => {
    const { rows } = await pool.query<{ ms: number; ahead: number }>(
      `with seen as (
         insert into database_clock as c (seen_at) values (clock_timestamp())
         on conflict (only_row) do update set seen_at = greatest(c.seen_at, excluded.seen_at) returning seen_at
       ) select extract(epoch from now)::double precision * 1000 as ms,
           extract(epoch from seen_at - now)::double precision as ahead
         from seen, (select clock_timestamp() as now) as n`,
    )
    const [{ ms, ahead }] = rows as [{ ms: number; ahead: number }]
    const bootMs = sinceBoot()
    const leap = last ? (ms - last.atMs - (bootMs - last.bootMs)) / 1000 : 0
    last = { atMs: ms, bootMs }
    if (leap > SET_SECONDS) await noteSet(pool, log, leap)
    if (ahead <= SET_SECONDS) {
      back = undefined
      return
    }
    back ??= { sinceMs: steadyNow(), seconds: ahead }
    if (steadyNow() - back.sinceMs < FOLLOWED_MS) return
    await mendQueue(pool)
    await mend?.()
    await noteSet(pool, log, -back.seconds)
  }
}

async function noteSet(pool: Pool, log: Logger, seconds: number): Promise<void> {
  log.error({ seconds }, 'the clock of the database was set')
  await pool.query(
    'update database_clock set seen_at = clock_timestamp(), set_at = clock_timestamp(), set_seconds = $1',
    [seconds],
  )
}
