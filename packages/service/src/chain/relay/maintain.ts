import type { Address } from '../../base/kernel/assets.ts'
import { addHours, addSeconds } from '../../base/kernel/clock.ts'
import { reach } from '../../base/kernel/fault-points.ts'
import { newId } from '../../base/kernel/ids.ts'
import { readBlock } from '../client/reads.ts'
import { simulateSend } from '../client/simulate.ts'
import { isBatch } from './batch/store.ts'
import { wakeRelayers } from './gas/relayer-gas.ts'
import { type CountedHead, readNewCounts } from './head.ts'
import { lookForReceipts } from './receipts.ts'
import type { Relay } from './relay.ts'
import {
  type Attempt,
  dropFiller,
  findAttempts,
  findInFlight,
  findQueued,
  findSends,
  hasUnended,
  insertFiller,
  isFiller,
  lockGaps,
  MAX_IN_FLIGHT,
  requeue,
  type SendState,
  storePassed,
} from './store.ts'
import { submitSend } from './submit/submit-send.ts'
import { submitSends } from './submit/submit-sends.ts'
import { isOf, raise, signAndSubmit } from './submit/submit-signed.ts'

/** The caller that queued a send submits it itself for so many seconds. */
const QUEUED_SECONDS = 10
/** A send queued for longer, in hours, has an authorization that is over, or a job of its own. */
const QUEUED_HOURS = 48
const QUEUED_AT_ONCE = 500
/** Wei per gas. If this tip did not help, a higher one will not either. */
const TIP_CAP = 5_000_000_000n

type Round = { head: CountedHead; safe: bigint }

/**
 * Maintains every send that has not ended: stores results until their blocks are safe, broadcasts again what the network
 * dropped, signs stuck transactions again with higher fees, replaces lost nonces, fills gaps, and submits what its
 * caller left. True while something is left to maintain. Safe to run twice and at once.
 */
export async function maintainSends(relay: Relay, at: Date): Promise<boolean> {
  const { chain, db } = relay
  const round = await lookAtChain(relay)
  await wakeRelayers(relay)
  const queued = await findQueued(db.reader, {
    from: addHours(at, -QUEUED_HOURS),
    to: addSeconds(at, -QUEUED_SECONDS),
    limit: QUEUED_AT_ONCE,
  })
  await lookForReceipts(relay, [...(await findInFlight(db.reader)), ...queued], round.safe)
  for (const { address } of chain.relayers) await fillGaps(relay, at, { address, round })

  const unmined = (await findInFlight(db.reader)).filter(({ state }) => state !== 'mined')
  const attempts = await findAttempts(
    db.reader,
    unmined.map(({ id }) => id),
  )
  const results = await Promise.allSettled(
    unmined.map((send) =>
      maintainOne(relay, send, { round, attempts: attempts.filter((a) => a.sendId === send.id) }),
    ),
  )
  // All were tried: one failure does not stop the others.
  for (const result of results) if (result.status === 'rejected') throw result.reason
  await submitQueued(relay, queued)
  return hasUnended(db.reader, addHours(at, -1))
}

/** Reads the counts first, so that the receipts read later are at least as new. */
async function lookAtChain(relay: Relay): Promise<Round> {
  const head = await readNewCounts(relay)
  const { number: safe } = await readBlock(relay.chain, 'safe')
  return { head, safe }
}

async function maintainOne(
  relay: Relay,
  send: SendState,
  { round, attempts }: { round: Round; attempts: Attempt[] },
): Promise<void> {
  const count = send.relayer === null ? undefined : round.head.counts.get(send.relayer)
  // The key of this relayer is no longer here: only its receipts can be looked for.
  if (count === undefined || send.nonce === null) return
  if (send.nonce < count) return maintainPassed(relay, send, round)
  if (send.passedBlock !== null) await relay.db.write((tx) => storePassed(tx, send.id, null))
  const newest = attempts.filter((attempt) => isOf(attempt, send)).at(-1)
  // Signed since the last block: the process that signed it is broadcasting it.
  if (newest && newest.atBlock >= round.head.number) return
  const replaced =
    newest && isStuck(relay, { newest, round, isNext: send.nonce === BigInt(count) })
      ? await replace(relay, send)
      : send
  if (!(await signAndSubmit(relay, replaced)) && !isFiller(send)) await submitSend(relay, send.ref)
}

/** Only the next nonce can be stuck on its own; later ones wait for it, unless their fee is below the base fee. */
const isStuck = (
  { replaceAfterBlocks }: Relay,
  { newest, round, isNext }: { newest: Attempt; round: Round; isNext: boolean },
): boolean =>
  newest.maxFee < round.head.baseFee ||
  (isNext &&
    newest.maxTip < TIP_CAP &&
    round.head.number - newest.atBlock >= BigInt(replaceAfterBlocks))

async function replace(relay: Relay, send: SendState): Promise<SendState> {
  const raised = await raise(relay, send)
  if (raised)
    relay.log?.warn(
      { ref: send.ref, hash: raised.hash },
      'a stuck send is replaced with higher fees',
    )
  return raised ?? send
}

/**
 * The chain has used the nonce, but none of our attempts has a receipt. Once that block is safe, the send gets another
 * nonce. Should the old attempt be mined after all, the EIP-3009 nonce in its data still lets it act only once.
 */
async function maintainPassed(relay: Relay, send: SendState, { head, safe }: Round): Promise<void> {
  const { db } = relay
  if (send.state === 'signed' && send.passedBlock === null)
    return void (await db.write((tx) => storePassed(tx, send.id, head.number)))
  if (send.state === 'signed' && (send.passedBlock ?? 0n) > safe) return
  // Look once more: the block that used the nonce may be newer than the last look at receipts.
  if ((await lookForReceipts(relay, [send])).size > 0) return
  if (isFiller(send)) return void (await db.write((tx) => dropFiller(tx, send.id)))
  relay.log?.warn(
    { ref: send.ref, relayer: send.relayer, nonce: String(send.nonce) },
    'something else used the nonce of a send: it takes another',
  )
  await db.write((tx) => requeue(tx, send))
  await submitSend(relay, send.ref)
}

/** An assigned nonce that nothing uses would block the relayer's later ones: an empty transaction fills it. */
async function fillGaps(
  relay: Relay,
  at: Date,
  { address, round }: { address: Address; round: Round },
): Promise<void> {
  const count = round.head.counts.get(address) ?? 0
  const filled = await relay.db.write(async (tx) => {
    const gaps = await lockGaps(tx, { relayer: address, count, limit: MAX_IN_FLIGHT })
    for (const { nonce } of gaps)
      await insertFiller(tx, at, { id: newId('snd', at), relayer: address, nonce })
    if (gaps.length > 0) reach('chain.before_gap_fill')
    return gaps
  })
  if (filled.length > 0) reach('chain.after_gap_fill')
  for (const { nonce } of filled)
    relay.log?.warn({ relayer: address, nonce: String(nonce) }, 'a gap in the nonces is filled')
}

/**
 * Submits sends whose callers are gone, except those that the chain would refuse now: their owners decide about them. A
 * batch is not simulated: its items may fail one by one.
 */
async function submitQueued(relay: Relay, queued: readonly SendState[]): Promise<void> {
  const sends = await findSends(
    relay.db.reader,
    queued.map(({ ref }) => ref),
  )
  const waiting = sends.filter(
    ({ state, nonce, batchId }) => state === 'queued' && nonce === null && batchId === null,
  )
  const [batches, own] = [waiting.filter(isBatch), waiting.filter((send) => !isBatch(send))]
  // Each alone and with its own gas: a payer that is a contract may burn more than in a common simulation.
  const refusals = await Promise.all(
    own.map(({ toAddress, data, gas, onlyRelayer }) => {
      const call = { to: toAddress, data: `0x${data.toString('hex')}`, gas } as const
      return simulateSend(relay.chain, onlyRelayer ? { ...call, by: onlyRelayer } : call)
    }),
  )
  const accepted = own.filter((_, i) => refusals[i] === undefined)
  const { failures } = await submitSends(relay, [...batches, ...accepted])
  const [failure] = failures.values()
  if (failure !== undefined) throw failure
}
