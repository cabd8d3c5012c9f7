import { BaseError } from 'viem'
import { reach } from '../../../base/kernel/fault-points.ts'
import { askChain, type Chain } from '../../client/chain.ts'
import { readHead, wrongChain } from '../../client/head.ts'
import { dissolveBatch, isBatch } from '../batch/store.ts'
import { restRelayer } from '../gas/relayer-gas.ts'
import { readRecentCounts } from '../head.ts'
import type { Relay } from '../relay.ts'
import { signAttempt } from '../sign.ts'
import {
  type Attempt,
  dropFiller,
  findAttempts,
  findSends,
  isFiller,
  requeue,
  type SendState,
} from '../store.ts'

/** How often one submission is raised by an eighth until the node takes it. */
const RAISES = 8

/** Signs a send that has a nonce and no signature, and broadcasts it. False if it lost its relayer. */
export async function signAndSubmit(relay: Relay, send: SendState): Promise<boolean> {
  const signed = send.state === 'queued' ? await sign(relay, send) : send
  return signed?.state === 'signed' ? submitSigned(relay, signed) : true
}

/** The send with its signed bytes: another process's, if that process stored its bytes first. */
async function sign(relay: Relay, send: SendState): Promise<SendState | undefined> {
  const attempt = await signAttempt(relay, send, { head: await readRecentCounts(relay) })
  if (attempt) return { ...send, state: 'signed', hash: attempt.hash, raw: attempt.raw }
  return (await findSends(relay.db.reader, [send.ref]))[0]
}

/**
 * Broadcasts a signed send, and raises its fees while the node finds it too cheap. False if its relayer is out of gas:
 * then the send is queued again.
 */
async function submitSigned(relay: Relay, send: SendState): Promise<boolean> {
  let current = send
  for (let raises = 0; current.raw; raises++) {
    const refusal = await broadcast(relay.chain, current.raw)
    reach('chain.after_broadcast')
    if (refusal === 'wrong_chain') throw wrongChain(relay.chain, 'it refuses our chain id')
    if (refusal === 'no_gas') return leaveRelayer(relay, current)
    // `known` and `nonce_used`: it is in the pool or in a block, and its receipt will show it.
    if (refusal !== 'underpriced') return true
    if (raises === RAISES) {
      relay.log?.warn({ ref: send.ref, hash: current.hash }, 'the node finds a send too cheap')
      return true
    }
    const raised = await raise(relay, current)
    if (!raised) return true
    current = raised
  }
  return true
}

/** Undefined if the node took the bytes. Throws if it did not answer. */
const broadcast = (chain: Chain, raw: Buffer): Promise<Refusal | undefined> =>
  askChain(async () => {
    try {
      await chain.rpc.sendRawTransaction({ serializedTransaction: `0x${raw.toString('hex')}` })
      return undefined
    } catch (error) {
      const refusal = refusalOf(error)
      if (!refusal) throw error
      return refusal
    }
  })

/** Signs a send again under its nonce, with higher fees. Undefined if another process did, or it is mined by now. */
export async function raise(relay: Relay, send: SendState): Promise<SendState | undefined> {
  const attempts = await findAttempts(relay.db.reader, [send.id])
  const before = attempts.filter((attempt) => isOf(attempt, send)).at(-1)
  const head = await readHead(relay.chain)
  const attempt = await signAttempt(relay, send, { head, before })
  if (!attempt) return undefined
  return { ...send, hash: attempt.hash, raw: attempt.raw }
}

/** Whether the attempt has the nonce that the send has now. */
export const isOf = (attempt: Attempt, send: SendState): boolean =>
  attempt.relayer === send.relayer && attempt.nonce === send.nonce

/** Rests a relayer that has no gas, and queues its send again for another relayer. */
async function leaveRelayer(relay: Relay, send: SendState): Promise<false> {
  const { relayer } = send
  if (relayer && (await restRelayer(relay, relayer)))
    relay.log?.error({ relayer }, 'a relayer is out of gas and rests: send it some')
  await relay.db.write(async (tx) => {
    if (isFiller(send)) return void (await dropFiller(tx, send.id))
    await requeue(tx, send)
    if (isBatch(send)) await dissolveBatch(tx, send.id)
  })
  return false
}

/** The meaning of a node's refusal of a signed transaction. */
export type Refusal =
  /** It has the transaction already. */
  | 'known'
  /** Its nonce is used: by one of our attempts, or by something else. */
  | 'nonce_used'
  /** The relayer cannot pay for it. */
  | 'no_gas'
  /** Its fees are too low for the block, or to replace the attempt that the node holds. */
  | 'underpriced'
  /** The node serves another chain. */
  | 'wrong_chain'

// First match wins. Words of geth, reth, op-geth and anvil.
const REFUSALS: readonly [RegExp, Refusal][] = [
  [/already known|already imported|known transaction|already in the mempool/i, 'known'],
  [/nonce too low|nonce is too low|nonce has already been used/i, 'nonce_used'],
  [/insufficient funds|insufficient balance|not enough funds/i, 'no_gas'],
  [
    /underpriced|less than block base fee|lower than (the )?block base fee|fee too low/i,
    'underpriced',
  ],
  [/chain.?id|invalid signer/i, 'wrong_chain'],
]

/** Reads the refusal out of what the RPC said; undefined for anything else, such as silence. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof Error)) return undefined
  // viem's message quotes the request too, so the node's own words come first.
  const text = error instanceof BaseError ? error.details : error.message
  return REFUSALS.find(([pattern]) => pattern.test(text))?.[1]
}
