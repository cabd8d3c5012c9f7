import { all, one, type Reader, run, sql, type Tx } from '../db/sql.ts'

/** PostgreSQL's version as a number, e.g. 180004. */
export async function readServerVersion(on: Reader): Promise<number> {
  const row = await one<{ version: number }>(
    on,
    sql`select current_setting('server_version_num')::integer as version`,
  )
  return row?.version ?? 0
}

export type Identity = { network: string; identity: string }

/** The chain that this database has been used with; empty before its first start. */
export const readIdentities = (on: Reader): Promise<Identity[]> =>
  all<Identity>(on, sql`select network, identity from chain_identity`)

/** Writes the chain down. Of several at once, the first is kept. */
export async function insertIdentity(tx: Tx, { network, identity }: Identity): Promise<void> {
  await run(
    tx,
    sql`insert into chain_identity (network, identity) values (${network}, ${identity}) on conflict do nothing`,
  )
}
