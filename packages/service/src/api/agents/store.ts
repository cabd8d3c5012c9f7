import { one, type Reader, run, sql, type Tx } from '../../base/db/sql.ts'

/** Remembers a nonce until its signature has expired. False if it was used before. */
export const insertNonce = async (
  tx: Tx,
  use: { scope: string; keyId: string; nonce: string; expiresAt: Date },
): Promise<boolean> =>
  (await run(
    tx,
    sql`insert into agent_nonces (scope, key_id, nonce, expires_at)
      values (${use.scope}, ${use.keyId}, ${use.nonce}, ${use.expiresAt}) on conflict do nothing`,
  )) === 1

/** How many nonces are remembered for a scope. */
export const countNonces = async (on: Reader, scope: string): Promise<number> => {
  const row = await one<{ n: bigint }>(
    on,
    sql`select count(*) as n from agent_nonces where scope = ${scope}`,
  )
  return Number(row?.n ?? 0)
}
