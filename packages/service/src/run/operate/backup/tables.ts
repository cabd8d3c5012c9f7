import type pg from 'pg'
import { APPLIED } from '../../../base/db/migrate.ts'
import { readMigrations } from '../../../base/db/migrations.ts'
import { QUEUE_SCHEMA, QUEUE_TABLES } from '../../../base/jobs/tables.ts'

/** Asks the database on one connection. */
export type Ask = <Row>(text: string, values?: unknown[]) => Promise<{ rows: Row[] }>

export const askOn =
  (client: pg.Client): Ask =>
  (text, values) =>
    client.query(text, values) as never

/** These say what was applied to a database and what runs on it, so another one has its own. */
const OF_ITS_OWN = [
  'schema_migrations',
  'machines',
  'restored_backup',
  `${QUEUE_SCHEMA}.migrations`,
]

/**
 * The tables and sequences that a backup holds: those of the migrations, and those of the job queue, whose jobs are rows that money
 * waits for. By name, because other programs may have tables in the same database, even in the same schema. The names are without the
 * schema of the service, which every connection has as its `search_path`.
 */
export async function readNames(ask: Ask): Promise<string[]> {
  const migrations = await readMigrations()
  const { rows } = await ask<{ name: string; makes: string[] | null }>(APPLIED)
  const known = new Set(migrations.map(({ name }) => name))
  // A newer version has noted what it made.
  const newer = rows.filter(({ name }) => !known.has(name))
  const names = [...migrations, ...newer].flatMap(({ makes }) => makes ?? [])
  const queue = QUEUE_TABLES.map((name) => `${QUEUE_SCHEMA}.${name}`)
  return [...new Set([...names, ...queue])].filter((name) => !OF_ITS_OWN.includes(name))
}

/** Finds which of the names exist, with the parts of partitioned tables. */
const NAMED = `with recursive named as (
  select to_regclass(name) as oid from unnest($1::text[]) as name
  union select i.inhrelid::regclass from pg_inherits i join pg_class c on c.oid = i.inhrelid join named n on i.inhparent = n.oid
  where c.relispartition)`

/** Tables, whole or in parts, and the parts. Those whose rows the database itself may lose are left out. */
export const ALL_TABLES = `${NAMED} select n.oid::text as table, c.relispartition as is_part
  from named n join pg_class c on c.oid = n.oid
  where c.relkind in ('r', 'p') and c.relpersistence = 'p' order by 1`

/** The tables that have rows of their own, with their parts. A restore may find other parts than the backup had. */
export const TABLES = `select t.table from (${ALL_TABLES}) t where not t.is_part`

/** The database computes generated columns by itself. */
export const COLUMNS = `select quote_ident(attname) as column from pg_attribute
  where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`

/** The sequences by name, and those of columns. */
export const SEQUENCES = `${NAMED}, sequences as (
  select n.oid from named n
  union select d.objid from pg_depend d join named n on d.refobjid = n.oid
  where d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i'))
  select s.oid::regclass::text as sequence, pg_sequence_last_value(s.oid)::text as last
  from sequences s join pg_class c on c.oid = s.oid where c.relkind = 'S' order by 1`

export const FOREIGN_KEYS = `${NAMED} select n.oid::text as table, quote_ident(c.conname) as name,
  pg_get_constraintdef(c.oid) as definition
  from pg_constraint c join named n on n.oid = c.conrelid where c.contype = 'f' and c.conparentid = 0`

export const TRIGGERS = `${NAMED} select n.oid::text as table, quote_ident(t.tgname) as name, t.tgenabled as state
  from pg_trigger t join named n on n.oid = t.tgrelid where not t.tgisinternal`
