import pg from 'pg'
import { pino } from 'pino'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { until } from '../../../test/until.ts'
import { freshDatabase } from '../../../test/world/postgres.ts'
import { openDb } from '../db/sql.ts'
import { enqueue, readOldestDue } from './queue.ts'
import { defineTask } from './task.ts'
import { queueDue, timesOf } from './timetable.ts'
import { handlerOf, startWorker } from './worker.ts'

const log = pino({ level: process.env.TEST_LOG ?? 'silent' })
const greetTask = defineTask({ name: 'greet', payload: { name: Type.String() }, key: 'name' })

async function openDatabase() {
  const { url, drop } = await freshDatabase()
  const pool = new pg.Pool({ connectionString: url })
  const db = openDb(url)
  return {
    url,
    pool,
    db,
    async [Symbol.asyncDispose]() {
      await Promise.all([pool.end(), db.close()])
      await drop()
    },
  }
}

// A process whose clock was ahead for a minute wrote 28 such rows, and none of these tasks ran for the length of the jump.
test('a task runs at its times by the clock of the database, whatever a clock that was ahead has written', async () => {
  await using at = await openDatabase()
  const items = timesOf([
    { name: 'each_minute', cron: '* * * * *' },
    { name: 'missed', cron: '0 * * * *' },
    { name: 'ahead', cron: '* * * * *' },
    { name: 'new', cron: '* * * * *' },
    { name: 'asked_for' },
  ])
  await at.pool.query(
    `insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution) values
       ('each_minute', now() - interval '1 week', now() - interval '1 minute'),
       ('missed', now() - interval '1 week', now() - interval '5 hours'),
       ('ahead', now() - interval '1 week', now() + interval '1 day')`,
  )
  await at.pool.query(
    `select graphile_worker.add_job('ahead', '{"_cron":{"ts":"2030-01-01T00:00:00Z"}}', run_at => now() + interval '1 day')`,
  )
  expect(await readOldestDue(at.db.reader)).toBeGreaterThan(80_000)
  await queueDue(at.pool, items)
  await queueDue(at.pool, items)
  const { rows } = await at.pool.query(
    `select task_identifier as task, count(*)::integer as jobs, bool_and(run_at <= now()) as due
     from graphile_worker.jobs group by 1 order by 1`,
  )
  expect(rows).toEqual([
    { task: 'ahead', jobs: 1, due: true },
    { task: 'each_minute', jobs: 1, due: true },
    { task: 'missed', jobs: 1, due: true },
  ])
  const later = `select count(*)::integer as n from graphile_worker._private_known_crontabs where last_execution > now()`
  expect((await at.pool.query(later)).rows).toEqual([{ n: 0 }])
  expect(await readOldestDue(at.db.reader)).toBeLessThan(60)
})

test('once the clock of the database is set back, jobs keep their delays and those of dead workers are freed', async () => {
  await using at = await openDatabase()
  for (const [name, delaySeconds] of [
    ['due', 0],
    ['locked', 0],
    ['later', 7_200],
  ] as const)
    await at.db.write((tx) => enqueue(tx, greetTask, { name }, { delaySeconds }))
  const moved = ['run_at', 'created_at', 'updated_at'].map((c) => `${c} = ${c} + interval '1 day'`)
  await at.pool.query(`update graphile_worker._private_jobs set ${moved.join(', ')}`)
  await at.pool.query(
    `update graphile_worker._private_jobs set locked_by = 'worker-dead', locked_at = now() + interval '1 day'
     where key = 'greet:locked'`,
  )
  await at.pool.query(`insert into job_workers values ('worker-dead', now() + interval '1 day')`)
  await at.pool.query(`insert into database_clock (seen_at) values (now() + interval '1 day')`)
  const greeted: string[] = []
  let mended = 0
  const worker = await startWorker({
    databaseUrl: at.url,
    tasks: [
      handlerOf(greetTask, { handle: async (_: unknown, { name }) => void greeted.push(name) }),
    ],
    services: {},
    now: () => new Date(),
    mend: async () => void mended++,
    log,
  })
  await until(
    () => greeted.toSorted(),
    (seen) => expect(seen).toEqual(['due', 'locked']),
  )
  await worker.stop()
  expect(mended).toBe(1)
  const { rows } = await at.pool.query(
    `select key, run_at between now() + interval '1 hour' and now() + interval '2 hours' as keeps from graphile_worker.jobs`,
  )
  expect(rows).toEqual([{ key: 'greet:later', keeps: true }])
  const set = await at.pool.query(
    'select round(set_seconds / 3600) as hours, seen_at <= now() as seen from database_clock',
  )
  expect(set.rows).toEqual([{ hours: -24, seen: true }])
})
