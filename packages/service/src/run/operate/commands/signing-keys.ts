import type { Db } from '../../../base/db/sql.ts'
import { sealKeyOf } from '../../../base/signing-keys/key-pair.ts'
import type { Keyring } from '../../../base/signing-keys/keyring.ts'
import { type ListedKey, listAllKeys, stateOf } from '../../../base/signing-keys/list.ts'
import { rotateRequestKey } from '../../../base/signing-keys/request-keys.ts'
import { revokeSigningKey, rotateSigningKey } from '../../../base/signing-keys/signing-keys.ts'
import { markRequestKeyRevoked } from '../../../base/signing-keys/store-requests.ts'
import { noteCommand } from '../command-line.ts'
import { StartError } from '../start-error.ts'

export const isSigningOrder = ([verb, ...more]: readonly string[]): boolean =>
  verb === undefined ||
  (verb === 'rotate' && more.length === 0) ||
  (verb === 'revoke' && more.length === 1)

type Books = { db: Db; secrets: Keyring }

export const listSigningKeys = ({ db }: Pick<Books, 'db'>): Promise<ListedKey[]> =>
  listAllKeys(db.reader)

/** Makes new signing keys, in use within a minute in every process. Signatures by the old ones stay valid. */
export async function rotate({ db, secrets }: Books, at: Date): Promise<ListedKey[]> {
  await db.write(async (tx) => {
    for (const rotateOne of [rotateSigningKey, rotateRequestKey]) {
      const kid = await rotateOne(tx, at, sealKeyOf(secrets))
      await noteCommand(tx, at, { act: 'signing_key.rotated', subject: kid })
    }
  })
  return listSigningKeys({ db })
}

/** Revokes a leaked key: its signatures become invalid. Throws a sentence. */
export async function revoke({ db, secrets }: Books, at: Date, kid: string): Promise<ListedKey[]> {
  const sealKey = sealKeyOf(secrets)
  const isRevoked = await db.write(async (tx) => {
    const found =
      (await revokeSigningKey(tx, at, { kid, sealKey })) ||
      (await markRequestKeyRevoked(tx, at, kid))
    if (found) await noteCommand(tx, at, { act: 'signing_key.revoked', subject: kid })
    return found
  })
  if (!isRevoked)
    throw new StartError(
      `There is no signing key ${kid} that is believed: purser signing-keys shows those that are.`,
    )
  return listSigningKeys({ db })
}

/** The keys for a person. */
export const signingKeysText = (keys: readonly ListedKey[]): string =>
  keys.length === 0
    ? 'No key has been made yet: the service makes one when it first signs.'
    : keys
        .map(
          (key) =>
            `  ${stateOf(key).padEnd(8)}  ${key.signs.padEnd(9)}  ${key.kid}  since ${sinceOf(key)}`,
        )
        .join('\n')

const sinceOf = ({ createdAt, retiredAt, revokedAt }: ListedKey): string =>
  (revokedAt ?? retiredAt ?? createdAt).toISOString()

/** The keys for a program. */
export const signingKeysJson = (keys: readonly ListedKey[]): string =>
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
