import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { ownPort } from '../../../test/run/own-port.ts'
import { pause, until } from '../../../test/until.ts'
import { freshDatabase } from '../../../test/world/postgres.ts'
import { startPostgres } from '../../run/embedded/postgres/postgres.ts'
import { migrate } from '../db/migrate.ts'
import { all, openDb, sql } from '../db/sql.ts'
import { startHeartbeat } from './heartbeat.ts'
import { enqueue, enqueueFrequent, enqueueMany, hasJob, readQueue } from './queue.ts'
import { defineTask, Looks } from './task.ts'
import { handlerOf, runDueJobs, startWorker } from './worker.ts'

const log = pino({ level: 'silent' })
const greetTask = defineTask({ name: 'greet', payload: { name: Type.String() } })

test('another worker takes the job of a killed one within seconds, not hours', async () => {
  const database = await freshDatabase()
  const db = openDb(database.url)
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await db.write((tx) => enqueue(tx, greetTask, { name: 'x' }))
  // A kill -9 leaves the job locked by a worker without a heartbeat.
  await client.query(
    `update graphile_worker._private_jobs set attempts = 1, locked_by = 'worker-dead', locked_at = now() - interval '16 seconds'`,
  )
  const greeted: unknown[] = []
  const task = handlerOf(greetTask, {
    handle: async (_: unknown, { name }) => void greeted.push(name),
  })
  const worker = await startWorker({
    databaseUrl: database.url,
    tasks: [task],
    services: {},
    now: () => new Date(),
    log,
  })
  await until(
    () => greeted,
    (seen) => expect(seen).toEqual(['x']),
  )
  expect(
    (await client.query('select count(*)::int as n from job_workers')).rows[0].n,
  ).toBeGreaterThan(0)
  await worker.stop()
  expect((await client.query('select count(*)::int as n from job_workers')).rows[0].n).toBe(0)
  await client.end()
  await db.close()
  await database.drop()
})

test('a live worker keeps its job, however long the job takes', async () => {
  const database = await freshDatabase()
  const db = openDb(database.url)
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await db.write((tx) => enqueue(tx, greetTask, { name: 'x' }))
  await client.query(
    `update graphile_worker._private_jobs set locked_by = 'worker-alive', locked_at = now() - interval '1 hour'`,
  )
  await client.query(
    `insert into job_workers (worker_id, seen_at) values ('worker-alive', now() + interval '9 seconds')`,
  )
  const greeted: unknown[] = []
  const task = handlerOf(greetTask, {
    handle: async (_: unknown, { name }) => void greeted.push(name),
  })
  const worker = await startWorker({
    databaseUrl: database.url,
    tasks: [task],
    services: {},
    now: () => new Date(),
    log,
  })
  await pause(1500)
  expect(greeted).toEqual([])
  await worker.stop()
  await client.end()
  await db.close()
  await database.drop()
})

test('a job that runs longer than a worker may be silent is not given to another worker', async () => {
  const database = await freshDatabase()
  const db = openDb(database.url)
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  let runs = 0
  const task = {
    name: 'greet',
    handle: () => {
      runs++
      return mayEnd
    },
  }
  const options = { databaseUrl: database.url, tasks: [task], services: {}, now: () => new Date() }
  const worker = await startWorker({ ...options, log })
  await db.write((tx) => enqueue(tx, greetTask, { name: 'x' }))
  await until(
    () => runs,
    (seen) => expect(seen).toBe(1),
  )
  await client.query(
    `update graphile_worker._private_jobs set locked_at = now() - interval '1 hour'`,
  )
  await client.query("update job_workers set seen_at = seen_at - interval '1 minute'")
  // The next beat shows that it lives, and frees the jobs of dead workers.
  const seen = `select count(*)::int as n from job_workers where seen_at > now() - interval '5 seconds'`
  await until(
    async () => (await client.query(seen)).rows[0].n,
    (seen) => expect(seen).toBeGreaterThan(0),
  )
  const { rows } = await client.query('select locked_by from graphile_worker._private_jobs')
  expect(rows).toEqual([{ locked_by: expect.stringMatching(/^pool-/) }])
  end()
  await worker.stop()
  expect(runs).toBe(1)
  await client.end()
  await db.close()
  await database.drop()
})

test('a worker that beats is not dead, however late the database hears it', async () => {
  const database = await freshDatabase()
  const pool = new pg.Pool({ connectionString: database.url })
  const db = openDb(database.url)
  await db.write((tx) => enqueue(tx, greetTask, { name: 'x' }))
  await pool.query(`update graphile_worker._private_jobs set locked_by = 'slow',
    locked_at = now() - interval '1 hour'`)
  // Between its first statement and the others the database is busy for a minute.
  const slow = {
    query: async (text: string, values: unknown[]) => {
      const answer = await pool.query(text, values)
      await pool.query("update job_workers set seen_at = seen_at - interval '1 minute'")
      return answer
    },
  }
  const beating = startHeartbeat(slow as unknown as pg.Pool, {
    workerIds: new Set(['slow']),
    log,
  })
  await beating.stop()
  const { rows } = await pool.query('select locked_by from graphile_worker._private_jobs')
  expect(rows).toEqual([{ locked_by: 'slow' }])
  await Promise.all([pool.end(), db.close()])
  await database.drop()
})

test('a job that fails while the database restarts does not end the process, and runs again', {
  timeout: 600_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'purser-worker-'))
  const place = { dataDir: join(folder, 'postgres'), port: await ownPort() }
  let postgres = await startPostgres(place)
  const databaseUrl = postgres.url
  await migrate(databaseUrl)
  const db = openDb(databaseUrl)
  let runs = 0
  const task = {
    name: 'greet',
    handle: async () => {
      runs++
      if (runs > 1) return
      process.kill(postgres.pid, 'SIGKILL')
      await postgres.exited
      throw new Error('the database is gone')
    },
  }
  const worker = await startWorker({
    databaseUrl,
    tasks: [task],
    services: {},
    now: () => new Date(),
    log,
  })
  await db.write((tx) => enqueue(tx, greetTask, { name: 'x' }))
  await until(
    () => runs,
    (seen) => expect(seen).toBe(1),
  )
  await postgres.exited
  postgres = await startPostgres(place)
  await until(
    () => runs,
    (seen) => expect(seen).toBe(2),
  )
  await worker.stop()
  await db.close()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

test('a payload that this version cannot read fails its job, and no other', async () => {
  const database = await freshDatabase()
  const db = openDb(database.url)
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const lines: string[] = []
  const greeted: string[] = []
  const task = handlerOf(greetTask, {
    handle: async (_: unknown, { name }) => void greeted.push(name),
  })
  await client.query(`select graphile_worker.add_job('greet', '{"name": 7}'::json)`)
  await db.write((tx) => enqueue(tx, greetTask, { name: 'x' }))
  const worker = await startWorker({
    databaseUrl: database.url,
    tasks: [task],
    services: {},
    now: () => new Date(),
    log: pino({ level: 'error' }, { write: (line: string) => void lines.push(line) }),
  })
  const left = 'select attempts, last_error from graphile_worker.jobs'
  await until(
    async () => (await client.query(left)).rows,
    (seen) =>
      expect(seen).toMatchObject([
        { attempts: 1, last_error: expect.stringContaining('cannot read the payload of greet') },
      ]),
  )
  await until(
    () => greeted,
    (seen) => expect(seen).toEqual(['x']),
  )
  expect(lines.join()).toContain('cannot read the payload of greet')
  await worker.stop()
  await client.end()
  await db.close()
  await database.drop()
})

test('a job of one queue runs while all slots of another are taken', async () => {
  const database = await freshDatabase()
  const db = openDb(database.url)
  const slow = { name: 'slow', concurrency: 1 }
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const slowTask = defineTask({ name: 'wait', payload: { n: Type.Integer() }, queue: slow })
  let running = 0
  let most = 0
  const greeted: string[] = []
  const worker = await startWorker({
    databaseUrl: database.url,
    tasks: [
      handlerOf(slowTask, {
        handle: async () => {
          most = Math.max(most, ++running)
          await mayEnd
          running--
        },
      }),
      handlerOf(greetTask, { handle: async (_: unknown, { name }) => void greeted.push(name) }),
    ],
    services: {},
    now: () => new Date(),
    log,
  })
  await db.write((tx) => enqueueMany(tx, slowTask, [{ n: 1 }, { n: 2 }, { n: 3 }]))
  await until(
    () => running,
    (seen) => expect(seen).toBe(1),
  )
  await db.write((tx) => enqueue(tx, greetTask, { name: 'x' }))
  await until(
    () => greeted,
    (seen) => expect(seen).toEqual(['x']),
  )
  end()
  await until(
    async () => (await readQueue(db.reader)).ready + running,
    (seen) => expect(seen).toBe(0),
  )
  expect(most).toBe(1)
  await worker.stop()
  await db.close()
  await database.drop()
})

test('a job with the key of one that waits replaces it, also within one statement', async () => {
  const database = await freshDatabase()
  const db = openDb(database.url)
  const task = defineTask({
    name: 'count',
    payload: { id: Type.String(), looks: Looks },
    key: 'id',
  })
  await db.write((tx) => enqueue(tx, task, { id: 'a' }, { delaySeconds: 60 }))
  await db.write((tx) =>
    enqueueMany(
      tx,
      task,
      [
        { id: 'a', looks: 1 },
        { id: 'b', looks: 1 },
        { id: 'a', looks: 2 },
      ],
      { delaySeconds: 60 },
    ),
  )
  expect(await readQueue(db.reader)).toEqual({ ready: 0, waiting: 2, running: 0, failed: 0 })
  const { rows } =
    await sql`select key, payload from graphile_worker._private_jobs order by key`.execute(
      db.reader,
    )
  expect(rows).toEqual([
    { key: 'count:a', payload: { id: 'a', looks: 2 } },
    { key: 'count:b', payload: { id: 'b', looks: 1 } },
  ])
  const known = await all<{ id: string; has: boolean }>(
    db.reader,
    sql`select v.id, ${hasJob(task, 'v.id')} as has from (values ('a'), ('c')) as v (id) order by v.id`,
  )
  expect(known).toEqual([
    { id: 'a', has: true },
    { id: 'c', has: false },
  ])
  // @ts-expect-error The payload lacks its id.
  expect(task.fits({ looks: 1 } satisfies Parameters<typeof task.keyOf>[0])).toBe(false)
  await db.close()
  await database.drop()
})

test('what runs every few minutes also runs at the start, once for all machines', async () => {
  const database = await freshDatabase()
  const db = openDb(database.url)
  const ran: string[] = []
  const tasks = ['* * * * *', '*/10 * * * *', '17 * * * *', undefined].map((cron, i) => ({
    name: `task_${i}`,
    ...(cron === undefined ? {} : { cron }),
    handle: async () => void ran.push(`task_${i}`),
  }))
  for (const _machine of [1, 2]) await db.write((tx) => enqueueFrequent(tx, tasks))
  const pool = new pg.Pool({ connectionString: database.url })
  await runDueJobs(pool, { tasks, services: {}, now: () => new Date(), log })
  expect(ran.sort()).toEqual(['task_0', 'task_1'])
  await pool.end()
  await db.close()
  await database.drop()
})

// An end that is not stored would be an unhandled rejection, which ends the process: a payment that waits on the job would too.
test('the end of a job is stored once the disk has room again, whatever the job says that it failed by', async () => {
  const database = await freshDatabase()
  const db = openDb(database.url)
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(`create function full_disk() returns trigger language plpgsql as $$
    begin raise sqlstate '53100' using message = 'No space left on device'; end $$`)
  const { promise: mayFail, resolve: fail } = Promise.withResolvers<void>()
  let runs = 0
  const task = {
    name: 'greet',
    handle: async () => {
      runs++
      await mayFail
      if (runs === 1) throw new Error('a seller wrote \0 and \ud800')
    },
  }
  const options = { databaseUrl: database.url, tasks: [task], services: {}, now: () => new Date() }
  const worker = await startWorker({ ...options, log })
  await db.write((tx) => enqueue(tx, greetTask, { name: 'x' }))
  await until(
    () => runs,
    (seen) => expect(seen).toBe(1),
  )
  await client.query(`create trigger full_disk before update or delete on graphile_worker._private_jobs
    for each statement execute function full_disk()`)
  fail()
  await pause(1_500)
  const stored = async () =>
    (await client.query('select locked_by, last_error from graphile_worker._private_jobs')).rows
  expect(await stored()).toMatchObject([{ locked_by: expect.any(String), last_error: null }])
  await client.query('drop trigger full_disk on graphile_worker._private_jobs')
  await until(stored, ([row]) => expect(row).toMatchObject({ locked_by: null }))
  expect((await stored())[0].last_error).toMatch(/^a seller wrote {2}and .$/)
  await until(stored, (rows) => expect(rows).toEqual([]))
  expect(runs).toBe(2)
  await worker.stop()
  await client.end()
  await db.close()
  await database.drop()
})
