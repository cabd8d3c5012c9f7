import pg from 'pg'
import { expect, test } from 'vitest'
import { pendingMigrations } from '../src/base/db/migrate.ts'
import { sql } from '../src/base/db/sql.ts'
import { KEPT, lendDatabase } from './world/lent.ts'
import { freshDatabase } from './world/postgres.ts'

test('databases made at the same time are migrated, apart, and gone once dropped', async () => {
  const databases = await Promise.all(Array.from({ length: 5 }, freshDatabase))
  const [first, second] = databases as [(typeof databases)[0], (typeof databases)[0]]
  expect(await pendingMigrations(first.url)).toEqual([])
  const client = new pg.Client({ connectionString: first.url })
  await client.connect()
  await client.query('create table mine ()')
  await client.end()
  const other = new pg.Client({ connectionString: second.url })
  await other.connect()
  expect((await other.query(`select to_regclass('mine') as mine`)).rows).toEqual([{ mine: null }])
  await other.end()
  await Promise.all(databases.map((database) => database.drop()))
  await expect(pendingMigrations(first.url)).rejects.toThrow('does not exist')
})

test('a database is lent again as new, and dropped if it cannot be', async () => {
  const read = async ({ connections }: Awaited<ReturnType<typeof lendDatabase>>) => {
    const { rows } = await sql<{ xid: string; tasks: bigint; key: bigint }>`select
      (select xid::text from event_cursors where name = 'webhooks') as xid,
      (select count(*) from graphile_worker._private_tasks) as tasks,
      nextval('ledger_batch_ids') as key`.execute(connections.db.reader)
    return rows
  }
  // A database that waits may have had its last world. One more than are kept is a new one.
  const others = await Promise.all(Array.from({ length: KEPT }, lendDatabase))
  const first = await lendDatabase()
  const asNew = await read(first)
  await first.connections.db.write(async (tx) => {
    await sql`update event_cursors set xid = '7'`.execute(tx)
    await sql`select graphile_worker.add_job('left', '{}'::json)`.execute(tx)
  })
  expect(await read(first)).not.toEqual(asNew)
  await first.connections.close()
  await expect(first.connections.db.write(async () => 1)).rejects.toThrow('has not ended')
  await first.drop()

  const second = await lendDatabase()
  expect(second.url).toBe(first.url)
  expect(await read(second)).toEqual(asNew)
  await second.connections.db.write((tx) =>
    sql`alter table cards disable trigger no_delete`.execute(tx),
  )
  await second.connections.close()
  await second.drop()

  const third = await lendDatabase()
  expect(third.url).not.toBe(first.url)
  await third.connections.close()
  await third.drop()
  await expect(pendingMigrations(first.url)).rejects.toThrow('does not exist')
  for (const other of others) {
    await other.connections.close()
    await other.drop()
  }
})
