import { SERVICE_LOCK } from '../../base/db/pool/pool.ts'
import { all, one, type Reader, run, sql, type Tx } from '../../base/db/sql.ts'
import { assert } from '../../base/kernel/assert.ts'

/** A database that is not migrated yet, or not to the newest schema, lacks tables. */
export async function hasTable(on: Reader, name: string): Promise<boolean> {
  const found = await one<{ isThere: boolean }>(
    on,
    sql`select to_regclass(${name}) is not null as is_there`,
  )
  return found?.isThere === true
}

/**
 * The schemas that have our tables, and the first of the role's `search_path`, which a new database gets them in; and whether
 * a restore has the database for itself. Answers for a connection without settings of ours.
 */
export async function readHomes(on: Reader): Promise<Homes> {
  // Without parameters it is not prepared, which a pooler may not know how to do.
  const row = await one<Homes>(
    on,
    sql`select current_schema()::text as first,
      exists (select from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and granted
        and database = (select oid from pg_database where datname = current_database())
        and (classid::bigint << 32) + objid::bigint = ${sql.lit(SERVICE_LOCK)}) as is_taken, array(select n.nspname::text from pg_namespace n
      where exists (select from pg_class c where c.relnamespace = n.oid and c.relname = 'chain_identity')
        and exists (select from pg_class c where c.relnamespace = n.oid and c.relname = 'schema_migrations')
      order by 1) as homes`,
  )
  return row ?? { homes: [], first: null, isTaken: false }
}
type Homes = { homes: string[]; first: string | null; isTaken: boolean }

export type Identity = { network: string; identity: string }

/** The chain of this database; empty before its first start. */
export const readIdentities = (on: Reader): Promise<Identity[]> =>
  all<Identity>(on, sql`select network, identity from chain_identity`)

/** Stores the chain. Of concurrent writes the first is kept. */
export async function insertIdentity(tx: Tx, { network, identity }: Identity): Promise<void> {
  await run(
    tx,
    sql`insert into chain_identity (network, identity) values (${network}, ${identity}) on conflict do nothing`,
  )
}

/** The agreed settings of this database's machines, by variable. */
export async function readSettings(on: Reader): Promise<Record<string, string>> {
  const rows = await all<{ name: string; value: string }>(
    on,
    sql`select name, value from service_settings`,
  )
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

/** Stores the settings. Of several machines at once, those of the first are kept. */
export async function insertSettings(
  tx: Tx,
  at: Date,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  await run(
    tx,
    sql`insert into service_settings (name, value, noted_at)
      select name, value, ${at} from unnest(${Object.keys(settings)}::text[], ${Object.values(settings)}::text[])
        as given (name, value) on conflict do nothing`,
  )
}

/** Replaces the stored settings. */
export async function replaceSettings(
  tx: Tx,
  at: Date,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  await run(tx, sql`delete from service_settings`)
  await insertSettings(tx, at, settings)
}

/** A backup whose rows are in a database on which no service has started since. */
export type Loaded = { digest: string; rows: bigint; restoredAt: Date }

export const findLoaded = (on: Reader): Promise<Loaded | undefined> =>
  one<Loaded>(on, sql`select digest, rows, restored_at from restored_backup`)

export async function insertLoaded(tx: Tx, { digest, rows }: Omit<Loaded, 'restoredAt'>) {
  await run(tx, sql`insert into restored_backup (digest, rows) values (${digest}, ${rows})`)
}

/** From now on the database is one that is used. */
export const deleteLoaded = (tx: Tx): Promise<number> => run(tx, sql`delete from restored_backup`)

/** Takes the database from every service and every other restore. Returns whether it could. The connection holds it. */
export async function takeDatabase(on: Reader): Promise<boolean> {
  const row = await one<{ isTaken: boolean }>(
    on,
    sql`select pg_try_advisory_lock(${SERVICE_LOCK}) as is_taken`,
  )
  return row?.isTaken === true
}

export async function giveDatabase(on: Reader): Promise<void> {
  await all(on, sql`select pg_advisory_unlock(${SERVICE_LOCK})`)
}

/** The facts that decide whether the service may work on a database, as a connection without settings of ours reads them. */
export type ServerState = {
  /** As a number, e.g. 180004. */
  version: number
  role: string
  isStandby: boolean
  encoding: string
  fsync: string
  fullPageWrites: string
  replicationRole: string
  /** Connections that there may be, -1 for no limit: of all but superusers, of the role, of all in the database. */
  limits: { server: number; ofRole: number; ofDatabase: number; isSuperuser: boolean }
}

export async function readServerState(on: Reader): Promise<ServerState> {
  const row = await one<ServerState>(
    on,
    sql`select current_setting('server_version_num')::integer as version, current_user::text as role,
      pg_is_in_recovery() as is_standby, current_setting('server_encoding') as encoding,
      current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
      current_setting('session_replication_role') as replication_role,
      json_build_object('server', current_setting('max_connections')::integer
          - current_setting('superuser_reserved_connections')::integer
          - coalesce(current_setting('reserved_connections', true)::integer, 0),
        'ofRole', r.rolconnlimit, 'ofDatabase', d.datconnlimit, 'isSuperuser', r.rolsuper) as limits
      from pg_roles r, pg_database d where r.rolname = current_user and d.datname = current_database()`,
  )
  assert(row, 'a session has a role and a database')
  return row
}
