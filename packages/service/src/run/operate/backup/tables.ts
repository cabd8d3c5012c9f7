/** Our schemas, and that of the job queue: its jobs are rows that money waits for. */
const OURS = `n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'`

/** Tables whose rows the database itself may lose are left out. */
export const TABLES = `select format('%I.%I', n.nspname, c.relname) as table
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and c.relpersistence = 'p' and ${OURS} order by 1`

/** The database computes generated columns by itself. */
export const COLUMNS = `select quote_ident(attname) as column from pg_attribute
  where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`

export const SEQUENCES = `select format('%I.%I', n.schemaname, n.sequencename) as sequence,
  n.last_value::text as last from pg_sequences n
  where n.schemaname not like 'pg\\_%' and n.schemaname <> 'information_schema' order by 1`

export const FOREIGN_KEYS = `select c.conrelid::regclass::text as table, quote_ident(c.conname) as name,
  pg_get_constraintdef(c.oid) as definition
  from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_namespace n on n.oid = t.relnamespace
  where c.contype = 'f' and ${OURS}`

export const TRIGGERS = `select t.tgrelid::regclass::text as table, quote_ident(t.tgname) as name, t.tgenabled as state
  from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
  where not t.tgisinternal and ${OURS}`
