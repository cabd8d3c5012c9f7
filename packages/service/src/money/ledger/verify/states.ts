/** The state that an incremental check goes on from, kept in the database under a MAC. */
import { createHmac } from 'node:crypto'
import { isRefusedRow, type Reader, sqlState } from '../../../base/db/sql.ts'
import { equalBytes, sha256 } from '../../../base/kernel/secrets.ts'
import type { CheckpointKey, CheckpointKeys } from '../../../base/signing-keys/checkpoint-keys.ts'
import type { Note } from '../fault.ts'
import { type Checkpoint, standingOf } from '../seals/checkpoint.ts'
import { findCheckpointByMac, findLostHeads } from '../seals/store-checkpoints.ts'
import {
  clearState,
  deleteStatesBut,
  findStatePages,
  findVerifiedState,
  insertStatePage,
  insertVerifiedState,
  tryLockStates,
  unlockStates,
  type VerifiedState,
} from './store-states.ts'
import { addPage, emptyTallies, readPages, shapeOf, type Tally } from './tallies.ts'

/** Pages that are read at once. */
const PAGES = 20
const FIRST_DIGEST = sha256('purser verified state')
/** The role may only read, or the server takes no writes. */
const MAY_NOT_WRITE = ['42501', '25006']

/** The digest over one more page. */
export const nextDigest = (digest: Buffer, tally: Tally, content: string): Buffer =>
  sha256(Buffer.concat([digest, Buffer.from(`${tally.name}\n`), sha256(content)]))

function macOf(state: Omit<VerifiedState, 'mac'>, { id, key }: CheckpointKey): Buffer {
  const text = [
    `purser verified state at checkpoint ${state.checkpoint} ${state.checkpointMac.toString('hex')}`,
    `key ${id}`,
    `shape ${state.shape.toString('hex')}`,
    `transfers ${state.transfers}`,
    `lines ${state.lines} ${state.digest.toString('hex')}`,
  ].join('\n')
  return createHmac('sha256', key).update(text).digest()
}

type Kept = { keys: CheckpointKeys; tallies: readonly Tally[] }
/** Where a check goes on: all up to the heads of this checkpoint was in order. */
export type Base = { checkpoint: Checkpoint; transfers: number; lines: bigint }

/**
 * Fills the tallies from the newest state. Undefined if there is none to go on from; a fault is noted if somebody changed
 * it, or set back or replaced the database since. The tallies are empty then.
 */
export async function takeState(on: Reader, how: Kept & { note: Note }): Promise<Base | undefined> {
  const { keys, tallies, note } = how
  const state = await findVerifiedState(on)
  const key = keys.find(({ id }) => id === state?.keyId)
  if (!key || !state?.shape.equals(shapeOf(tallies))) return undefined
  const refuse = (why: string) => {
    note(
      'state',
      `the verified state at checkpoint ${state.checkpoint} ${why}: all was checked from the first batch on`,
    )
    return undefined
  }
  if (!equalBytes(macOf(state, key), state.mac)) return refuse('was forged or altered')
  const checkpoint = await findCheckpointByMac(on, state.checkpointMac)
  if (!checkpoint) return refuse('follows a checkpoint that is gone')
  const standing = standingOf(checkpoint, keys)
  if (standing === 'unknown key') return undefined
  if (standing === 'forged' || checkpoint.seq !== state.checkpoint)
    return refuse('follows a checkpoint that was forged or altered')
  if (!(await addPages(on, state, tallies))) {
    await emptyTallies(on, tallies)
    // Another check may have written a newer one meanwhile, and removed this one.
    const newest = await findVerifiedState(on)
    if (newest && !newest.mac.equals(state.mac)) return takeState(on, how)
    return refuse('has pages that were altered')
  }
  for (const { chain, seq } of await findLostHeads(on, checkpoint.chains))
    note(
      'checkpoint',
      `chain ${chain}: batch ${seq}, which checkpoint ${checkpoint.seq} sealed, is missing or was altered`,
    )
  return { checkpoint, transfers: Number(state.transfers), lines: state.lines }
}

/** Adds up the pages of the state. Answers whether they are those that it was signed with. */
async function addPages(
  on: Reader,
  { checkpoint, digest }: VerifiedState,
  tallies: readonly Tally[],
): Promise<boolean> {
  let found = FIRST_DIGEST
  try {
    for (const tally of tallies)
      for (let after: number | undefined = 0; after !== undefined; ) {
        const pages = await findStatePages(on, { checkpoint, tally: tally.name, after }, PAGES)
        for (const { content } of pages) {
          found = nextDigest(found, tally, content)
          await addPage(on, tally, content)
        }
        after = pages.length < PAGES ? undefined : pages.at(-1)?.page
      }
  } catch (error) {
    if (isRefusedRow(error)) return false
    throw error
  }
  return found.equals(digest)
}

/** A state whose pages are written. It counts once it is signed. */
export type Draft = {
  sign(): Promise<void>
  /** To be called at the end in any case. */
  close(): Promise<void>
}
type Drafted = Kept & {
  checkpoint: Checkpoint
  transfers: number
  /** Waits between two pages. */
  rest(): Promise<void>
}

/**
 * Writes what the tallies hold now, which is everything up to the heads of the checkpoint. Undefined if there is such a
 * state, if another process writes one, or if the database may not be written.
 */
export async function draftState(on: Reader, of: Drafted): Promise<Draft | undefined> {
  const { checkpoint, keys } = of
  if (!(await tryLockStates(on))) return undefined
  const close = () => unlockStates(on)
  try {
    const newest = await findVerifiedState(on)
    if (newest && newest.checkpoint >= checkpoint.seq && isCurrent(newest, of)) {
      await close()
      return undefined
    }
    await clearState(on, checkpoint.seq)
    const unsigned = {
      checkpoint: checkpoint.seq,
      checkpointMac: checkpoint.mac,
      shape: shapeOf(of.tallies),
      transfers: BigInt(of.transfers),
      ...(await writePages(on, of)),
      keyId: keys[0].id,
    }
    return {
      async sign() {
        await insertVerifiedState(on, { ...unsigned, mac: macOf(unsigned, keys[0]) })
        await deleteStatesBut(on, checkpoint.seq)
      },
      close,
    }
  } catch (error) {
    await close().catch(() => undefined)
    if (MAY_NOT_WRITE.includes(sqlState(error) ?? '')) return undefined
    throw error
  }
}

const isCurrent = (state: VerifiedState, { keys: [key], tallies }: Kept): boolean =>
  state.shape.equals(shapeOf(tallies)) && equalBytes(macOf(state, key), state.mac)

async function writePages(
  on: Reader,
  { tallies, checkpoint: { seq: checkpoint }, rest }: Drafted,
): Promise<{ digest: Buffer; lines: bigint }> {
  let [digest, lines] = [FIRST_DIGEST, 0n]
  for (const tally of tallies) {
    let page = 0
    for await (const { content, lines: more } of readPages(on, tally)) {
      page++
      await insertStatePage(on, { checkpoint, tally: tally.name }, { page, content })
      digest = nextDigest(digest, tally, content)
      lines += BigInt(more)
      await rest()
    }
  }
  return { digest, lines }
}
