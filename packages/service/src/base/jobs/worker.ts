import { EventEmitter } from 'node:events'
import { Logger as GraphileLogger, run, runOnce, type WorkerEvents } from 'graphile-worker'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { openPool } from '../db/sql.ts'
import type { Costs } from '../kernel/costs.ts'
import { reach } from '../kernel/fault-points.ts'
import { Problem } from '../kernel/problem.ts'
import { inSpan } from '../kernel/tracing.ts'
import { startHeartbeat } from './heartbeat.ts'
import { patient } from './patient-pool.ts'
import { MAIN_QUEUE, type Queue, type TaskDefinition } from './task.ts'
import { startTimetable } from './timetable.ts'

type Terms = {
  /** Five fields as in crontab, in UTC. Without it the task runs only when it is enqueued. */
  cron?: string
  /** The most that one run costs. A task that a caller without money can cause declares it. */
  costs?: Costs
}
/** The handler of a task's jobs. A job may run twice, late, or on two nodes at once. */
export type Task<Given> = Terms & {
  name: string
  /** The main queue without it. */
  queue?: Queue
  handle(services: Given, payload: unknown, at: Date): Promise<void>
}

/** The handler of a defined task's jobs. A payload that does not fit fails the job: a newer version may read it. */
export const handlerOf = <Given, P>(
  task: TaskDefinition<P>,
  of: Terms & { handle(services: Given, payload: P, at: Date): Promise<void> },
): Task<Given> => ({
  name: task.name,
  queue: task.queue,
  ...(of.cron === undefined ? {} : { cron: of.cron }),
  ...(of.costs && { costs: of.costs }),
  handle(services, payload, at) {
    if (!task.fits(payload)) throw new Error(`this version cannot read the payload of ${task.name}`)
    return of.handle(services, payload, at)
  },
})

type Work<S> = {
  tasks: Task<S>[]
  services: S
  now: () => Date
  log: Logger
}
type WorkerOptions<S> = Work<S> & {
  databaseUrl: string
  isPooled?: boolean
  /** For the statements of the queue. All its listeners share one of them. */
  connections?: number
  /** The most jobs of a queue at once, where that is fewer than the queue has. */
  atOnce?: number
  /** Mends the times that rooms wrote before the clock of the database was set back. */
  mend?: () => Promise<void>
}

const CONNECTIONS = 8

/** Starts taking jobs from the queue. `stop` lets the running ones finish. */
export async function startWorker<S>(
  options: WorkerOptions<S>,
): Promise<{ stop(): Promise<void> }> {
  const queues = Map.groupBy(options.tasks, ({ queue = MAIN_QUEUE }) => queue)
  const { atOnce = Number.POSITIVE_INFINITY, connections = CONNECTIONS } = options
  const ending = new AbortController()
  const pgPool = patient(
    openPool(options.databaseUrl, connections, { isShared: options.isPooled ?? false }),
    ending.signal,
  )
  const events: WorkerEvents = new EventEmitter()
  const workerIds = new Set<string>()
  // Workers lock their jobs under the id of their pool.
  events.on('pool:create', ({ workerPool }) => workerIds.add(workerPool.id))
  const runners = await Promise.all(
    [...queues].map(([{ concurrency }, tasks]) =>
      run({
        pgPool,
        events,
        taskList: taskListOf({ ...options, tasks }),
        // The service has a timetable of its own.
        parsedCronItems: [],
        concurrency: Math.min(concurrency, atOnce),
        pollInterval: 1000,
        noHandleSignals: true,
        logger: new GraphileLogger(() => (level, message) => {
          if (level === 'error') options.log.error({ message }, 'worker')
        }),
      }),
    ),
  )
  const { log, mend } = options
  const heartbeat = startHeartbeat(pgPool, { workerIds, log, mend })
  const timetable = startTimetable(pgPool, options)
  return {
    stop: async () => {
      ending.abort()
      await timetable.stop()
      await Promise.all(runners.map((runner) => runner.stop()))
      await heartbeat.stop()
      await pgPool.end()
    },
  }
}

/** Runs all due jobs on connections of the pool, then returns. */
export async function runDueJobs<S>(pgPool: Pool, work: Work<S>): Promise<void> {
  await runOnce({
    pgPool,
    taskList: taskListOf(work),
    noHandleSignals: true,
    logger: new GraphileLogger(() => () => {}),
  })
}

/** Runs each task once without the queue, in order. A failure is only logged: the queue would repeat the job. */
export async function runTasks<S>(work: Work<S>): Promise<void> {
  for (const run of Object.values(taskListOf(work))) await run({}).catch(() => undefined)
}

type Handlers = Record<string, (payload: unknown) => Promise<void>>

function taskListOf<S>({ tasks, services, now, log }: Work<S>): Handlers {
  return Object.fromEntries(
    tasks.map((task) => [
      task.name,
      async (payload: unknown) => {
        try {
          reach('jobs.before_task')
          await inSpan(
            () => ({ name: `job ${task.name}` }),
            () => task.handle(services, payload ?? {}, now()),
          )
          reach('jobs.after_task')
        } catch (error) {
          // A retry would be refused too. Other errors may be temporary, so the queue retries them.
          if (error instanceof Problem && error.status < 500) {
            log.warn({ task: task.name, code: error.code, error: error.message }, 'job refused')
            return
          }
          log.error({ task: task.name, err: error }, 'job failed')
          throw storable(error)
        }
      },
    ]),
  )
}

/** The queue keeps the message, and a text of PostgreSQL has neither NUL nor half a character. A seller may have written it. */
function storable(error: unknown): unknown {
  if (error instanceof Error) error.message = error.message.replaceAll('\0', '').toWellFormed()
  return error
}
