import { createHmac } from 'node:crypto'
import { equalBytes, sha256 } from '../../../base/kernel/secrets.ts'
import type { CheckpointKey, CheckpointKeys } from '../../../base/signing-keys/checkpoint-keys.ts'

/** The end of a hash chain: its newest batch and the hash of that batch. */
export type ChainHead = { chain: number; seq: bigint; head: Buffer }
/**
 * The state of the books at one instant, under a MAC. `previous` is the MAC of the checkpoint before, so that no checkpoint
 * can be removed or inserted.
 */
export type Checkpoint = {
  seq: bigint
  chains: ChainHead[]
  /** The newest seal. `sealsHead` is the hash over all seals up to it. */
  seals: bigint
  sealsHead: Buffer
  previous: Buffer
  keyId: string
  mac: Buffer
  createdAt: Date
}
export type Unsigned = Omit<Checkpoint, 'keyId' | 'mac'>

export const FIRST_PREVIOUS = sha256('purser ledger checkpoints')
export const FIRST_SEALS_HEAD = sha256('purser seals')
export const genesisOf = (chain: number): Buffer => sha256(`purser ledger chain ${chain}`)

/** The hash over the seals so far and the next one. */
export const nextSealsHead = (head: Buffer, seal: { subject: string; digest: Buffer }): Buffer =>
  sha256(Buffer.concat([head, Buffer.from(seal.subject), seal.digest]))

export function signed(checkpoint: Unsigned, [current]: CheckpointKeys): Checkpoint {
  return { ...checkpoint, keyId: current.id, mac: macOf(checkpoint, current) }
}

export type Standing = 'good' | 'forged' | 'unknown key'

/** Whether one of the keys made the checkpoint. */
export function standingOf(checkpoint: Checkpoint, keys: CheckpointKeys): Standing {
  const key = keys.find(({ id }) => id === checkpoint.keyId)
  if (!key) return 'unknown key'
  return equalBytes(macOf(checkpoint, key), checkpoint.mac) ? 'good' : 'forged'
}

function macOf(checkpoint: Unsigned, { id, key }: CheckpointKey): Buffer {
  const { seq, chains, seals, sealsHead, previous, createdAt } = checkpoint
  const text = [
    `purser checkpoint ${seq}`,
    `at ${createdAt.toISOString()}`,
    `key ${id}`,
    `after ${previous.toString('hex')}`,
    `seals ${seals} ${sealsHead.toString('hex')}`,
    ...chains.map(({ chain, seq, head }) => `chain ${chain} ${seq} ${head.toString('hex')}`),
  ].join('\n')
  return createHmac('sha256', key).update(text).digest()
}
