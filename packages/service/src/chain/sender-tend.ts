import type { Address } from '../kernel/assets.ts'
import { addHours, addSeconds } from '../kernel/clock.ts'
import { reach } from '../kernel/fault-points.ts'
import { newId } from '../kernel/ids.ts'
import type { Chain } from './chain.ts'
import { readBlock } from './reads.ts'
import { carrySends } from './sender-batch.ts'
import { broadcastSend } from './sender-carry.ts'
import { wakeRelayers } from './sender-gas.ts'
import { type CountedHead, readNewHead } from './sender-head.ts'
import { isOf, raise, signAndOffer } from './sender-offer.ts'
import { lookForReceipts } from './sender-receipts.ts'
import { isCarrier } from './sender-riders.ts'
import type { SenderDeps } from './sender-sign.ts'
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
} from './sender-store.ts'
import { simulateSend } from './simulate.ts'

/** A send younger than this, in seconds, is still in the hands of whoever queued it. */
const QUEUED_SECONDS = 10
/** What is queued longer than this, in hours, is past the end of its authorization, or has a job of its own. */
const QUEUED_HOURS = 48
const QUEUED_AT_ONCE = 500
/** Wei per gas. A tip above this does not help where it did not help before. */
const TIP_CAP = 5_000_000_000n

type Round = { head: CountedHead; safe: bigint }

/**
 * One look at everything that is not over: results are written down until their blocks are safe, what the network
 * dropped is broadcast again, what is stuck is signed again with higher fees, lost nonces are replaced and gaps filled,
 * and what nobody carries is carried. True while something is left to look after. Safe to run twice and at once.
 */
export async function tendSends(deps: SenderDeps, at: Date): Promise<boolean> {
  const { chain, db } = deps
  const round = await lookAtChain(chain)
  await wakeRelayers(deps)
  const queued = await findQueued(db.reader, {
    from: addHours(at, -QUEUED_HOURS),
    to: addSeconds(at, -QUEUED_SECONDS),
    limit: QUEUED_AT_ONCE,
  })
  await lookForReceipts(deps, [...(await findInFlight(db.reader)), ...queued], round.safe)
  for (const { address } of chain.relayers) await fillGaps(deps, at, { address, round })

  const unmined = (await findInFlight(db.reader)).filter(({ state }) => state !== 'mined')
  const attempts = await findAttempts(
    db.reader,
    unmined.map(({ id }) => id),
  )
  const tended = await Promise.allSettled(
    unmined.map((send) =>
      tendOne(deps, send, { round, attempts: attempts.filter((a) => a.sendId === send.id) }),
    ),
  )
  // One that fails keeps none of the others from being looked after.
  for (const result of tended) if (result.status === 'rejected') throw result.reason
  await carryQueued(deps, queued)
  return hasUnended(db.reader, addHours(at, -1))
}

/** Counts come first: a receipt that is asked for later cannot be younger than they are. */
async function lookAtChain(chain: Chain): Promise<Round> {
  const head = await readNewHead(chain)
  const { number: safe } = await readBlock(chain, 'safe')
  return { head, safe }
}

async function tendOne(
  deps: SenderDeps,
  send: SendState,
  { round, attempts }: { round: Round; attempts: Attempt[] },
): Promise<void> {
  const count = send.relayer === null ? undefined : round.head.counts.get(send.relayer)
  // A relayer whose key is not here any more: its attempts are looked for, nothing else can be done.
  if (count === undefined || send.nonce === null) return
  if (send.nonce < count) return tendPassed(deps, send, round)
  if (send.passedBlock !== null) await deps.db.write((tx) => storePassed(tx, send.id, null))
  const newest = attempts.filter((attempt) => isOf(attempt, send)).at(-1)
  // Signed since the last block: whoever did so is broadcasting it.
  if (newest && newest.atBlock >= round.head.number) return
  const replaced =
    newest && isStuck(deps.chain, { newest, round, isNext: send.nonce === BigInt(count) })
      ? await replace(deps, send)
      : send
  if (!(await signAndOffer(deps, replaced)) && !isFiller(send)) await broadcastSend(deps, send.ref)
}

/** Only the next nonce can be stuck by its own fault; the others wait for it, unless no block would have them. */
const isStuck = (
  chain: Chain,
  { newest, round, isNext }: { newest: Attempt; round: Round; isNext: boolean },
): boolean =>
  newest.maxFee < round.head.baseFee ||
  (isNext &&
    newest.maxTip < TIP_CAP &&
    round.head.number - newest.atBlock >= BigInt(chain.replaceAfterBlocks))

async function replace(deps: SenderDeps, send: SendState): Promise<SendState> {
  const raised = await raise(deps, send)
  if (raised)
    deps.log?.warn(
      { ref: send.ref, hash: raised.hash },
      'a stuck send is replaced with higher fees',
    )
  return raised ?? send
}

/**
 * The chain has used the nonce and none of our attempts has a receipt. Believed once that block is safe: then the send
 * takes another nonce. Were it mined all the same, what it does is done once, by the EIP-3009 nonce in its data.
 */
async function tendPassed(deps: SenderDeps, send: SendState, { head, safe }: Round): Promise<void> {
  const { db } = deps
  if (send.state === 'signed' && send.passedBlock === null)
    return void (await db.write((tx) => storePassed(tx, send.id, head.number)))
  if (send.state === 'signed' && (send.passedBlock ?? 0n) > safe) return
  // Looked for once more: the block that used it may be younger than the last look at receipts.
  if ((await lookForReceipts(deps, [send])).size > 0) return
  if (isFiller(send)) return void (await db.write((tx) => dropFiller(tx, send.id)))
  deps.log?.warn(
    { ref: send.ref, relayer: send.relayer, nonce: String(send.nonce) },
    'something else used the nonce of a send: it takes another',
  )
  await db.write((tx) => requeue(tx, send))
  await broadcastSend(deps, send.ref)
}

/** A nonce that was given out and is used by nothing would block the relayer's later ones: nothing is sent under it. */
async function fillGaps(
  deps: SenderDeps,
  at: Date,
  { address, round }: { address: Address; round: Round },
): Promise<void> {
  const count = round.head.counts.get(address) ?? 0
  const filled = await deps.db.write(async (tx) => {
    const gaps = await lockGaps(tx, { relayer: address, count, limit: MAX_IN_FLIGHT })
    for (const { nonce } of gaps)
      await insertFiller(tx, at, { id: newId('snd', at), relayer: address, nonce })
    if (gaps.length > 0) reach('chain.before_gap_fill')
    return gaps
  })
  if (filled.length > 0) reach('chain.after_gap_fill')
  for (const { nonce } of filled)
    deps.log?.warn({ relayer: address, nonce: String(nonce) }, 'a gap in the nonces is filled')
}

/**
 * Carries sends whose callers are gone, unless the chain would refuse one now: its owner decides what then. A carrier
 * is not asked about: each that rides in it stands for itself.
 */
async function carryQueued(deps: SenderDeps, queued: readonly SendState[]): Promise<void> {
  const sends = await findSends(
    deps.db.reader,
    queued.map(({ ref }) => ref),
  )
  const waiting = sends.filter(
    ({ state, nonce, batchId }) => state === 'queued' && nonce === null && batchId === null,
  )
  const [carriers, own] = [waiting.filter(isCarrier), waiting.filter((send) => !isCarrier(send))]
  // Each alone and within its gas: a payer that is a contract may burn more than it was asked about with others.
  const refusals = await Promise.all(
    own.map(({ toAddress, data, gas }) =>
      simulateSend(deps.chain, { to: toAddress, data: `0x${data.toString('hex')}`, gas }),
    ),
  )
  const welcome = own.filter((_, i) => refusals[i] === undefined)
  const { failures } = await carrySends(deps, [...carriers, ...welcome])
  const [failure] = failures.values()
  if (failure !== undefined) throw failure
}
