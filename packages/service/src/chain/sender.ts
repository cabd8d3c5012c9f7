import type { Hex } from 'viem'
import { run, sql, type Tx } from '../db/sql.ts'
import { enqueueOne } from '../jobs/queue.ts'
import type { Address } from '../kernel/assets.ts'
import { newId } from '../kernel/ids.ts'
import { findSend } from './sender-carry.ts'
import { lookForReceipts } from './sender-receipts.ts'
import type { SenderDeps } from './sender-sign.ts'
import { insertQueued, type SendState } from './sender-store.ts'
import { waitForSend } from './sender-watch.ts'

export type { SendState } from './sender-store.ts'

/**
 * A call that a relayer carries to the chain: it pays the gas and nothing else. Where relayers fail it may be sent
 * more than once, so its data must act once all the same, as an EIP-3009 authorization does.
 */
export type Send = { ref: string; to: Address; data: Hex; gas: bigint }

export const TEND_TASK = 'tend_sends'
const TEND_SECONDS = 3

/** Writes the send down, once per cause, in the transaction that decides it. Nothing reaches the network yet. */
export const queueSend = (tx: Tx, at: Date, send: Send): Promise<void> => queueSends(tx, at, [send])

/** As `queueSend`, for many at once. */
export async function queueSends(tx: Tx, at: Date, sends: readonly Send[]): Promise<void> {
  if (sends.length === 0) return
  insertQueued(
    tx,
    at,
    sends.map((send) => ({ ...send, id: newId('snd', at), batchId: null })),
  )
  await tendSoon(tx)
}

/** Takes back a send that nobody carries yet. False where it has a nonce, rides with others, or is gone. */
export const withdrawSend = async (tx: Tx, ref: string): Promise<boolean> =>
  (await run(
    tx,
    sql`delete from chain_sends where ref = ${ref} and state = 'queued' and nonce is null and batch_id is null`,
  )) === 1

/** Sees to it that a job looks after the sends. */
export const tendSoon = (tx: Tx): Promise<void> => enqueueOne(tx, TEND_TASK, TEND_SECONDS)

/** Looks for the send's receipt once and writes the result down. Undefined while no block holds it. */
export async function checkSend(deps: SenderDeps, ref: string): Promise<SendState | undefined> {
  const send = await findSend(deps, ref)
  if (send?.state === 'mined') return send
  if (!send || (await lookForReceipts(deps, [send])).size === 0) return undefined
  const mined = await findSend(deps, ref)
  return mined?.state === 'mined' ? mined : undefined
}

/**
 * Sees that the send is broadcast and waits until a block holds it, at most `timeoutMs`; undefined if none did by then.
 * Everybody who waits in one process shares one poll of the chain, and transactions where they can. Throws
 * `chain_unavailable` where every relayer is out of gas: the send stays queued.
 */
export async function sendAndWait(
  deps: SenderDeps,
  ref: string,
  timeoutMs: number,
): Promise<SendState | undefined> {
  const waited = await waitForSend(deps, { ref, timeoutMs })
  return 'send' in waited ? waited.send : undefined
}
