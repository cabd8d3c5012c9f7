import type { Tx } from '../../../base/db/sql.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import type { SealKeys } from '../../../base/kernel/secrets.ts'
import { importKey, readPublicJwk, thumbprintOf } from '../../../base/protocols/ap2/jose/keys.ts'
import type { JsonObject } from '../../../base/protocols/json.ts'
import { newKeyPair } from '../../../base/signing-keys/key-pair.ts'
import { readField } from '../read-field.ts'
import { type CardKey, insertCardKey, type KeyRole, listCardKeys } from './store.ts'

/** A mandate without a `kid` is tried with each of them. */
const USER_KEYS_MAX = 10
const AGENT_KEYS_MAX = 100
const HELD_LABEL = 'kept by the service'

/**
 * Registers a public key on a locked card. A key has one role for good: an agent's key that could sign for the user would
 * have no limits. Registering a key again in its role changes nothing.
 */
export async function registerKey(
  tx: Tx,
  at: Date,
  order: { cardId: string; jwk: JsonObject; role: KeyRole; label: string },
): Promise<CardKey> {
  const { cardId, role, label } = order
  const jwk = readField('jwk', () => {
    const read = readPublicJwk(order.jwk)
    importKey(read)
    return read
  })
  const kid = thumbprintOf(jwk)
  const keys = await listCardKeys(tx, cardId)
  const known = keys.find((key) => key.kid === kid)
  if (known?.revokedAt)
    throw new Problem('invalid_state', 'This key was revoked on this card. Register a new one.')
  if (known?.role === role) return known
  if (known)
    throw new Problem(
      'invalid_state',
      `This key is registered on this card as an ${known.role} key; a key has one role. Register another one.`,
    )
  const active = keys.filter((key) => key.role === role && !key.revokedAt && !key.sealed).length
  const most = role === 'user' ? USER_KEYS_MAX : AGENT_KEYS_MAX
  if (active >= most)
    throw new Problem(
      'invalid_state',
      `A card has at most ${most} active ${role} keys. Revoke one before you register another.`,
    )
  const key = { cardId, kid, role, jwk, label, sealed: null, createdAt: at }
  await insertCardKey(tx, key)
  return { ...key, revokedAt: null }
}

/** The agent key that the service keeps for a card, made when first needed. The card is locked. */
export async function heldAgentKey(
  tx: Tx,
  at: Date,
  { cardId, sealKey }: { cardId: string; sealKey: SealKeys },
): Promise<CardKey> {
  const held = (await listCardKeys(tx, cardId)).find((key) => key.sealed && !key.revokedAt)
  if (held) return held
  const key = {
    ...newKeyPair(sealKey),
    cardId,
    role: 'agent' as const,
    label: HELD_LABEL,
    createdAt: at,
  }
  await insertCardKey(tx, key)
  return { ...key, revokedAt: null }
}
