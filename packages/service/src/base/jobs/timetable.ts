import { type ParsedCronItem, parseCrontab } from 'graphile-worker'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { mendQueue } from './set-back.ts'

const LOOK_MS = 1_000
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

type Timed = { name: string; cron?: string }
type Due = { name: string; ts: Date }

/**
 * Queues the tasks that have a timetable as their times come by `now`, the service's clock. graphile-worker's own timetable
 * goes by the clock of the machine: one that is ahead for a moment keeps it from running until that time has come.
 */
export function startTimetable(
  pool: Pool,
  of: { tasks: readonly Timed[]; now: () => Date; log: Logger },
): { stop(): Promise<void> } {
  const items = timesOf(of.tasks)
  let done = 0
  let looking: Promise<void> | undefined
  const look = async () => {
    const minute = minuteOf(of.now())
    if (minute === done) return
    await queueDue(pool, items)
    done = minute
  }
  const timer = setInterval(() => {
    looking ??= look()
      .catch((error) => of.log.warn({ err: error }, 'the tasks of the timetable were not queued'))
      .finally(() => {
        looking = undefined
      })
  }, LOOK_MS)
  return {
    async stop() {
      clearInterval(timer)
      await looking
    },
  }
}

export const timesOf = (tasks: readonly Timed[]): ParsedCronItem[] =>
  parseCrontab(tasks.flatMap(({ name, cron }) => (cron ? [`${cron} ${name}`] : [])).join('\n'))

/**
 * Queues each task whose time has come since it was last queued: once, whatever it has missed. A task of which nothing is
 * known waits for its next time. Machines do it once between them, older ones with graphile-worker's timetable too: its table
 * is kept as it keeps it. A row in the future was written by a clock that was ahead, and is mended.
 */
export async function queueDue(pool: Pool, items: ParsedCronItem[]): Promise<void> {
  await pool.query(
    `insert into graphile_worker._private_known_crontabs (identifier, known_since)
     select name, service_time() from unnest($1::text[]) as n (name) on conflict do nothing`,
    [items.map(({ identifier }) => identifier)],
  )
  const { rows } = await pool.query<{ identifier: string; since: Date; at: Date }>(
    `select identifier, coalesce(last_execution, known_since) as since, now.at
     from graphile_worker._private_known_crontabs, (select service_time() as at) as now`,
  )
  if (rows.some(({ since, at }) => since.getTime() > at.getTime() + MINUTE_MS))
    await mendQueue(pool)
  const known = new Map(rows.map((row) => [row.identifier, row]))
  const due = items.flatMap(({ identifier: name, match }): Due[] => {
    const row = known.get(name)
    const ts = row && newestTime(match, row)
    return ts ? [{ name, ts }] : []
  })
  await pool.query(
    `with due as (
       select name, ts from unnest($1::text[], $2::timestamptz[]) as d (name, ts)
     ), taken as (
       insert into graphile_worker._private_known_crontabs as k (identifier, known_since, last_execution)
       select name, ts, ts from due
       on conflict (identifier) do update set last_execution = excluded.last_execution
         where k.last_execution is null or k.last_execution < excluded.last_execution
       returning identifier
     )
     select graphile_worker.add_job(name, json_build_object('_cron', json_build_object('ts', ts, 'backfilled', false)))
     from due join taken on identifier = name`,
    [due.map(({ name }) => name), due.map(({ ts }) => ts)],
  )
}

/** The newest time that matches after `since`, up to `at`, within a day. */
function newestTime(
  match: ParsedCronItem['match'],
  { since, at }: { since: Date; at: Date },
): Date | undefined {
  const earliest = Math.max(since.getTime(), at.getTime() - DAY_MS)
  for (let ms = minuteOf(at); ms > earliest; ms -= MINUTE_MS) {
    const ts = new Date(ms)
    const digest = {
      min: ts.getUTCMinutes(),
      hour: ts.getUTCHours(),
      date: ts.getUTCDate(),
      month: ts.getUTCMonth() + 1,
      dow: ts.getUTCDay(),
    }
    if (match(digest)) return ts
  }
  return undefined
}

const minuteOf = (at: Date): number => at.getTime() - (at.getTime() % MINUTE_MS)
