import type { Hex } from 'viem'
import { type Db, one, sql, type Tx } from '../db/sql.ts'
import { enqueue } from '../jobs/queue.ts'
import { assert } from '../kernel/assert.ts'
import type { Address } from '../kernel/assets.ts'
import { newId } from '../kernel/ids.ts'
import { Problem } from '../kernel/problem.ts'
import { isOutOfGas } from './sender-gas.ts'
import { signAndOffer } from './sender-offer.ts'
import { lookForReceipts } from './sender-receipts.ts'
import { assignRelayer, type SenderDeps } from './sender-sign.ts'
import { findSends, type SendState } from './sender-store.ts'
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
export async function queueSend(tx: Tx, at: Date, send: Send): Promise<void> {
  await sql`insert into chain_sends (id, ref, to_address, data, gas, created_at)
    values (${newId('snd', at)}, ${send.ref}, ${send.to}, ${Buffer.from(send.data.slice(2), 'hex')}, ${send.gas}, ${at})
    on conflict (ref) do nothing`.execute(tx)
  await tendSoon(tx)
}

/** Sees to it that a job looks after the sends. One that waits is left as it is: it would be a lock on every payment. */
export async function tendSoon(tx: Tx): Promise<void> {
  const waits = await one(
    tx,
    sql`select 1 from graphile_worker.jobs where key = ${TEND_TASK} and locked_at is null`,
  )
  if (!waits) await enqueue(tx, TEND_TASK, {}, { key: TEND_TASK, delaySeconds: TEND_SECONDS })
}

/** The send as it stands. */
export const findSend = async (deps: { db: Db }, ref: string): Promise<SendState | undefined> =>
  (await findSends(deps.db.reader, [ref]))[0]

/**
 * Brings a queued send to the chain: gives it a relayer's nonce, signs, stores the bytes, commits, then broadcasts.
 * Safe to repeat: what was signed before is broadcast again. False while every relayer is busy or out of gas: it stays
 * queued.
 */
export async function broadcastSend(deps: SenderDeps, ref: string): Promise<boolean> {
  // Once for every relayer that may turn out to have no gas.
  for (let tries = 0; tries <= deps.chain.relayers.length; tries++) {
    let send = await findSend(deps, ref)
    assert(send, `send ${ref} was queued`)
    if (send.state === 'mined') return true
    if (send.nonce === null) {
      if (!(await assignRelayer(deps, send))) return false
      send = await findSend(deps, ref)
      assert(send, `send ${ref} stays`)
    }
    if (await signAndOffer(deps, send)) return true
  }
  return false
}

/** Looks for the send's receipt once and writes the result down. Undefined while no block holds it. */
export async function checkSend(deps: SenderDeps, ref: string): Promise<SendState | undefined> {
  const send = await findSend(deps, ref)
  if (send?.state === 'mined') return send
  if (!send || (await lookForReceipts(deps, [send])).size === 0) return undefined
  const mined = await findSend(deps, ref)
  return mined?.state === 'mined' ? mined : undefined
}

/**
 * Broadcasts the send and waits until a block holds it, at most `timeoutMs`; undefined if none did by then. Everybody
 * who waits in one process shares one poll of the chain. Throws `chain_unavailable` where every relayer is out of gas:
 * the send stays queued.
 */
export async function sendAndWait(
  deps: SenderDeps,
  ref: string,
  timeoutMs: number,
): Promise<SendState | undefined> {
  const send = await findSend(deps, ref)
  if (send?.state === 'mined') return send
  if (!(await broadcastSend(deps, ref)) && (await isOutOfGas(deps)))
    throw new Problem('chain_unavailable', 'The chain did not answer. Try again in a moment.', {
      cause: new Error('every relayer is out of gas'),
    })
  return waitForSend(deps, { ref, timeoutMs, carry: broadcastSend })
}
