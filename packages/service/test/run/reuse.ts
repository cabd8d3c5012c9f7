import pg from 'pg'
import { SERVICE_LOCK } from '../../src/base/db/pool/pool.ts'

/**
 * The tables of the service and of the queue, and what a new database already has in them. `kept.empty()` makes a
 * database as new, and answers why it cannot; then it is dropped.
 */
export async function prepareReuse(templateUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: templateUrl })
  await client.connect()
  try {
    await client.query('create schema kept')
    const statements: string[] = []
    for (const { name, columns } of await readTables(client)) {
      // Most tables were never written to: asking for the size costs a tenth of a statement that deletes nothing.
      statements.push(`if pg_relation_size('${name}') > 0 then delete from ${name}; end if;`)
      const { rowCount } = await client.query(`select from ${name} limit 1`)
      if (!rowCount) continue
      const kept = `kept.${name.replaceAll('.', '_')}`
      await client.query(`create table ${kept} as table ${name}`)
      statements.push(
        `insert into ${name} (${columns}) overriding system value select ${columns} from ${kept};`,
      )
    }
    for (const { name, next, isCalled } of await readSequences(client))
      statements.push(`perform setval('${name}', ${next}, ${isCalled});`)
    await client.query(emptyFunction(statements))
    await client.query(`create table kept.catalogue (state text)`)
    await client.query(`insert into kept.catalogue select kept.read_catalogue()`)
  } finally {
    await client.end()
  }
}

const SCHEMAS = `('public', 'graphile_worker')`
/** The first object id that a database gives out; those below are the server's own. */
const FIRST_OID = 16_384
/** In bytes: reading a table that was once so large costs more than a new database. */
const LARGE = 2 * 1024 * 1024

async function readTables(client: pg.Client): Promise<{ name: string; columns: string }[]> {
  const { rows } = await client.query(
    `select format('%I.%I', n.nspname, c.relname) as name,
       (select string_agg(quote_ident(a.attname), ', ' order by a.attnum) from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname in ${SCHEMAS} order by 1`,
  )
  return rows
}

async function readSequences(
  client: pg.Client,
): Promise<{ name: string; next: string; isCalled: boolean }[]> {
  const { rows } = await client.query(
    `select format('%I.%I', schemaname, sequencename) as name, coalesce(last_value, start_value) as next,
       last_value is not null as "isCalled"
     from pg_sequences where schemaname in ${SCHEMAS}`,
  )
  return rows
}

/** Objects are counted, and the newest change to one is found by the transaction that made it. */
const CATALOGUE = ['pg_class', 'pg_trigger', 'pg_proc', 'pg_constraint', 'pg_attrdef', 'pg_rewrite']
  .map(
    (table) =>
      `(select concat(count(*), ' ', max(xmin::text::bigint)) from ${table} where oid >= ${FIRST_OID})`,
  )
  .join(', ')

const emptyFunction = (statements: string[]): string => `
  create function kept.read_catalogue() returns text language sql as $$
    select concat_ws(', ', ${CATALOGUE}, (select count(*) from pg_db_role_setting))
  $$;
  create function kept.empty() returns text language plpgsql as $$
  begin
    if exists (select from pg_class where oid >= ${FIRST_OID} and relkind = 'r' and relpages > ${LARGE / 8192}
        or oid >= ${FIRST_OID} and relkind = 'r' and pg_relation_size(oid) > ${LARGE}) then
      return 'a table is large';
    end if;
    if kept.read_catalogue() is distinct from (select state from kept.catalogue) then
      return 'the schema was changed';
    end if;
    if exists (select from pg_locks where locktype = 'advisory' and (classid::bigint << 32) + objid::bigint <> ${SERVICE_LOCK}
        and database = (select oid from pg_database where datname = current_database())) then
      return 'a lock is held';
    end if;
    -- A worker of autovacuum comes to each database for the tables that all share.
    if exists (select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and backend_type = 'client backend' and state <> 'idle') then
      return 'it is in use';
    end if;
    ${statements.join('\n    ')}
    return null;
  end $$`
