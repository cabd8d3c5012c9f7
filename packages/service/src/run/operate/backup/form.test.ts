import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { query } from '../../../../test/actors/program.ts'
import { emptyDatabase, freshDatabase } from '../../../../test/world/postgres.ts'
import { catalogueFaults } from '../../../base/db/catalogue.ts'
import { migrate, readSchema } from '../../../base/db/migrate.ts'
import { openClient } from '../../../base/db/pool/client.ts'
import { inSchema } from '../../../base/db/pool/schema.ts'
import { openDb } from '../../../base/db/sql.ts'
import { randomHex, Secret } from '../../../base/kernel/secrets.ts'
import { loadRows } from './restore.ts'
import { askOn, readNames } from './tables.ts'
import { writeBackup } from './write.ts'

const secret = new Secret(randomHex(32).slice(2))

/** A new file with a backup of the database. */
async function backedUp(databaseUrl: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'purser-form-')), 'one.backup')
  await writeBackup(file, { databaseUrl, secret, chainFile: null, at: new Date() })
  return file
}

async function load(databaseUrl: string, file: string): Promise<void> {
  const db = openDb(databaseUrl, 1, 'verify')
  await loadRows(db, { path: file, keys: [] }).finally(db.close)
}

/** Tables of another program beside ours: in a schema of its own, in ours, and under a name of ours. */
const NEIGHBOR = `create schema shop;
  create table shop.customers (id integer primary key generated always as identity, friend integer references shop.customers);
  create function shop.count() returns trigger language plpgsql as 'begin return new; end';
  create trigger counts after insert on shop.customers execute function shop.count();
  create table shop.cards (like shop.customers);
  create table public.customers (like shop.customers);
  create sequence public.customer_numbers;
  insert into shop.customers (friend) values (null), (1);
  insert into shop.cards select * from shop.customers;
  insert into public.customers select * from shop.customers;
  select nextval('customer_numbers')`
const NEIGHBORS = `select (select array_agg(id order by id) from shop.customers) as shop,
  (select array_agg(id) from shop.cards) as cards, (select array_agg(id) from public.customers) as here,
  (select last_value from public.customer_numbers) as number,
  (select array_agg(oid || ' ' || tgenabled::text order by oid) from pg_trigger where tgrelid = 'shop.customers'::regclass) as triggers,
  (select array_agg(oid order by oid) from pg_constraint where conrelid = 'shop.customers'::regclass) as keys`

test('a backup holds our tables alone, and a restore touches no others', async () => {
  const [before, after] = [await emptyDatabase(), await emptyDatabase()]
  try {
    await query(before.url, NEIGHBOR)
    await migrate(before.url)
    // A version after this one has made a table, and runs no more.
    await query(
      before.url,
      `create table later (id text); insert into later values ('of a newer version');
       insert into schema_migrations (name, sha256, oldest, makes) values ('999-later.sql', 'x', '043', '{later}')`,
    )
    await query(before.url, `insert into credential_owners values ('0xours')`)
    const file = await backedUp(before.url)
    const text = gunzipSync(await readFile(file)).toString('utf8')
    expect(text).toContain('of a newer version')
    expect(text).not.toMatch(/customer|shop/)

    await query(after.url, `${NEIGHBOR}; create table later (id text)`)
    const own = inSchema(after.url, 'purser')
    await migrate(own)
    const neighbors = await query(after.url, NEIGHBORS)
    await expect(load(own, file)).rejects.toThrow('has later, which this version does not know')
    await query(before.url, `delete from schema_migrations where name = '999-later.sql'`)
    await load(own, await backedUp(before.url))
    expect(await query(after.url, NEIGHBORS)).toEqual(neighbors)
    expect(await query(after.url, 'select * from purser.credential_owners')).toEqual([
      { wallet_address: '0xours' },
    ])
  } finally {
    await Promise.all([before.drop(), after.drop()])
  }
})

test('every table and sequence of a migration is known by its name', async () => {
  const database = await freshDatabase()
  const client = await openClient(database.url)
  try {
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'S')
         and not relispartition and not exists (select from pg_depend
         where objid = pg_class.oid and deptype in ('a', 'i') and relkind = 'S')
       union select 'graphile_worker.' || relname from pg_class where relnamespace = 'graphile_worker'::regnamespace
         and relkind in ('r', 'p')`,
    )
    const own = ['schema_migrations', 'machines', 'restored_backup', 'graphile_worker.migrations']
    const known = (await readNames(askOn(client))).filter((name) => name !== 'settlements_rest')
    expect([...known, ...own].sort()).toEqual(rows.map(({ name }) => name).sort())
  } finally {
    await client.end()
    await database.drop()
  }
})

test('a restored database says what was applied to itself, not to the one that the backup was made of', async () => {
  const [before, after] = [await emptyDatabase(), await emptyDatabase()]
  try {
    await migrate(before.url, { contract: false })
    const file = await backedUp(before.url)
    await migrate(after.url)
    await load(after.url, file)
    expect(await readSchema(after.url)).toEqual({ pending: [], waiting: [], newer: [] })
    const db = openDb(after.url, 1, 'requests', true)
    expect(await db.together(catalogueFaults)).toEqual([])
    await db.close()
  } finally {
    await Promise.all([before.drop(), after.drop()])
  }
})
