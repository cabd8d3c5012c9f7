import type { Pool } from 'pg'
import type { Logger } from 'pino'

const BEAT_MS = 2_000
/** A worker that has said nothing for so long is dead: its process was killed, or its machine. */
const DEAD_SECONDS = 10

/**
 * Says that these workers live, and frees the jobs of those that do not. The queue itself waits four hours for a
 * worker that was killed; a payment must not. A job may run twice for it, which every job can.
 */
export function startHeartbeat(
  pool: Pool,
  workerIds: ReadonlySet<string>,
  log: Logger,
): { stop(): Promise<void> } {
  const beat = async () => {
    try {
      await pool.query(
        `insert into job_workers (worker_id) select unnest($1::text[])
         on conflict (worker_id) do update set seen_at = now()`,
        [[...workerIds]],
      )
      await pool.query(
        `delete from job_workers where seen_at < now() - make_interval(secs => $1)`,
        [DEAD_SECONDS],
      )
      await pool.query(
        `select graphile_worker.force_unlock_workers(array(
           select distinct locked_by from graphile_worker.jobs where locked_by is not null
             and locked_at < now() - make_interval(secs => $1)
             and locked_by not in (select worker_id from job_workers)))`,
        [DEAD_SECONDS],
      )
    } catch (error) {
      log.warn({ err: error }, 'the workers could not say that they live')
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
