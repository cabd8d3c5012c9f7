import { one, sql, type Tx } from '../db/sql.ts'

export type JobOptions = {
  /** How long from now the job is due. Relative, so that moving the development clock moves it too. */
  delaySeconds?: number
  /** A second job with this key takes the place of the first while that one waits. */
  key?: string
  /** Lower runs first; 0 without it. */
  priority?: number
  /** How often a failing job is tried, with exponential back-off; 25 without it. */
  maxAttempts?: number
}

/** For work that anybody may cause: it waits while payouts and what was promised to callers are due. */
export const PRIORITY_LATER = 10

/** Puts a job in the queue, in the caller's transaction: it will run exactly if that commits. */
export async function enqueue(
  tx: Tx,
  task: string,
  payload: Record<string, unknown>,
  options: JobOptions = {},
): Promise<void> {
  await sql`select graphile_worker.add_job(${task}, ${JSON.stringify(payload)}::json,
    run_at => now() + make_interval(secs => ${options.delaySeconds ?? 0}::double precision),
    job_key => ${options.key ?? null}::text, max_attempts => ${options.maxAttempts ?? 25}::integer,
    priority => ${options.priority ?? 0}::integer)`.execute(tx)
}

/**
 * Sees to it that the one job of this task is in the queue. One that waits is left as it is: to touch it would be a lock
 * on every caller.
 */
export async function enqueueOne(tx: Tx, task: string, delaySeconds: number): Promise<void> {
  const waits = await one(
    tx,
    sql`select 1 from graphile_worker.jobs where key = ${task} and locked_at is null`,
  )
  if (!waits) await enqueue(tx, task, {}, { key: task, delaySeconds })
}
