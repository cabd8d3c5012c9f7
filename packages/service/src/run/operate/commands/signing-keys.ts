import type { Db } from '../../../base/db/sql.ts'
import type { Secret } from '../../../base/kernel/secrets.ts'
import { sealKeyOf } from '../../../base/signing-keys/key-pair.ts'
import { rotateRequestKey } from '../../../base/signing-keys/request-keys.ts'
import { revokeSigningKey, rotateSigningKey } from '../../../base/signing-keys/signing-keys.ts'
import { listKeys } from '../../../base/signing-keys/store.ts'
import {
  listRequestKeys,
  markRequestKeyRevoked,
} from '../../../base/signing-keys/store-requests.ts'
import { StartError } from '../start-error.ts'

type Books = { db: Db; secret: Secret }
/** A key of the service, and what it signs: documents of AP2, or requests to sellers. */
type SigningKey = {
  kid: string
  signs: 'documents' | 'requests'
  createdAt: Date
  retiredAt: Date | null
  revokedAt: Date | null
}

/** Every key that signs or has signed for the service, newest first. */
export async function listSigningKeys({ db }: Pick<Books, 'db'>): Promise<SigningKey[]> {
  const documents = await listKeys(db.reader)
  const requests = await listRequestKeys(db.reader)
  return [
    ...documents.map((key) => ({ ...key, signs: 'documents' as const })),
    ...requests.map((key) => ({ ...key, signs: 'requests' as const })),
  ]
}

/** Makes new signing keys, in use within a minute in every process. Signatures by the old ones stay valid. */
export async function rotate({ db, secret }: Books, at: Date): Promise<SigningKey[]> {
  await db.write(async (tx) => {
    await rotateSigningKey(tx, at, sealKeyOf(secret))
    await rotateRequestKey(tx, at, sealKeyOf(secret))
  })
  return listSigningKeys({ db })
}

/** Revokes a leaked key: its signatures become invalid. Throws a sentence. */
export async function revoke({ db, secret }: Books, at: Date, kid: string): Promise<SigningKey[]> {
  const sealKey = sealKeyOf(secret)
  const isRevoked = await db.write(
    async (tx) =>
      (await revokeSigningKey(tx, at, { kid, sealKey })) ||
      (await markRequestKeyRevoked(tx, at, kid)),
  )
  if (!isRevoked)
    throw new StartError(
      `There is no signing key ${kid} that is believed: purser signing-keys shows those that are.`,
    )
  return listSigningKeys({ db })
}

/** The keys for a person. */
export const signingKeysText = (keys: readonly SigningKey[]): string =>
  keys.length === 0
    ? 'No key has been made yet: the service makes one when it first signs.'
    : keys
        .map(
          (key) =>
            `  ${stateOf(key).padEnd(8)}  ${key.signs.padEnd(9)}  ${key.kid}  since ${sinceOf(key)}`,
        )
        .join('\n')

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
        signs: key.signs,
        state: stateOf(key),
        created_at: key.createdAt.toISOString(),
        retired_at: key.retiredAt?.toISOString() ?? null,
        revoked_at: key.revokedAt?.toISOString() ?? null,
      })),
    },
    null,
    2,
  )
