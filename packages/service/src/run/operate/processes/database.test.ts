import { expect, inject, test } from 'vitest'
import { query } from '../../../../test/actors/program.ts'
import { emptyDatabase, freshDatabase } from '../../../../test/world/postgres.ts'
import { migrate, pendingMigrations } from '../../../base/db/migrate.ts'
import { inSchema, schemaOf } from '../../../base/db/pool/schema.ts'
import { all, openDb, sql } from '../../../base/db/sql.ts'
import { randomHex, Secret } from '../../../base/kernel/secrets.ts'
import { readConfig } from '../../config/config.ts'
import {
  checkDatabase,
  checkReadable,
  checkServer,
  chooseHome,
  migrateDatabase,
} from './database.ts'

const PATH = (path: string) =>
  `do $$ begin execute format($f$alter role %I in database %I set search_path = ${path}$f$, current_user, current_database()); end $$`

const set = (homes: string[], first: string | null, schema?: string) => ({ homes, first, schema })

test.each([
  ['of a new database is the first of its role', set([], 'app'), 'app'],
  ['of a new database is what is set', set([], 'app', 'mine'), 'mine'],
  ['is public for a role whose path names none', set([], null), 'public'],
  ['is where the tables are, whatever the role', set(['public'], 'app'), 'public'],
  ['of several is the first of the role', set(['app', 'public'], 'app'), 'app'],
  ['of several is what is set', set(['app', 'public'], 'app', 'public'), 'public'],
  ['is never another than that of the tables', set(['app'], 'app', 'mine'), /=app, or use another/],
  ['of several is chosen by nobody else', set(['app', 'public'], 'x'), /one of app, public\.$/],
])('the schema %s', (_, found, wanted) => {
  const choose = () => chooseHome(found)
  if (wanted instanceof RegExp) expect(choose).toThrow(wanted)
  else expect(choose()).toBe(wanted)
})

test('every connection uses the schema of its address, and a role that is changed later moves nothing', async () => {
  const database = await emptyDatabase()
  const found = async (schema?: string) =>
    (await checkDatabase({ kind: 'url', url: new Secret(database.url), ...(schema && { schema }) }))
      .schema
  try {
    await query(database.url, `${PATH(`"it's", public`)}; create schema "it's"`)
    const url = inSchema(database.url, await found())
    expect(schemaOf(url)).toBe("it's")
    await migrate(url)
    await query(database.url, PATH('public'))
    expect(await found()).toBe("it's")
    expect(await pendingMigrations(url)).toEqual([])
    const db = openDb(url, 1)
    expect(await all(db.reader, sql`select network from chain_identity`)).toEqual([])
    await db.close()
    await expect(found('public')).rejects.toThrow("set PURSER_SCHEMA=it's")
  } finally {
    await database.drop()
  }
})

test('a schema that has tables of another program is refused, and one of its own is made', async () => {
  const [rails, cards] = [await emptyDatabase(), await emptyDatabase()]
  const config = readConfig({})
  try {
    await query(rails.url, 'create table schema_migrations (version text)')
    await query(cards.url, 'create table cards ()')
    for (const { url } of [rails, cards])
      await expect(migrateDatabase(url, config)).rejects.toThrow(/set PURSER_SCHEMA to a schema of/)
    const own = inSchema(cards.url, 'purser')
    expect((await migrateDatabase(own, config)).length).toBeGreaterThan(0)
    expect(await query(cards.url, `select to_regclass('public.wallets') as table`)).toEqual([
      { table: null },
    ])
  } finally {
    await Promise.all([rails.drop(), cards.drop()])
  }
})

test('a database that is not UTF8 and a role that may make no tables each get their sentence', async () => {
  const admin = new URL(inject('postgresUrl'))
  const names = ['LATIN1', 'SQL_ASCII', 'UTF8'].map((encoding) => ({
    encoding,
    name: `enc_${encoding.toLowerCase()}_${randomHex(4).slice(2)}`,
  }))
  const role = `poor_${randomHex(4).slice(2)}`
  await query(admin.href, `create role ${role} login password 'p'`)
  try {
    for (const { encoding, name } of names) {
      const made = `create database ${name} template template0 encoding '${encoding}' locale 'C'`
      await query(admin.href, made)
      const url = Object.assign(new URL(admin), {
        ...{ pathname: `/${name}`, username: role, password: 'p' },
      }).href
      const { state } = await checkDatabase({ kind: 'url', url: new Secret(url) })
      if (encoding !== 'UTF8')
        expect(() => checkServer(state)).toThrow(`has the encoding ${encoding}`)
      else
        await expect(migrateDatabase(url, readConfig({}))).rejects.toThrow(
          /may not make tables here .*run grant create on schema public/,
        )
    }
  } finally {
    for (const { name } of names) await query(admin.href, `drop database if exists ${name}`)
    await query(admin.href, `drop role ${role}`)
  }
})

test('a database of another version says which version serves it', async () => {
  const database = await freshDatabase()
  const config = readConfig({})
  try {
    await checkReadable(database.url, config)
    await query(
      database.url,
      `delete from schema_migrations where name like '083%'; drop table restored_backup`,
    )
    await expect(checkReadable(database.url, config)).rejects.toThrow(
      /older version of Purser: it lacks 1 migrations of \d.*the first 083-.* with the older version, or/,
    )
    await query(
      database.url,
      `insert into schema_migrations (name, sha256, version) values ('999-later.sql', 'x', '0.9.0')`,
    )
    for (const asked of [checkReadable, migrateDatabase])
      await expect(asked(database.url, config)).rejects.toThrow('install version 0.9.0 or later.')
  } finally {
    await database.drop()
  }
})
