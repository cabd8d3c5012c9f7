/** Our schemas, and that of the job queue: its jobs are rows that money waits for. */
const OURS = `n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'`

/** These say what was applied to a database and what runs on it, so another one has its own. */
const OF_ITS_OWN = `('schema_migrations', 'machines')`

/** Tables, whole or in parts, and the parts. Those whose rows the database itself may lose are left out. */
export const ALL_TABLES = `select format('%I.%I', n.nspname, c.relname) as table, c.relispartition as is_part
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and c.relpersistence = 'p' and ${OURS} and c.relname not in ${OF_ITS_OWN}
  order by 1`

/** The tables that have rows of their own, with their parts. A restore may find other parts than the backup had. */
export const TABLES = `select t.table from (${ALL_TABLES}) t where not t.is_part`

/** The database computes generated columns by itself. */
export const COLUMNS = `select quote_ident(attname) as column from pg_attribute
  where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`

export const SEQUENCES = `select format('%I.%I', n.schemaname, n.sequencename) as sequence,
  n.last_value::text as last from pg_sequences n
  where n.schemaname not like 'pg\\_%' and n.schemaname <> 'information_schema' order by 1`

export const FOREIGN_KEYS = `select c.conrelid::regclass::text as table, quote_ident(c.conname) as name,
  pg_get_constraintdef(c.oid) as definition
  from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_namespace n on n.oid = t.relnamespace
  where c.contype = 'f' and c.conparentid = 0 and ${OURS}`

export const TRIGGERS = `select t.tgrelid::regclass::text as table, quote_ident(t.tgname) as name, t.tgenabled as state
  from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
  where not t.tgisinternal and ${OURS}`
