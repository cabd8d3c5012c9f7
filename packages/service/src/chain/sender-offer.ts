import { reach } from '../kernel/fault-points.ts'
import { askChain, type Chain } from './chain.ts'
import { type Refusal, refusalOf } from './sender-errors.ts'
import { restRelayer } from './sender-gas.ts'
import { readHead, readRecentHead, wrongChain } from './sender-head.ts'
import { dissolve, isCarrier } from './sender-riders.ts'
import { type SenderDeps, signAttempt } from './sender-sign.ts'
import {
  type Attempt,
  dropFiller,
  findAttempts,
  findSends,
  isFiller,
  requeue,
  type SendState,
} from './sender-store.ts'

/** How often one offer is raised by an eighth until the node takes it. */
const RAISES = 8

/** Hands signed bytes to the network. Undefined where it took them; throws where it did not answer. */
const submit = (chain: Chain, raw: Buffer): Promise<Refusal | undefined> =>
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

/**
 * Broadcasts a signed send, raised where the node finds it too cheap. False if it lost its relayer, which is out of
 * gas: it is queued again.
 */
export async function offer(deps: SenderDeps, send: SendState): Promise<boolean> {
  let current = send
  for (let raises = 0; current.raw; raises++) {
    const refusal = await submit(deps.chain, current.raw)
    reach('chain.after_broadcast')
    if (refusal === 'wrong_chain') throw wrongChain(deps.chain, 'it refuses our chain id')
    if (refusal === 'no_gas') return leaveRelayer(deps, current)
    // What it knows or has counted is in the pool or in a block: receipts tell.
    if (refusal !== 'underpriced') return true
    if (raises === RAISES) {
      deps.log?.warn({ ref: send.ref, hash: current.hash }, 'the node finds a send too cheap')
      return true
    }
    const raised = await raise(deps, current)
    if (!raised) return true
    current = raised
  }
  return true
}

/** Signs a send again with higher fees under its nonce. Undefined if another process did, or its end was found. */
export async function raise(deps: SenderDeps, send: SendState): Promise<SendState | undefined> {
  const attempts = await findAttempts(deps.db.reader, [send.id])
  const before = attempts.filter((attempt) => isOf(attempt, send)).at(-1)
  const head = await readHead(deps.chain)
  const attempt = await signAttempt(deps, send, { head, before })
  if (!attempt) return undefined
  return { ...send, hash: attempt.hash, raw: attempt.raw }
}

/** Whether the attempt bears the nonce that the send has now. */
export const isOf = (attempt: Attempt, send: SendState): boolean =>
  attempt.relayer === send.relayer && attempt.nonce === send.nonce

/** A relayer without gas: it rests, somebody is told, and another takes the send. */
async function leaveRelayer(deps: SenderDeps, send: SendState): Promise<false> {
  const { relayer } = send
  if (relayer && (await restRelayer(deps, relayer)))
    deps.log?.error({ relayer }, 'a relayer is out of gas and rests: send it some')
  await deps.db.write(async (tx) => {
    if (isFiller(send)) return void (await dropFiller(tx, send.id))
    await requeue(tx, send)
    if (isCarrier(send)) await dissolve(tx, send.id)
  })
  return false
}

/** Signs what has a nonce and no signature, and broadcasts. False if it lost its relayer. */
export async function signAndOffer(deps: SenderDeps, send: SendState): Promise<boolean> {
  const signed = send.state === 'queued' ? await sign(deps, send) : send
  return signed?.state === 'signed' ? offer(deps, signed) : true
}

/** The send with its bytes: those that another process stored first, if one did. */
async function sign(deps: SenderDeps, send: SendState): Promise<SendState | undefined> {
  const attempt = await signAttempt(deps, send, { head: await readRecentHead(deps.chain) })
  if (attempt) return { ...send, state: 'signed', hash: attempt.hash, raw: attempt.raw }
  return (await findSends(deps.db.reader, [send.ref]))[0]
}
