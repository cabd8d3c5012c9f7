import pg from 'pg'
import { expect, test } from 'vitest'
import { pendingMigrations } from '../src/db/migrate.ts'
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
