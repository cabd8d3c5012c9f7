import { all, json, one, type Reader, run, sql, type Tx } from '../db/sql.ts'
import type { PublicJwk } from '../protocols/ap2/jose/keys.ts'
import { PRIVATE_KEYS, privateKeyContext } from './key-pair.ts'
import { sealedColumn } from './store-sealed.ts'

/**
 * A P-256 key of the service. A retired key no longer signs, but its signatures stay valid. A revoked key counts as if
 * it had never signed.
 */
export type SigningKey = {
  kid: string
  jwk: PublicJwk
  createdAt: Date
  retiredAt: Date | null
  revokedAt: Date | null
}
export type SealedKey = Pick<SigningKey, 'kid' | 'jwk'> & { sealed: Buffer }

/** Stores the key unless there is a signing key already. */
export async function insertKey(tx: Tx, at: Date, key: SealedKey): Promise<void> {
  await sql`insert into service_signing_keys (kid, jwk, sealed, created_at)
    values (${key.kid}, ${json(key.jwk)}, ${key.sealed}, ${at}) on conflict do nothing`.execute(tx)
}

/** The signing key. */
export const findActive = (on: Reader): Promise<SealedKey | undefined> =>
  one<SealedKey>(
    on,
    sql`select kid, jwk, sealed from service_signing_keys where retired_at is null`,
  )

const KEY = sql`select kid, jwk, created_at, retired_at, revoked_at from service_signing_keys`

/** The trusted keys of these ids, retired ones included. */
export async function findTrusted(on: Reader, kids: string[]): Promise<Map<string, PublicJwk>> {
  const keys = await all<SigningKey>(
    on,
    sql`${KEY} where revoked_at is null and kid = any(${kids}::text[])`,
  )
  return new Map(keys.map(({ kid, jwk }) => [kid, jwk]))
}

/** All keys ever made, newest first. */
export const listKeys = (on: Reader): Promise<SigningKey[]> =>
  all<SigningKey>(on, sql`${KEY} order by created_at desc, kid`)

export const retireActive = (tx: Tx, at: Date): Promise<number> =>
  run(tx, sql`update service_signing_keys set retired_at = ${at} where retired_at is null`)

export const markRevoked = async (tx: Tx, at: Date, kid: string): Promise<boolean> =>
  (await run(
    tx,
    sql`update service_signing_keys set revoked_at = ${at}, retired_at = coalesce(retired_at, ${at})
      where kid = ${kid} and revoked_at is null`,
  )) === 1

export const sealedSigningKeys = sealedColumn({
  what: 'keys that sign documents',
  purpose: PRIVATE_KEYS,
  table: 'service_signing_keys',
  key: ['kid'],
  column: 'sealed',
  context: privateKeyContext,
})
