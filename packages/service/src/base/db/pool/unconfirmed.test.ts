import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownPort } from '../../../../test/run/own-port.ts'
import { until } from '../../../../test/until.ts'
import { type RunningPostgres, startPostgres } from '../../../run/embedded/postgres/postgres.ts'
import { all, type Db, isLost, openDb, run, sql, type Tx } from '../sql.ts'

let folder: string
let server: RunningPostgres
let db: Db
let other: Db

// A primary whose only standby is away.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'purser-unconfirmed-'))
  const settings = {
    wal_level: 'replica',
    max_wal_senders: '2',
    synchronous_standby_names: 'away',
  }
  server = await startPostgres({
    dataDir: join(folder, 'postgres'),
    port: await ownPort(),
    settings,
  })
  other = openDb(server.url, 2)
  await other.together(async (on) => {
    await sql`set synchronous_commit = local`.execute(on)
    await sql`create table marks (name text)`.execute(on)
  })
  db = openDb(server.url, 1)
})
afterAll(async () => {
  await Promise.all([db?.close(), other?.close()])
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

const marks = () => all<{ name: string }>(other.reader, sql`select name from marks`)
const insert =
  (name: string, isLocal = false) =>
  async (tx: Tx) => {
    if (isLocal) await sql`set local synchronous_commit = local`.execute(tx)
    await run(tx, sql`insert into marks values (${name})`)
  }

/** Cancels the commit that waits for the standby, as a person does who finds it hanging. */
const cancelWait = () =>
  until(
    () =>
      all(
        other.reader,
        sql`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
      ),
    ({ length }) => length === 1,
  )

// PostgreSQL answers such a commit as if it were confirmed. A payment that is answered then is lost with its primary.
test('a commit whose wait for the standby was cancelled is reported as a lost connection', async () => {
  const failed = db.write(insert('unconfirmed')).catch((error: unknown) => error)
  await cancelWait()
  const error = await failed
  expect(error).toMatchObject({ message: 'No standby has confirmed the commit.' })
  expect(isLost(error)).toBe(true)
  // It is committed, though others see its rows only a moment after the cancelled wait. It was not tried a second time.
  await until(marks, ({ length }) => length > 0)
  expect(await marks()).toEqual([{ name: 'unconfirmed' }])
  // The pool has another connection for whoever comes next.
  expect(await all(db.reader, sql`select 1 as one`)).toEqual([{ one: 1 }])
})

test('what is sent behind such a commit is tried again', async () => {
  const line = db.line()
  const { promise: isWritten, resolve: written } = Promise.withResolvers<void>()
  const failed = line.write(insert('first'), written).catch((error: unknown) => error)
  await isWritten
  const second = line.write(insert('second', true), () => undefined)
  await cancelWait()
  expect(isLost(await failed)).toBe(true)
  await second
  await until(marks, (rows) => rows.some(({ name }) => name === 'first'))
  const names = (await marks()).map(({ name }) => name)
  expect(names.filter((name) => name === 'second')).toHaveLength(1)
})
