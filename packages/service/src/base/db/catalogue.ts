import { randomHex } from '../kernel/secrets.ts'
import { fitting, readMigrations, VERSION } from './migrations.ts'
import { all, type Reader, sql, sqlState } from './sql.ts'

/** One object of a schema: its kind and name, its definition, and the month of settlements that it belongs to. */
type Thing = { name: string; definition: string; month: string | null }

const FORBIDDEN = '42501'

/**
 * How the triggers, functions, constraints, columns, rules and unique indexes of this database differ from those that the
 * migrations make. It runs the migrations in a scratch schema and rolls back, so that the same server describes both. Where a
 * newer version has migrated the database, what it added is not named: the newer one knows it.
 * `on` is one connection outside a transaction.
 */
export async function catalogueFaults(on: Reader): Promise<string[]> {
  const [home] = await all(on, sql<{ name: string }>`select current_schema() as name`)
  const found = await describe(on, home?.name ?? 'public')
  const migrations = await readMigrations()
  const applied = await appliedOf(on)
  const own = new Set(migrations.map(({ name }) => name))
  const isNewer = [...applied].some((name) => !own.has(name))
  const scratch = `purser_verify_${randomHex(6).slice(2)}`
  await sql`begin`.execute(on)
  try {
    await sql.raw(`create schema ${scratch}`).execute(on)
    await sql.raw(`set local search_path = ${scratch}`).execute(on)
    const [server] = await all(on, sql.raw<{ version: number }>(VERSION))
    for (const { name, text, isContract } of migrations)
      if (!isContract || applied.has(name))
        await sql.raw(fitting(text, server?.version ?? 0)).execute(on)
    const expected = await describe(on, scratch)
    return [...compare(expected, found, isNewer), ...(await switchedOff(on))]
  } catch (error) {
    if (sqlState(error) !== FORBIDDEN) throw error
    return [
      'triggers and constraints could not be compared: grant CREATE on the database to the role of the service',
    ]
  } finally {
    await sql`rollback`.execute(on)
  }
}

/** The names of the migrations that the database has. */
async function appliedOf(on: Reader): Promise<Set<string>> {
  const rows = await all(on, sql<{ name: string }>`select name from schema_migrations`)
  return new Set(rows.map(({ name }) => name))
}

function compare(
  expected: Map<string, string>,
  found: Map<string, string>,
  isNewer: boolean,
): string[] {
  const faults: string[] = []
  for (const [name, definition] of expected) {
    const other = found.get(name)
    if (other === undefined) faults.push(`${name} is missing`)
    else if (other !== definition)
      faults.push(`${name} is not as the migrations make it: ${short(other)}`)
  }
  for (const [name, definition] of found)
    if (!expected.has(name) && !isNewer) faults.push(`${name} was added: ${short(definition)}`)
  return faults
}

const short = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}…` : text)

/** Settings of the database or of a role that switch triggers off. */
async function switchedOff(on: Reader): Promise<string[]> {
  const rows = await all(
    on,
    sql<{
      fault: string
    }>`select 'the setting ' || c || ' of ' || case when s.setrole = 0 then 'the database'
        else 'role ' || s.setrole::regrole::text end || ' switches triggers off' as fault
      from pg_db_role_setting s, unnest(s.setconfig) as c
      where c like 'session_replication_role=%' and c <> 'session_replication_role=origin'
        and (s.setdatabase = 0 or s.setdatabase = (select oid from pg_database where datname = current_database()))
      union all
      select 'session_replication_role is ' || current_setting('session_replication_role') || ': triggers are switched off'
      where current_setting('session_replication_role') <> 'origin'`,
  )
  return rows.map(({ fault }) => fault)
}

/** Definitions of the objects of a schema, by kind and name. The name of the schema itself is left out. */
async function describe(on: Reader, schema: string): Promise<Map<string, string>> {
  const things = new Map<string, string>()
  for (const { name, definition, month } of await all(on, query(schema))) {
    const text = definition
      .replaceAll(`${schema}.`, '')
      .replaceAll(`search_path TO '${schema}'`, 'search_path TO here')
    // Which months there are is a matter of the day, but all of them are alike.
    const likeAll = (of: string) => (month === null ? of : of.replaceAll(month, A_MONTH))
    const before = things.get(likeAll(name))
    const after = likeAll(text)
    things.set(
      likeAll(name),
      before === undefined || before === after ? after : `${before}; ${after}`,
    )
  }
  return things
}

/** The part of settlements that is always there, which each month is compared with. */
const A_MONTH = 'settlements_rest'

const query = (schema: string) =>
  sql<Thing>`with home as (select oid from pg_namespace where nspname = ${schema})
    ${sql.raw(THINGS.join('\n union all '))}`

/** Its own table, of an object of a month `c`. What was there before there were months is not like them. */
const MONTH = `case when c.relispartition and c.relname <> 'settlements_first' then c.relname end`

const THINGS = [
  `select 'trigger ' || t.tgname || ' on ' || c.relname as name,
     case t.tgenabled when 'O' then 'on' when 'D' then 'switched off' when 'R' then 'on for replicas only' else 'always' end
       || ': ' || pg_get_triggerdef(t.oid) as definition, ${MONTH} as month
   from pg_trigger t join pg_class c on c.oid = t.tgrelid
   where c.relnamespace = (select oid from home) and not t.tgisinternal`,
  // PostgreSQL names the triggers of foreign keys by number, so they are compared by constraint.
  `select 'foreign key triggers of ' || c.relname || ' and ' || coalesce(k.conname, '?'),
     string_agg(t.tgenabled::text || ' ' || p.proname, ', ' order by p.proname, t.tgenabled), null
   from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
     left join pg_constraint k on k.oid = t.tgconstraint
   where c.relnamespace = (select oid from home) and t.tgisinternal group by c.relname, k.conname`,
  `select 'function ' || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')', pg_get_functiondef(p.oid), null
   from pg_proc p where p.pronamespace = (select oid from home) and p.prokind in ('f', 'p')`,
  `select 'constraint ' || k.conname || ' on ' || c.relname,
     pg_get_constraintdef(k.oid) || case when k.convalidated then '' else ' (not validated)' end, ${MONTH}
   from pg_constraint k join pg_class c on c.oid = k.conrelid
   where k.connamespace = (select oid from home) and c.relname <> 'schema_migrations'`,
  `select 'column ' || a.attname || ' of ' || c.relname,
     concat_ws(' ', format_type(a.atttypid, a.atttypmod), case when a.attnotnull then 'not null' end,
       case when a.attidentity <> '' then 'identity ' || a.attidentity::text end,
       case when a.attgenerated <> '' then 'generated' end, pg_get_expr(d.adbin, d.adrelid)), ${MONTH}
   from pg_attribute a join pg_class c on c.oid = a.attrelid
     left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
   where c.relnamespace = (select oid from home) and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
     and c.relname <> 'schema_migrations'`,
  `select 'unique index ' || u.relname, pg_get_indexdef(i.indexrelid) || case when i.indisvalid then '' else ' (not valid)' end,
     ${MONTH}
   from pg_index i join pg_class u on u.oid = i.indexrelid join pg_class c on c.oid = i.indrelid
   where c.relnamespace = (select oid from home) and i.indisunique and i.indrelid <> coalesce(to_regclass('schema_migrations'), 0)`,
  `select 'view ' || c.relname, pg_get_viewdef(c.oid), null from pg_class c
   where c.relnamespace = (select oid from home) and c.relkind = 'v'`,
  `select 'rule ' || r.rulename || ' on ' || c.relname, pg_get_ruledef(r.oid), null
   from pg_rewrite r join pg_class c on c.oid = r.ev_class
   where c.relnamespace = (select oid from home) and r.rulename <> '_RETURN'`,
  `select 'table ' || c.relname, concat_ws(' ', case c.relpersistence when 'p' then 'permanent' when 'u' then 'unlogged'
       else 'temporary' end, case when c.relrowsecurity then 'with row security' end), ${MONTH}
   from pg_class c where c.relnamespace = (select oid from home) and c.relkind in ('r', 'p')
     and c.relname <> 'schema_migrations'`,
]
