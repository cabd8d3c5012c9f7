import { all, json, type Reader, run, sql, type Tx } from '../db/sql.ts'
import { type OkpJwk, PRIVATE_KEYS, privateKeyContext, type SealedPair } from './key-pair.ts'
import { sealedColumn } from './store-sealed.ts'

/** An Ed25519 key by which the service signs requests. A retired key signs no more. */
export type StoredRequestKey = SealedPair<OkpJwk> & {
  createdAt: Date
  retiredAt: Date | null
  revokedAt: Date | null
}

/** Stores the key unless there is one that signs. */
export async function insertRequestKey(
  tx: Tx,
  at: Date,
  { kid, jwk, sealed }: SealedPair<OkpJwk>,
): Promise<void> {
  await sql`insert into request_signing_keys (kid, jwk, sealed, created_at)
    values (${kid}, ${json(jwk)}, ${sealed}, ${at}) on conflict do nothing`.execute(tx)
}

/** Few enough that the directory is below the length from which answers are compressed: its digest is of the plain bytes. */
const KEYS_MAX = 4

/** The key that signs, then the last ones that were retired after `since`. */
export const findRequestKeys = (on: Reader, since: Date): Promise<StoredRequestKey[]> =>
  all<StoredRequestKey>(
    on,
    sql`select kid, jwk, sealed, created_at, retired_at, revoked_at from request_signing_keys
      where revoked_at is null and (retired_at is null or retired_at > ${since})
      order by retired_at desc nulls first, created_at desc, kid limit ${KEYS_MAX}`,
  )

export const retireRequestKeys = (tx: Tx, at: Date): Promise<number> =>
  run(tx, sql`update request_signing_keys set retired_at = ${at} where retired_at is null`)

/** All keys ever made, newest first. */
export const listRequestKeys = (on: Reader): Promise<StoredRequestKey[]> =>
  all<StoredRequestKey>(
    on,
    sql`select kid, jwk, sealed, created_at, retired_at, revoked_at from request_signing_keys
      order by created_at desc, kid`,
  )

/** False for an unknown key, and for one that was revoked before. */
export const markRequestKeyRevoked = async (tx: Tx, at: Date, kid: string): Promise<boolean> =>
  (await run(
    tx,
    sql`update request_signing_keys set revoked_at = ${at}, retired_at = coalesce(retired_at, ${at})
      where kid = ${kid} and revoked_at is null`,
  )) === 1

export const sealedRequestKeys = sealedColumn({
  what: 'keys that sign requests',
  purpose: PRIVATE_KEYS,
  table: 'request_signing_keys',
  key: ['kid'],
  column: 'sealed',
  context: privateKeyContext,
})
