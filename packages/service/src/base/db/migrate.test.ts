import pg from 'pg'
import { expect, test } from 'vitest'
import { pause, until } from '../../../test/until.ts'
import { freshDatabase } from '../../../test/world/postgres.ts'
import { migrate, NewerSchema, pendingMigrations, readSchema, UnreleasedSchema } from './migrate.ts'
import { readMigrations } from './migrations.ts'

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

const note = (name: string, oldest: string | null) =>
  `insert into schema_migrations (name, sha256, oldest) values ('${name}', 'x', ${oldest && `'${oldest}'`})`

// systemd starts a machine of the version before again while the new one is rolled out.
test('a version may start on what the next one added, and on nothing newer', async () => {
  await using d = await database()
  const newest = (await readMigrations()).at(-1)?.name.slice(0, 3) ?? ''
  await d.read(note('998-of-the-next-version.sql', newest))
  expect(await migrate(d.url)).toEqual([])
  expect(await readSchema(d.url)).toEqual({
    pending: [],
    waiting: [],
    newer: ['998-of-the-next-version.sql'],
  })

  await d.read(note('999-of-the-one-after.sql', '998'))
  await expect(migrate(d.url)).rejects.toThrow(NewerSchema)
  await expect(readSchema(d.url)).rejects.toThrow('999-of-the-one-after.sql')
})

test('a migration of unknown age is too new', async () => {
  await using d = await database()
  await d.read(note('999-from-the-future.sql', null))
  await expect(migrate(d.url)).rejects.toThrow(NewerSchema)
})

test('a migration waits for a table without holding up those behind it, and is tried again', async () => {
  await using d = await database()
  await d.read(`delete from schema_migrations where name like '044%'; drop table rate_counts`)
  const other = new pg.Client({ connectionString: d.url })
  await other.connect()
  try {
    // An open read of the table in which the migration notes itself.
    await other.query('begin; lock table schema_migrations in share mode')
    const migrating = migrate(d.url)
    await until(
      () =>
        d.read(`select 1 from pg_stat_activity where wait_event_type = 'Lock'
        and datname = current_database()`),
      (waiting) => expect(waiting).toHaveLength(1),
    )
    // Longer than it waits for one lock.
    await pause(3_000)
    await other.query('commit')
    expect(await migrating).toContain('044-shared-rates.sql')
  } finally {
    await other.end()
  }
})
