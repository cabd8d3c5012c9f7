import { one, sql, type Tx } from '../db/sql.ts'

export type JobOptions = {
  /** How long from now the job is due. Relative, so that moving the development clock moves it too. */
  delaySeconds?: number
  /** A job with the same key replaces one that is still waiting. */
  key?: string
  /** Lower runs first. Default 0. */
  priority?: number
  /** How often a failing job is tried, with exponential back-off. Default 25. */
  maxAttempts?: number
}

/** For work that anybody can cause. It waits while payouts and work promised to callers are due. */
export const PRIORITY_LATER = 10

/** Puts a job in the queue in the caller's transaction. The job runs if and only if the transaction commits. */
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
 * Makes sure that the one job of this task is in the queue. Leaves a waiting job as it is: updating it would make every
 * caller wait for one row lock.
 */
export async function enqueueOne(tx: Tx, task: string, delaySeconds: number): Promise<void> {
  const waits = await one(
    tx,
    sql`select 1 from graphile_worker.jobs where key = ${task} and locked_at is null`,
  )
  if (!waits) await enqueue(tx, task, {}, { key: task, delaySeconds })
}
