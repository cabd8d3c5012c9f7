import type { KeyObject } from 'node:crypto'
import type { Db, Reader, Tx } from '../db/sql.ts'
import { assert } from '../kernel/assert.ts'
import type { SealKeys } from '../kernel/secrets.ts'
import { importKey, type PublicJwk, type Signer, signerOf } from '../protocols/ap2/jose/keys.ts'
import { newKeyPair, openPrivateKey } from './key-pair.ts'
import { findActive, findTrusted, insertKey, listKeys, markRevoked, retireActive } from './store.ts'

/** The service's own signature: ES256, by the key of this `kid`. */
export type ServiceSigner = { readonly kid: string; readonly sign: Signer }

export type SigningKeys = {
  /** The key that signs. Made on first use, the same in every process, and read again every minute. */
  current(at: Date): Promise<ServiceSigner>
  /** Our trusted public keys of these ids, retired ones included. Read from the database on each call. */
  keysOf(on: Reader, kids: string[]): Promise<Map<string, KeyObject>>
  /** As `keysOf`, for one id. */
  keyOf(kid: string): Promise<KeyObject | undefined>
}

/** After a rotation every process signs with the new key within this time. Until then it uses the old key. */
const KEPT_MS = 60_000

export function createSigningKeys(parts: { db: Db; sealKey: SealKeys }): SigningKeys {
  const { db, sealKey } = parts
  const imported = new Map<string, KeyObject>()
  let kept: { signer: Promise<ServiceSigner>; at: number } | undefined

  async function keysOf(on: Reader, kids: string[]): Promise<Map<string, KeyObject>> {
    const believed = await findTrusted(on, kids)
    return new Map(
      [...believed].map(([kid, jwk]) => {
        const key = imported.get(kid) ?? importKey(jwk)
        imported.set(kid, key)
        return [kid, key]
      }),
    )
  }

  return {
    keysOf,
    keyOf: async (kid) => (await keysOf(db.reader, [kid])).get(kid),
    current(at) {
      if (kept && Math.abs(at.getTime() - kept.at) < KEPT_MS) return kept.signer
      const signer = readSigner(db, at, sealKey)
      kept = { signer, at: at.getTime() }
      signer.catch(() => {
        kept = undefined
      })
      return signer
    },
  }
}

async function readSigner(db: Db, at: Date, sealKey: SealKeys): Promise<ServiceSigner> {
  const key = (await findActive(db.reader)) ?? (await db.write((tx) => makeKey(tx, at, sealKey)))
  return { kid: key.kid, sign: signerOf(openPrivateKey(key, sealKey)) }
}

/** If several processes make a key at once, one key is stored and all use it. */
async function makeKey(tx: Tx, at: Date, sealKey: SealKeys) {
  await insertKey(tx, at, newKeyPair(sealKey))
  const key = await findActive(tx)
  assert(key, 'a key signs')
  return key
}

/** Makes a new signing key and returns its id. Signatures by the old key stay valid, and it stays in the JWKS. */
export async function rotateSigningKey(tx: Tx, at: Date, sealKey: SealKeys): Promise<string> {
  await retireActive(tx, at)
  return (await makeKey(tx, at, sealKey)).kid
}

/** Revokes a key: its signatures become invalid, and it leaves the JWKS. False for an unknown key. */
export async function revokeSigningKey(
  tx: Tx,
  at: Date,
  { kid, sealKey }: { kid: string; sealKey: SealKeys },
): Promise<boolean> {
  if (!(await markRevoked(tx, at, kid))) return false
  if (!(await findActive(tx))) await makeKey(tx, at, sealKey)
  return true
}

export type PublishedKey = PublicJwk & { kid: string; use: 'sig'; alg: 'ES256' }

/** The JWKS: every trusted key, the signing key first. */
export async function publicJwks(on: Reader): Promise<{ keys: PublishedKey[] }> {
  const keys = (await listKeys(on)).filter(({ revokedAt }) => revokedAt === null)
  const [active, retired] = [
    keys.filter(({ retiredAt }) => retiredAt === null),
    keys.filter(({ retiredAt }) => retiredAt !== null),
  ]
  return {
    keys: [...active, ...retired].map(({ kid, jwk }) => ({
      ...jwk,
      kid,
      use: 'sig' as const,
      alg: 'ES256' as const,
    })),
  }
}
