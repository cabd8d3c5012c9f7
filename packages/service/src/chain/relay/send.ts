import type { Hex } from 'viem'
import type { Db, Tx } from '../../base/db/sql.ts'
import { enqueueOne } from '../../base/jobs/queue.ts'
import { defineSingleTask } from '../../base/jobs/task.ts'
import type { Address } from '../../base/kernel/assets.ts'
import { newId } from '../../base/kernel/ids.ts'
import type { TransferLogAt } from '../client/reads.ts'
import { lookForReceipts } from './receipts.ts'
import type { Relay } from './relay.ts'
import { deleteQueued, findSends, insertQueued, type SendState } from './store.ts'
import { waitForSend } from './wait/wait-for-send.ts'

export type { SendState } from './store.ts'

/**
 * A call that a relayer submits to the chain; the relayer pays the gas and nothing else. After a crash it may be
 * submitted more than once, so its data must act only once, as an EIP-3009 authorization does.
 */
export type Send = {
  ref: string
  to: Address
  data: Hex
  gas: bigint
  /** The one relayer whose account the called contract obeys; any relayer sends it if not given. */
  onlyRelayer?: Address | undefined
  /** Whether it is submitted only by those who wait for it, since a call that succeeds may still do less than it should. */
  isOwners?: boolean | undefined
}

export const maintainTask = defineSingleTask('maintain_sends')
const MAINTAIN_SECONDS = 3

/** Stores the send, once for each `ref`, in the caller's transaction. Nothing is submitted yet. */
export const queueSend = (tx: Tx, at: Date, send: Send): Promise<void> => queueSends(tx, at, [send])

/** As `queueSend`, for many at once. */
export async function queueSends(tx: Tx, at: Date, sends: readonly Send[]): Promise<void> {
  if (sends.length === 0) return
  insertQueued(
    tx,
    at,
    sends.map((send) => ({ ...send, id: newId('snd', at), batchId: null })),
  )
  await maintainSoon(tx)
}

/** Takes back a send that has no transaction yet. False if it has a nonce, is in a batch, or is gone. */
export const withdrawSend = async (tx: Tx, ref: string): Promise<boolean> =>
  (await deleteQueued(tx, ref)) === 1

/** Enqueues the job that maintains unfinished sends. */
export const maintainSoon = (tx: Tx): Promise<void> =>
  enqueueOne(tx, maintainTask, MAINTAIN_SECONDS)

/** The send as the database has it. */
export const findSend = async ({ db }: { db: Db }, ref: string): Promise<SendState | undefined> =>
  (await findSends(db.reader, [ref]))[0]

/** The hash of the send's transaction, if a block holds it. */
export async function findMinedHash(relay: { db: Db }, ref: string): Promise<Hex | undefined> {
  const send = await findSend(relay, ref)
  return (send?.state === 'mined' && send.hash) || undefined
}

/** The log of the send's first authorization, as the relay read it with the block. */
export function transferLogOf({
  hash,
  logIndexes,
}: Pick<SendState, 'hash' | 'logIndexes'>): TransferLogAt | undefined {
  const [logIndex] = logIndexes ?? []
  return hash === null || typeof logIndex !== 'number' ? undefined : { txHash: hash, logIndex }
}

/** Looks for the send's receipt once and stores it. Undefined while no block holds the send. */
export async function checkSend(relay: Relay, ref: string): Promise<SendState | undefined> {
  const send = await findSend(relay, ref)
  if (send?.state === 'mined') return send
  if (!send || (await lookForReceipts(relay, [send])).size === 0) return undefined
  const mined = await findSend(relay, ref)
  return mined?.state === 'mined' ? mined : undefined
}

/**
 * Submits the send and waits until a block holds it, at most `timeoutMs`; undefined if none did by then. All callers of
 * a process share one poll of the chain, and transactions where possible. Throws `chain_unavailable` if every relayer is
 * out of gas: the send stays queued.
 */
export async function sendAndWait(
  relay: Relay,
  ref: string,
  timeoutMs: number,
): Promise<SendState | undefined> {
  const waited = await waitForSend(relay, { ref, timeoutMs })
  return 'send' in waited ? waited.send : undefined
}
