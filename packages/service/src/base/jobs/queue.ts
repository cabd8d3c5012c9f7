import { all, one, type RawBuilder, type Reader, sql, type Tx } from '../db/sql.ts'
import { keyFor, type SingleTask, type TaskDefinition } from './task.ts'

export type JobOptions = {
  /** The delay before the job is due. Relative, so that moving the development clock moves it too. */
  delaySeconds?: number
  /** Lower runs first. Default 0. */
  priority?: number
  /** How often a failing job is tried, with exponential back-off. Default 25. */
  maxAttempts?: number
}

const EVERY_FEW_MINUTES = /^\*(\/\d+)? \* \* \* \*$/

/** For work that anybody can cause. It waits while payouts and work promised to callers are due. */
export const PRIORITY_LATER = 10

/** Puts a job in the queue in the caller's transaction. The job runs if and only if the transaction commits. */
export const enqueue = <P>(
  tx: Tx,
  task: TaskDefinition<P>,
  payload: NoInfer<P>,
  options: JobOptions = {},
): Promise<void> => enqueueMany(tx, task, [payload], options)

/** As `enqueue`, for many jobs of one task in one statement. */
export async function enqueueMany<P>(
  tx: Tx,
  task: TaskDefinition<P>,
  payloads: readonly NoInfer<P>[],
  options: JobOptions = {},
): Promise<void> {
  await enqueueStatement(task, payloads, options)?.execute(tx)
}

/** The statement that `enqueueMany` runs; undefined without jobs. Of jobs with one key the last counts. */
export function enqueueStatement<P>(
  task: TaskDefinition<P>,
  payloads: readonly NoInfer<P>[],
  options: JobOptions = {},
): RawBuilder<unknown> | undefined {
  if (payloads.length === 0) return undefined
  const jobs = new Map(
    payloads.map((payload, i) => {
      const key = task.keyOf(payload)
      return [key ?? i, { key, payload: JSON.stringify(payload) }]
    }),
  )
  const rows = [...jobs.values()]
  return sql`select graphile_worker.add_jobs(array(
    select (${task.name}, payload, null, now() + make_interval(secs => ${options.delaySeconds ?? 0}::double precision),
      ${options.maxAttempts ?? 25}, key, ${options.priority ?? 0}, null)::graphile_worker.job_spec
    from unnest(${rows.map(({ key }) => key)}::text[], ${rows.map(({ payload }) => payload)}::json[]) as job (key, payload)))`
}

/**
 * Makes sure that the one job of this task is in the queue. Leaves a waiting job as it is: updating it would make every
 * caller wait for one row lock.
 */
export async function enqueueOne(tx: Tx, task: SingleTask, delaySeconds: number): Promise<void> {
  const waits = await one(
    tx,
    sql`select 1 from graphile_worker.jobs where key = ${task.name} and locked_at is null`,
  )
  if (!waits) await enqueue(tx, task, {}, { delaySeconds })
}

/**
 * A condition for a room's own statement: the task has a job for `id`, a column that holds the task's key field.
 * `untried` counts only a job that has not failed.
 */
export const hasJob = (
  task: { name: string },
  id: string,
  which: 'any' | 'untried' = 'any',
): RawBuilder<boolean> =>
  sql`exists (select 1 from graphile_worker.jobs j where j.key = ${keyFor(task.name, '')} || ${sql.ref(id)}
    ${which === 'untried' ? sql`and j.attempts = 0` : sql``})`

/**
 * Queues each task that is to run every few minutes, so that its loop starts with the service and does not wait for the
 * clock. Machines that start at once share one job.
 */
export async function enqueueFrequent(
  tx: Tx,
  tasks: readonly { name: string; cron?: string }[],
): Promise<void> {
  const names = tasks.filter(({ cron = '' }) => EVERY_FEW_MINUTES.test(cron)).map((t) => t.name)
  await all(
    tx,
    sql`with timetable as (
        insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
        select name, service_time(), service_time() from unnest(${names}::text[]) as task (name)
        on conflict (identifier) do update set last_execution = excluded.last_execution returning identifier)
      select graphile_worker.add_job(identifier, '{}'::json, job_key => 'start:' || identifier) from timetable`,
  )
}

export type QueueSizes = { ready: number; waiting: number; running: number; failed: number }

/** How many jobs are due, wait for their time, run now, and have used up their attempts. */
export async function readQueue(on: Reader): Promise<QueueSizes> {
  const row = await one<Record<keyof QueueSizes, bigint>>(
    on,
    sql`select count(*) filter (where locked_at is null and attempts < max_attempts and run_at <= now()) as ready,
        count(*) filter (where locked_at is null and attempts < max_attempts and run_at > now()) as waiting,
        count(*) filter (where locked_at is not null) as running,
        count(*) filter (where locked_at is null and attempts >= max_attempts) as failed
      from graphile_worker.jobs`,
  )
  return {
    ready: Number(row?.ready ?? 0n),
    waiting: Number(row?.waiting ?? 0n),
    running: Number(row?.running ?? 0n),
    failed: Number(row?.failed ?? 0n),
  }
}

/**
 * For how many seconds the first of the due jobs has waited; 0 without one. The timetable has something for each minute: if it
 * was last read long ago, or in the future by a clock that was ahead, the job that it owes is due since then.
 */
export async function readOldestDue(on: Reader): Promise<number> {
  const row = await one<{ seconds: number | null }>(
    on,
    sql`select greatest(
        (select extract(epoch from now() - min(run_at)) from graphile_worker.jobs
          where locked_at is null and attempts < max_attempts and run_at <= now()),
        (select abs(extract(epoch from service_time() - max(last_execution))) - 60
          from graphile_worker._private_known_crontabs))::double precision as seconds`,
  )
  return Math.max(0, row?.seconds ?? 0)
}

export type TaskQueue = {
  task: string
  ready: bigint
  running: bigint
  /** Failed at least once, and are tried again. */
  retrying: bigint
  failed: bigint
  /** How long the first of the due jobs has waited; null without one. */
  oldestSeconds: number | null
}

/** The tasks with jobs that are due, run, are tried again or have failed for good. */
export const readTaskQueues = (on: Reader): Promise<TaskQueue[]> =>
  all<TaskQueue>(
    on,
    sql`select * from (
        select task_identifier as task, count(*) filter (where is_free and attempts < max_attempts and run_at <= now()) as ready,
          count(*) filter (where not is_free) as running,
          count(*) filter (where is_free and attempts between 1 and max_attempts - 1) as retrying,
          count(*) filter (where is_free and attempts >= max_attempts) as failed,
          extract(epoch from now() - min(run_at) filter (where is_free and attempts < max_attempts and run_at <= now()))
            ::double precision as oldest_seconds
        from (select *, locked_at is null as is_free from graphile_worker.jobs) j group by task_identifier) q
      where ready + running + retrying + failed > 0 order by failed desc, retrying desc, ready desc, task`,
  )

/** Makes all waiting jobs due earlier by this much, and runs each task that has a timetable once. */
export async function bringForward(tx: Tx, seconds: number): Promise<void> {
  await sql`select graphile_worker.reschedule_jobs(array[id], run_at => run_at - make_interval(secs => ${seconds}))
    from graphile_worker.jobs where locked_at is null`.execute(tx)
  await all(
    tx,
    sql`with timetable as (
        update graphile_worker._private_known_crontabs set last_execution = service_time() returning identifier)
      select graphile_worker.add_job(identifier, '{}'::json, job_key => 'timetable:' || identifier) from timetable`,
  )
}
