import pg from 'pg'
import { expect, test } from 'vitest'
import { freshDatabase } from '../../../test/world/postgres.ts'
import { migrate, pendingMigrations, readMigrations, UnreleasedSchema } from './migrate.ts'

async function database() {
  const made = await freshDatabase()
  const client = new pg.Client({ connectionString: made.url })
  await client.connect()
  return {
    url: made.url,
    read: async (query: string) => (await client.query(query)).rows,
    async [Symbol.asyncDispose]() {
      await client.end()
      await made.drop()
    },
  }
}

const APPLIED = 'select name, applied_at from schema_migrations order by name'

test('every migration is applied once', async () => {
  await using d = await database()
  const applied = await d.read(APPLIED)
  expect(applied.map(({ name }) => name)).toEqual((await readMigrations()).map(({ name }) => name))

  await migrate(d.url)

  expect(await d.read(APPLIED)).toEqual(applied)
  expect(await pendingMigrations(d.url)).toEqual([])
})

test('two processes that start at once migrate an empty database once', async () => {
  await using d = await database()
  await d.read('drop schema public cascade; create schema public')
  expect(await pendingMigrations(d.url)).toHaveLength((await readMigrations()).length)
  await Promise.all([migrate(d.url), migrate(d.url)])
  expect(await pendingMigrations(d.url)).toEqual([])
})

test.each([
  [
    'with the names that unreleased versions had',
    `delete from schema_migrations;
     insert into schema_migrations (name, sha256) values ('001-ledger.sql', 'x'), ('062-payout-intents.sql', 'x')`,
  ],
  [
    'with another text of a baseline file',
    `update schema_migrations set sha256 = 'x' where name = '011-cards.sql'`,
  ],
])('a database %s is refused and left alone', async (_, statements) => {
  await using d = await database()
  await d.read(statements)
  const before = await d.read(APPLIED)
  await expect(migrate(d.url)).rejects.toThrow(UnreleasedSchema)
  await expect(pendingMigrations(d.url)).rejects.toThrow(UnreleasedSchema)
  expect(await d.read(APPLIED)).toEqual(before)
})

test('a migration of a newer version is no fault', async () => {
  await using d = await database()
  await d.read(
    `insert into schema_migrations (name, sha256) values ('999-from-the-future.sql', 'x')`,
  )
  await migrate(d.url)
  expect(await pendingMigrations(d.url)).toEqual([])
})
