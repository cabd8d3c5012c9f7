import type { Db, Tx } from '../../../base/db/sql.ts'
import type { CheckpointKeys } from '../../../base/signing-keys/checkpoint-keys.ts'
import {
  type Checkpoint,
  FIRST_PREVIOUS,
  FIRST_SEALS_HEAD,
  nextSealsHead,
  signed,
  standingOf,
} from './checkpoint.ts'
import {
  countSealsAfter,
  findCheckpointByMac,
  findLostHeads,
  findNewestCheckpoint,
  insertCheckpoint,
  insertSeals,
  lockCheckpoints,
  readHeads,
  takeQueue,
} from './store-checkpoints.ts'

/** The most seals in one checkpoint. A longer queue takes several checkpoints. */
const SEALS_MAX = 5_000

export type Sealed = { faults: string[]; newest: Checkpoint | undefined }
type Sealing = {
  keys: CheckpointKeys
  /** A checkpoint that this process has seen. It must still exist. */
  seen?: Checkpoint | undefined
  /** Whether the key of the newest checkpoint is lost for good, so that the next one vouches for it. */
  isKeyLost?: boolean
}

/**
 * Empties the queue of seals and signs the heads of all chains in a new checkpoint. Writes nothing if nothing moved. If it
 * finds faults it answers them and seals nothing, because a checkpoint must not confirm altered books.
 */
export async function sealBooks(db: Db, at: Date, how: Sealing): Promise<Sealed> {
  for (;;) {
    const { isDone, ...sealed } = await db.write((tx) => sealOnce(tx, at, how))
    if (isDone) return sealed
  }
}

async function sealOnce(
  tx: Tx,
  at: Date,
  { keys, seen, isKeyLost = false }: Sealing,
): Promise<Sealed & { isDone: boolean }> {
  await lockCheckpoints(tx)
  const last = await findNewestCheckpoint(tx)
  const faults = [
    ...(seen ? await setBack(tx, seen) : []),
    ...(last ? await faultsSince(tx, last, { keys, isKeyLost }) : []),
  ]
  if (faults.length > 0) return { faults, newest: last, isDone: true }
  const queue = await takeQueue(tx, SEALS_MAX)
  const before = last?.seals ?? 0n
  const seals = queue.map((seal, i) => ({ ...seal, seq: before + BigInt(i) + 1n }))
  if (seals.length > 0) await insertSeals(tx, seals)
  const chains = await readHeads(tx)
  const hasMoved =
    seals.length > 0 ||
    chains.some(
      ({ chain, seq }) => seq !== (last?.chains.find((c) => c.chain === chain)?.seq ?? 0n),
    )
  const isDone = queue.length < SEALS_MAX
  if (!hasMoved) return { faults, newest: last, isDone }
  const newest = signed(
    {
      seq: (last?.seq ?? 0n) + 1n,
      chains,
      seals: before + BigInt(seals.length),
      sealsHead: seals.reduce(nextSealsHead, last?.sealsHead ?? FIRST_SEALS_HEAD),
      previous: last?.mac ?? FIRST_PREVIOUS,
      createdAt: at,
    },
    keys,
  )
  await insertCheckpoint(tx, newest)
  return { faults, newest, isDone }
}

/** A fault if the checkpoint that this process has seen is gone. */
async function setBack(tx: Tx, seen: Checkpoint): Promise<string[]> {
  return (await findCheckpointByMac(tx, seen.mac))
    ? []
    : [
        `checkpoint ${seen.seq} of ${seen.createdAt.toISOString()} is gone: the database was set back`,
      ]
}

/** Signs that the books were changed since the newest checkpoint. Only `verify` reads all of the books. */
async function faultsSince(
  tx: Tx,
  last: Checkpoint,
  { keys, isKeyLost }: { keys: CheckpointKeys; isKeyLost: boolean },
): Promise<string[]> {
  const standing = standingOf(last, keys)
  const isPassed = isKeyLost && standing === 'unknown key'
  if (standing !== 'good' && !isPassed) return [checkpointFault(last, standing)]
  const lost = await findLostHeads(tx, last.chains)
  const added = await countSealsAfter(tx, last.seals)
  return [
    ...lost.map(
      ({ chain, seq }) =>
        `chain ${chain}: batch ${seq}, which checkpoint ${last.seq} sealed, is missing or was altered`,
    ),
    ...(added > 0n ? [`${added} seals are in no checkpoint`] : []),
  ]
}

export const checkpointFault = (
  { seq, keyId }: Pick<Checkpoint, 'seq' | 'keyId'>,
  standing: 'forged' | 'unknown key',
): string =>
  standing === 'forged'
    ? `checkpoint ${seq} was forged or altered: its MAC is not that of key ${keyId}`
    : `checkpoint ${seq} was made with key ${keyId}, which this service does not have: list its secret in PURSER_LEDGER_SECRETS`
