import pg from 'pg'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { freshDatabase } from '../../test/postgres.ts'
import { openDb } from '../db/sql.ts'
import { enqueue } from './queue.ts'
import { startWorker } from './worker.ts'

const log = pino({ level: 'silent' })

test('a job that a killed worker held is taken by another within seconds, not hours', async () => {
  const database = await freshDatabase()
  const db = openDb(database.url)
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await db.write((tx) => enqueue(tx, 'greet', { name: 'x' }))
  // What a kill -9 leaves behind: the job locked by a worker that says nothing any more.
  await client.query(
    `update graphile_worker._private_jobs set attempts = 1, locked_by = 'worker-dead', locked_at = now() - interval '16 seconds'`,
  )
  const greeted: unknown[] = []
  const task = {
    name: 'greet',
    handle: async (_: unknown, payload: Record<string, unknown>) => void greeted.push(payload.name),
  }
  const worker = await startWorker({
    databaseUrl: database.url,
    tasks: [task],
    services: {},
    now: () => new Date(),
    log,
  })
  await expect.poll(() => greeted, { timeout: 10_000 }).toEqual(['x'])
  expect(
    (await client.query('select count(*)::int as n from job_workers')).rows[0].n,
  ).toBeGreaterThan(0)
  await worker.stop()
  expect((await client.query('select count(*)::int as n from job_workers')).rows[0].n).toBe(0)
  await client.end()
  await db.close()
  await database.drop()
})

test('a job of a worker that lives is left to it, however long it takes', async () => {
  const database = await freshDatabase()
  const db = openDb(database.url)
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await db.write((tx) => enqueue(tx, 'greet', { name: 'x' }))
  await client.query(
    `update graphile_worker._private_jobs set locked_by = 'worker-alive', locked_at = now() - interval '1 hour'`,
  )
  await client.query(`insert into job_workers (worker_id) values ('worker-alive')`)
  const greeted: unknown[] = []
  const task = {
    name: 'greet',
    handle: async (_: unknown, payload: Record<string, unknown>) => void greeted.push(payload.name),
  }
  const worker = await startWorker({
    databaseUrl: database.url,
    tasks: [task],
    services: {},
    now: () => new Date(),
    log,
  })
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect(greeted).toEqual([])
  await worker.stop()
  await client.end()
  await db.close()
  await database.drop()
})
