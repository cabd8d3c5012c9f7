import { sql, type Tx } from '../db/sql.ts'

export type JobOptions = {
  /** How long from now the job is due. Relative, so that moving the development clock moves it too. */
  delaySeconds?: number
  /** A second job with this key takes the place of the first while that one waits. */
  key?: string
  /** How often a failing job is tried, with exponential back-off; 25 without it. */
  maxAttempts?: number
}

/** Puts a job in the queue, in the caller's transaction: it will run exactly if that commits. */
export async function enqueue(
  tx: Tx,
  task: string,
  payload: Record<string, unknown>,
  options: JobOptions = {},
): Promise<void> {
  await sql`select graphile_worker.add_job(${task}, ${JSON.stringify(payload)}::json,
    run_at => now() + make_interval(secs => ${options.delaySeconds ?? 0}::double precision),
    job_key => ${options.key ?? null}::text, max_attempts => ${options.maxAttempts ?? 25}::integer)`.execute(
    tx,
  )
}
