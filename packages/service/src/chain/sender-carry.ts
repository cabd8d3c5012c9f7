import type { Db } from '../db/sql.ts'
import { assert } from '../kernel/assert.ts'
import { reach } from '../kernel/fault-points.ts'
import { signAndOffer } from './sender-offer.ts'
import { findSendsById } from './sender-riders.ts'
import { assignRelayer, type SenderDeps } from './sender-sign.ts'
import { findSends, type SendState } from './sender-store.ts'

/** The send as it stands. */
export const findSend = async (deps: { db: Db }, ref: string): Promise<SendState | undefined> =>
  (await findSends(deps.db.reader, [ref]))[0]

/**
 * Brings a queued send to the chain: gives it a relayer's nonce, signs, stores the bytes, commits, then broadcasts.
 * Safe to repeat: what was signed before is broadcast again. One that rides in another's transaction is brought there by
 * that. False while every relayer is busy or out of gas: it stays queued.
 */
export async function broadcastSend(deps: SenderDeps, ref: string): Promise<boolean> {
  // Once for every relayer that may turn out to have no gas.
  for (let tries = 0; tries <= deps.chain.relayers.length; tries++) {
    const send = await findOwn(deps, ref)
    // A batch that its relayer could not pay for was taken apart.
    if (!send && tries > 0) return false
    assert(send, `send ${ref} was queued`)
    if (send.state === 'mined') return true
    // Another process may have given it one just now.
    const given = send.nonce === null ? await assignRelayer(deps, send) : send
    if (!given) return false
    if (await signAndOffer(deps, given)) return true
  }
  return false
}

/** As `broadcastSend`, of one that has just got its nonce. False if its relayer turns out to have no gas. */
export function offerGiven(deps: SenderDeps, given: SendState): Promise<boolean> {
  reach('chain.nonce_assigned')
  return signAndOffer(deps, given)
}

/** The send that has the transaction: itself, or the one that it rides in. */
async function findOwn(deps: SenderDeps, ref: string): Promise<SendState | undefined> {
  const send = await findSend(deps, ref)
  if (!send || send.batchId === null) return send
  return (await findSendsById(deps.db.reader, [send.batchId]))[0] ?? send
}
