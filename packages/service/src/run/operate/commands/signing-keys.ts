import type { Db } from '../../../base/db/sql.ts'
import type { Secret } from '../../../base/kernel/secrets.ts'
import { sealKeyOf } from '../../../base/signing-keys/key-pair.ts'
import { revokeSigningKey, rotateSigningKey } from '../../../base/signing-keys/signing-keys.ts'
import { listKeys, type SigningKey } from '../../../base/signing-keys/store.ts'
import { StartError } from '../start-error.ts'

type Books = { db: Db; secret: Secret }

/** Every key that signs or has signed AP2 documents for the service, newest first. */
export const listSigningKeys = ({ db }: Books): Promise<SigningKey[]> => listKeys(db.reader)

/** Makes a new signing key, in use within a minute in every process. Signatures by the old key stay valid. */
export async function rotate({ db, secret }: Books, at: Date): Promise<SigningKey[]> {
  await db.write((tx) => rotateSigningKey(tx, at, sealKeyOf(secret)))
  return listKeys(db.reader)
}

/** Revokes a leaked key: its signatures become invalid. Throws a sentence. */
export async function revoke({ db, secret }: Books, at: Date, kid: string): Promise<SigningKey[]> {
  const sealKey = sealKeyOf(secret)
  const isRevoked = await db.write((tx) => revokeSigningKey(tx, at, { kid, sealKey }))
  if (!isRevoked)
    throw new StartError(
      `There is no signing key ${kid} that is believed: purser signing-keys shows those that are.`,
    )
  return listKeys(db.reader)
}

/** The keys for a person. */
export const signingKeysText = (keys: readonly SigningKey[]): string =>
  keys.length === 0
    ? 'No key has been made yet: the service makes one when it first signs.'
    : keys.map((key) => `  ${stateOf(key).padEnd(8)}  ${key.kid}  since ${sinceOf(key)}`).join('\n')

const stateOf = ({ retiredAt, revokedAt }: SigningKey): 'signs' | 'retired' | 'revoked' => {
  if (revokedAt) return 'revoked'
  return retiredAt ? 'retired' : 'signs'
}
const sinceOf = ({ createdAt, retiredAt, revokedAt }: SigningKey): string =>
  (revokedAt ?? retiredAt ?? createdAt).toISOString()

/** The keys for a program. */
export const signingKeysJson = (keys: readonly SigningKey[]): string =>
  JSON.stringify(
    {
      keys: keys.map((key) => ({
        kid: key.kid,
        state: stateOf(key),
        created_at: key.createdAt.toISOString(),
        retired_at: key.retiredAt?.toISOString() ?? null,
        revoked_at: key.revokedAt?.toISOString() ?? null,
      })),
    },
    null,
    2,
  )
