import { all, one, type Reader, run, sql, type Tx } from '../../base/db/sql.ts'

/** PostgreSQL's version as a number, e.g. 180004. */
export async function readServerVersion(on: Reader): Promise<number> {
  const row = await one<{ version: number }>(
    on,
    sql`select current_setting('server_version_num')::integer as version`,
  )
  return row?.version ?? 0
}

/**
 * The schemas that have our tables, and the first of the role's `search_path`, which a new database gets them in. Answers for a connection
 * without settings of ours.
 */
export async function readHomes(on: Reader): Promise<{ homes: string[]; first: string | null }> {
  const row = await one<{ homes: string[]; first: string | null }>(
    on,
    sql`select current_schema()::text as first, array(select n.nspname::text from pg_namespace n
      where exists (select from pg_class c where c.relnamespace = n.oid and c.relname = 'chain_identity')
        and exists (select from pg_class c where c.relnamespace = n.oid and c.relname = 'schema_migrations')
      order by 1) as homes`,
  )
  return row ?? { homes: [], first: null }
}

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
