import { TRANSFER_REFUSED } from '../../chain/transfers/standing.ts'
import type { Tx } from '../../db/sql.ts'
import { perServices, type Services } from '../../http/services.ts'
import type { Address, Hex } from '../../kernel/assets.ts'
import { addSeconds } from '../../kernel/clock.ts'
import { reach } from '../../kernel/fault-points.ts'
import { isUsedBefore, type Refused, refused } from '../../protocols/x402/refusal.ts'
import { findSendsById, type Started } from '../../relay/batch/store.ts'
import type { Rationed } from '../../relay/gas/reserve.ts'
import { findSend, type SendState, transferLogOf, withdrawSend } from '../../relay/send.ts'
import type { Ended } from '../../relay/store.ts'
import { waitForSend } from '../../relay/wait/wait-for-send.ts'
import { type Ending, findSettlement, markTold, openAnswer, type Settlement } from '../store.ts'
import { endLane, endPaid, giveBack, sendRef } from './claim.ts'
import { findCarried, readEnd } from './outcome.ts'
import { unlessSilent } from './payment.ts'

/**
 * How a settlement stands. `refused` is final for the request; `pending` is not known, and must not be taken for a
 * failure: the payer's money may have moved.
 */
export type Outcome =
  | { kind: 'settled'; settlement: Settlement }
  | { kind: 'pending'; settlement: Settlement; hash: Hex | '' }
  | { kind: 'refused'; reason: string; detail: string; payer?: Address; settlement?: Settlement }
  /** Nothing was sent; the same payment may be presented again after a while. */
  | { kind: 'rationed'; rationed: Rationed; payer: Address; settlement?: undefined }

/**
 * Who asks: the one who claimed it; the `next` one, who has taken the right to be told; one who repeats a request by its
 * name, and may be told as often as it likes; or a job, which tells `nobody`.
 */
export type Asker = 'first' | 'next' | 'named' | 'nobody'
type Asked = { settlement: Settlement; asker: Asker }
/** With the transaction by which a claim of just now goes to the chain, where it has one already. */
type Carried = Asked & { started?: Started | undefined }

/**
 * A transfer that somebody else made so many seconds before it was presented, or fewer, counts as this payment: the
 * payer or whoever saw it has carried it in the meantime. An older one was paid for something else.
 */
const RECENT_SECONDS = 120

/**
 * Waits for a block to hold the transfer and writes down what it shows. Safe to run twice and at once: a settlement ends
 * once, whoever sees its end.
 */
export async function carryOn(services: Services, at: Date, asked: Carried): Promise<Outcome> {
  const { settlement, asker } = asked
  if (settlement.state !== 'settling') return told(services, asked)
  const seen = await unlessSilent(services, () => waitForEnd(services, asked))
  reach('facilitator.before_end')
  if (!seen) return undecided(services, at, asked)
  return 'ended' in seen
    ? { kind: 'settled', settlement: seen.ended }
    : end(services, { ending: seen.ending, asker })
}

/** What a block says of the settlement; or the settlement, where it was ended with its block. */
async function waitForEnd(
  services: Services,
  asked: Carried,
): Promise<{ ended: Settlement } | { ending: Ending } | undefined> {
  const { settlement, asker, started } = asked
  const ref = sendRef(settlement.id)
  const timeoutMs = services.settings.facilitator.waitMs
  // Nobody else is told by what the sender has seen: a reorganization may have taken it since.
  const isFirst = asker === 'first'
  const ending = isFirst ? { intent: settlement.id, run: endWithBlock(services) } : undefined
  const waited = await waitForSend(services.relay, { ref, timeoutMs, started, ending })
  if ('outcome' in waited && waited.outcome) {
    reach('facilitator.after_end')
    return { ended: waited.outcome }
  }
  const send = 'send' in waited ? waited.send : await findSend(services, ref)
  if (!send?.hash) return undefined
  const read = await readEnding(services, asked, { ...send, hash: send.hash })
  return read && { ending: read }
}

const endWithBlock = perServices(
  ({ clock }) =>
    (tx: Tx, ended: readonly (Ended & { intent: string })[]) =>
      endPaid(tx, clock.now(), ended),
)

/** What a block says of the settlement; undefined while it says nothing for good. */
async function readEnding(
  services: Services,
  { settlement, asker }: Asked,
  sent: SendState & { hash: Hex },
): Promise<Ending | undefined> {
  const { id } = settlement
  const isTold = asker !== 'nobody'
  const log = asker === 'first' ? transferLogOf(sent) : undefined
  if (log) return { id, state: 'settled', ...log, isTold }
  // What was stored before is read again: a reorganization may have taken it since.
  const end = await readEnd(services, settlement, sent.hash)
  if (end.kind === 'paid') return { id, state: 'settled', ...end.log, isTold }
  return end.kind === 'open' ? undefined : { id, state: 'failed', ...FAILED, isOnChain: true }
}

const FAILED = {
  reason: 'invalid_exact_evm_transaction_failed',
  detail: TRANSFER_REFUSED,
}

/**
 * Ends a claim whose transaction nobody has begun to carry, and that the token would not take. Where nobody else knows
 * of it, it is given back, so that the payment may be presented again.
 */
export async function turnAway(
  services: Services,
  at: Date,
  asked: Asked & { refusal: Refused },
): Promise<Outcome> {
  const { settlement, asker, refusal } = asked
  const { id, payer } = settlement
  const since = addSeconds(settlement.createdAt, -RECENT_SECONDS)
  const earlier =
    isUsedBefore(refusal) &&
    (await unlessSilent(services, () => findCarried(services, settlement, since)))
  if (earlier) {
    const ending: Ending = { id, state: 'settled', ...earlier, isTold: asker !== 'nobody' }
    const outcome = await end(services, { ending, asker })
    await services.db.write((tx) => withdrawSend(tx, sendRef(id)))
    return outcome
  }
  const { reason, detail } = refusal
  if (asker === 'first') {
    const isBack = await services.db.write((tx) => giveBack(tx, at, id))
    return isBack ? { kind: 'refused', reason, detail, payer } : undecided(services, at, asked)
  }
  const isWithdrawn = await services.db.write((tx) => withdrawSend(tx, sendRef(id)))
  return isWithdrawn
    ? end(services, { ending: { id, state: 'failed', reason, detail, isOnChain: false }, asker })
    : undecided(services, at, asked)
}

/** Writes an end down, unless there is one already, and tells the asker of the one that counts. */
export async function end(
  services: Services,
  { ending, asker }: { ending: Ending; asker: Asker },
): Promise<Outcome> {
  const ended = await services.lanes.submit(endLane, ending)
  reach('facilitator.after_end')
  if (ended?.state === 'settled') return { kind: 'settled', settlement: ended }
  const settlement = ended ?? (await findSettlement(services.db.reader, ending.id))
  return settlement ? told(services, { settlement, asker }) : nothingSent(GIVEN_BACK)
}

const GIVEN_BACK = 'The payment was given back. Try again.'
const BUSY = 'No relayer could carry the payment in time. Nothing was sent: try again in a moment.'

export const nothingSent = (detail: string, payer?: Address): Outcome => ({
  kind: 'refused',
  reason: 'unexpected_settle_error',
  detail,
  ...(payer ? { payer } : {}),
})

/** Tells how a settlement has ended. Of a success one is told, beside those who have a name for it. */
async function told({ db }: Services, { settlement, asker }: Asked): Promise<Outcome> {
  const { id, payer, state } = settlement
  if (state === 'settling') return { kind: 'pending', settlement, hash: '' }
  if (state === 'failed') {
    const { reason, detail } = settlement
    const why = { reason: reason ?? FAILED.reason, detail: detail ?? FAILED.detail }
    return { kind: 'refused', ...why, payer, settlement }
  }
  const isFirstToHear = asker !== 'nobody' && (await db.write((tx) => markTold(tx, id)))
  if (isFirstToHear || asker === 'named' || asker === 'nobody')
    return { kind: 'settled', settlement }
  return duplicateOf(settlement)
}

/** The answer to whoever presents a payment that is somebody else's to be told of. */
export function duplicateOf(settlement: Settlement): Outcome {
  const { reason, detail } = refused('duplicate_settlement', 'This payment was presented before.')
  return { kind: 'refused', reason, detail, payer: settlement.payer, settlement }
}

/** No end in sight: given back where no relayer has begun and nobody else knows of it, else pending. */
async function undecided(services: Services, at: Date, asked: Asked): Promise<Outcome> {
  const { db } = services
  const { id, payer } = asked.settlement
  if (asked.asker === 'first' && (await db.write((tx) => giveBack(tx, at, id))))
    return nothingSent(BUSY, payer)
  await db.write((tx) => openAnswer(tx, at, id))
  const settlement = await findSettlement(db.reader, id)
  if (!settlement) return nothingSent(GIVEN_BACK, payer)
  if (settlement.state !== 'settling') return told(services, { ...asked, settlement })
  const send = await findSend(services, sendRef(id))
  const [carrier] = send?.batchId ? await findSendsById(db.reader, [send.batchId]) : []
  return { kind: 'pending', settlement, hash: send?.hash ?? carrier?.hash ?? '' }
}
