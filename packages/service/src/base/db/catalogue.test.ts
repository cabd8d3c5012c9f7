import { expect, test } from 'vitest'
import { freshDatabase } from '../../../test/world/postgres.ts'
import { catalogueFaults } from './catalogue.ts'
import { openDb, sql } from './sql.ts'

async function database() {
  const made = await freshDatabase()
  const db = openDb(made.url, 2)
  return {
    run: (statement: string) => db.write((tx) => sql.raw(statement).execute(tx)),
    faults: () => db.together(catalogueFaults),
    reopened: async () => {
      const other = openDb(made.url, 1)
      return other.together(catalogueFaults).finally(other.close)
    },
    async [Symbol.asyncDispose]() {
      await db.close()
      await made.drop()
    },
  }
}

test('a database is as the migrations make it', async () => {
  await using d = await database()
  expect(await d.faults()).toEqual([])
})

const KEEP = `create or replace function refuse_change() returns trigger language plpgsql as $$ begin return new; end $$`

test.each([
  [
    'a trigger switched off',
    `alter table ledger_transfer_rows disable trigger ledger_apply`,
    /trigger ledger_apply on ledger_transfer_rows is not as the migrations make it: switched off/,
  ],
  [
    'all triggers of a table',
    `alter table cards disable trigger all`,
    /foreign key triggers of cards and \w+ is not as/,
  ],
  [
    'a trigger for replicas only',
    `alter table cards enable replica trigger no_delete`,
    /trigger no_delete on cards is not as the migrations make it: on for replicas only/,
  ],
  [
    'a trigger removed',
    `drop trigger insert_only on ledger_batches`,
    /trigger insert_only on ledger_batches is missing/,
  ],
  [
    'a trigger that was added',
    `create trigger extra before insert on ledger_transfer_rows for each row execute function refuse_change()`,
    /trigger extra on ledger_transfer_rows was added/,
  ],
  [
    'a function that refuses nothing',
    KEEP,
    /function refuse_change\(\) is not as the migrations make it/,
  ],
  [
    'a constraint removed',
    `alter table ledger_accounts drop constraint available_not_negative`,
    /constraint available_not_negative on ledger_accounts is missing/,
  ],
  [
    'a constraint that was loosened',
    `alter table cards drop constraint within_limit, add constraint within_limit check (true)`,
    /constraint within_limit on cards is not as the migrations make it: CHECK \(true\)/,
  ],
  [
    'a constraint that old rows need not keep',
    `alter table cards drop constraint within_limit,
      add constraint within_limit check (spent + held <= limit_amount) not valid`,
    /constraint within_limit on cards is not as .*not valid/i,
  ],
  ['a unique index removed', `drop index one_reversal`, /unique index one_reversal is missing/],
  [
    'a column’s default',
    `alter table cards alter column spent set default 5`,
    /column spent of cards is not as the migrations make it/,
  ],
  [
    'a rule',
    `create rule quiet as on update to cards do instead nothing`,
    /rule quiet on cards was added/,
  ],
  [
    'a view',
    `create or replace view ledger_entries as
      select ''::text as transfer_id, 0::smallint as line, 0::bigint as account_id, 0::numeric as amount`,
    /view ledger_entries is not as the migrations make it/,
  ],
])('verify names %s', async (_, statement, fault) => {
  await using d = await database()
  await d.run(statement)
  expect((await d.faults()).join('\n')).toMatch(fault)
})

test('a setting that switches triggers off is named', async () => {
  await using d = await database()
  await d.run(
    `do $$ begin execute format('alter database %I set session_replication_role = replica', current_database()); end $$`,
  )
  expect((await d.reopened()).join('\n')).toMatch(
    /the setting session_replication_role=replica of the database switches triggers off/,
  )
})

test('the comparison leaves nothing behind', async () => {
  await using d = await database()
  await d.faults()
  const { rows } = (await d.run(
    `select nspname from pg_namespace where nspname like 'purser_verify%'`,
  )) as { rows: unknown[] }
  expect(rows).toEqual([])
})
