import { deriveKey, sha256Hex } from '../kernel/secrets.ts'
import type { Keyring } from './keyring.ts'

/** A key that authenticates checkpoints of the books. `id` names the key without revealing it. */
export type CheckpointKey = { id: string; key: Buffer }
/** The first makes new checkpoints. The others still verify old ones. */
export type CheckpointKeys = readonly [current: CheckpointKey, ...previous: CheckpointKey[]]

/** The keys of these secrets, in the same order. */
export const checkpointKeysOf = (secrets: Keyring): CheckpointKeys =>
  secrets.each((secret) => fromKey(deriveKey(secret, 'ledger checkpoints')))

const fromKey = (key: Buffer): CheckpointKey => ({ id: sha256Hex(key).slice(0, 16), key })

/** Packs the keys for another process of the service. Send them only over a private channel. */
export const packCheckpointKeys = (keys: CheckpointKeys): string[] =>
  keys.map(({ key }) => key.toString('base64'))

export function unpackCheckpointKeys(packed: readonly string[]): CheckpointKeys {
  const [current, ...previous] = packed.map((text) => fromKey(Buffer.from(text, 'base64')))
  if (!current) throw new Error('a checkpoint key is needed')
  return [current, ...previous]
}
