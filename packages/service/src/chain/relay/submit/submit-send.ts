import { assert } from '../../../base/kernel/assert.ts'
import { reach } from '../../../base/kernel/fault-points.ts'
import { findSendsById } from '../batch/store.ts'
import { assignRelayer } from '../nonce.ts'
import type { Relay } from '../relay.ts'
import { findSends, type SendState } from '../store.ts'
import { signAndSubmit } from './submit-signed.ts'

/**
 * Submits a queued send: assigns a relayer's nonce, signs, stores the bytes, commits, then broadcasts. Safe to repeat:
 * a send that was signed before is broadcast again. For a batch item it submits the batch. False while every relayer is
 * busy or out of gas: the send stays queued.
 */
export async function submitSend(relay: Relay, ref: string): Promise<boolean> {
  // One try more than there are relayers, as each of them may turn out to have no gas.
  for (let tries = 0; tries <= relay.chain.relayers.length; tries++) {
    const send = await findTransaction(relay, ref)
    // A batch that its relayer could not pay for was dissolved.
    if (!send && tries > 0) return false
    assert(send, `send ${ref} was queued`)
    if (send.state === 'mined') return true
    // Another process may have assigned a nonce just now.
    const assigned = send.nonce === null ? await assignRelayer(relay, send) : send
    if (!assigned) return false
    if (await signAndSubmit(relay, assigned)) return true
  }
  return false
}

/** As `submitSend`, for a send that has just got its nonce. False if its relayer turns out to have no gas. */
export function submitAssigned(relay: Relay, assigned: SendState): Promise<boolean> {
  reach('chain.nonce_assigned')
  return signAndSubmit(relay, assigned)
}

/** The send that has the transaction: the send itself, or its batch. */
async function findTransaction({ db }: Relay, ref: string): Promise<SendState | undefined> {
  const [send] = await findSends(db.reader, [ref])
  if (!send || send.batchId === null) return send
  return (await findSendsById(db.reader, [send.batchId]))[0] ?? send
}
