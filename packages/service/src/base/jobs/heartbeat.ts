import type { Pool } from 'pg'
import type { Logger } from 'pino'

const BEAT_MS = 2_000
/** A worker without a heartbeat for this long is dead: its process or its machine was killed. */
const DEAD_SECONDS = 10

/**
 * Writes a heartbeat for these workers, and frees the jobs of dead ones. The queue itself waits four hours for a killed
 * worker, which is too long for a payment. A freed job may run twice, and every job allows that.
 */
export function startHeartbeat(
  pool: Pool,
  workerIds: ReadonlySet<string>,
  log: Logger,
): { stop(): Promise<void> } {
  const beat = async () => {
    // A worker that beats is alive, however long the database took between two of these.
    const own = [...workerIds]
    try {
      await pool.query(
        `insert into job_workers (worker_id) select unnest($1::text[])
         on conflict (worker_id) do update set seen_at = now()`,
        [own],
      )
      await pool.query(
        `delete from job_workers
         where seen_at < now() - make_interval(secs => $1) and worker_id <> all($2::text[])`,
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
