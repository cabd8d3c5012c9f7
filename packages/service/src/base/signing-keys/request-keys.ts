import { sign } from 'node:crypto'
import type { Db, Tx } from '../db/sql.ts'
import { assert } from '../kernel/assert.ts'
import { addHours } from '../kernel/clock.ts'
import type { SealKeys } from '../kernel/secrets.ts'
import type { RequestSigner } from '../protocols/http-signatures/sign.ts'
import { newRequestKeyPair, type OkpJwk, openPrivateKey } from './key-pair.ts'
import {
  findRequestKeys,
  insertRequestKey,
  retireRequestKeys,
  type StoredRequestKey,
} from './store-requests.ts'

/** A verifier may have asked for the directory just before a rotation. Signatures live a minute, directories a day at most. */
const KEPT_HOURS = 24

/** A key in the service's directory (`/.well-known/http-message-signatures-directory`). */
export type DirectoryKey = { jwk: OkpJwk; signer: RequestSigner }

/**
 * The keys of the directory, the one that signs first. Makes a key if there is none; processes that begin at once
 * make one.
 */
export async function readRequestKeys(
  { db, sealKey }: { db: Db; sealKey: SealKeys },
  at: Date,
): Promise<[DirectoryKey, ...DirectoryKey[]]> {
  const since = addHours(at, -KEPT_HOURS)
  const found = await findRequestKeys(db.reader, since)
  const keys =
    found[0]?.retiredAt === null ? found : await db.write((tx) => makeKey(tx, at, sealKey))
  const [first, ...others] = keys.map((key) => directoryKeyOf(key, sealKey))
  assert(first, 'a key signs requests')
  return [first, ...others]
}

async function makeKey(tx: Tx, at: Date, sealKey: SealKeys): Promise<StoredRequestKey[]> {
  await insertRequestKey(tx, at, newRequestKeyPair(sealKey))
  return findRequestKeys(tx, addHours(at, -KEPT_HOURS))
}

/** Makes a new key that signs requests, and returns its id. The old one stays in the directory for a day. */
export async function rotateRequestKey(tx: Tx, at: Date, sealKey: SealKeys): Promise<string> {
  await retireRequestKeys(tx, at)
  const [key] = await makeKey(tx, at, sealKey)
  assert(key, 'a key signs requests')
  return key.kid
}

function directoryKeyOf({ kid, jwk, sealed }: StoredRequestKey, sealKey: SealKeys): DirectoryKey {
  const key = openPrivateKey({ kid, sealed }, sealKey)
  return { jwk, signer: { kid, sign: (base) => sign(null, Buffer.from(base, 'latin1'), key) } }
}
