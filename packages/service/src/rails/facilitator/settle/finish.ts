import { perServices, type Uses } from '../../../api/http/services.ts'
import type { Tx } from '../../../base/db/sql.ts'
import type { Address, Hex } from '../../../base/kernel/assets.ts'
import { addSeconds } from '../../../base/kernel/clock.ts'
import { reach } from '../../../base/kernel/fault-points.ts'
import { isUsedBefore, type Refused, refused } from '../../../base/protocols/x402/refusal.ts'
import { findSendsById, type Started } from '../../../chain/relay/batch/store.ts'
import type { Rationed } from '../../../chain/relay/gas/reserve.ts'
import { findSend, withdrawSend } from '../../../chain/relay/send.ts'
import type { Ended } from '../../../chain/relay/store.ts'
import { followTransfer, type Life } from '../../../chain/transfers/follow.ts'
import { type ClaimedTransfer, findSubmittedSince } from '../../../chain/transfers/reads/claimed.ts'
import { TRANSFER_REFUSED } from '../../../chain/transfers/reads/standing.ts'
import {
  type Ending,
  findSettlement,
  isLogFree,
  markReported,
  openAnswer,
  type Settlement,
} from '../store.ts'
import { endLane, endPaid, giveBack, sendRef } from './claim.ts'
import { unlessSilent } from './payment.ts'

/**
 * The state of a settlement. `refused` is final for the request. `pending` is unknown and must not count as a failure: the
 * payer's money may have moved.
 */
export type Outcome =
  | { kind: 'settled'; settlement: Settlement }
  /** Nothing was used of an upto payment, and nothing was sent. */
  | { kind: 'unused'; payer: Address; settlement?: undefined }
  | { kind: 'pending'; settlement: Settlement; hash: Hex | '' }
  | { kind: 'refused'; reason: string; detail: string; payer?: Address; settlement?: Settlement }
  /** Nothing was sent; the same payment may be presented again after a while. */
  | { kind: 'rationed'; rationed: Rationed; payer: Address; settlement?: undefined }

/**
 * The caller: the `first` one claimed the payment; the `next` one took over the right to the answer; a `named` one
 * repeats a request by its name, and always gets the answer; a job reports to `nobody`.
 */
export type Asker = 'first' | 'next' | 'named' | 'nobody'
type Asked = { settlement: Settlement; asker: Asker }

/**
 * A transfer that someone else submitted at most so many seconds before the payment was presented counts as this
 * payment. An older one paid for something else.
 */
const RECENT_SECONDS = 120

/** Continues a settlement. It ends once, whichever caller sees it; safe to run twice and at once. */
export const carryOn = (
  services: Uses<'chain' | 'clock' | 'db' | 'lanes' | 'log' | 'relay' | 'settings'>,
  at: Date,
  asked: Asked,
): Promise<Outcome> =>
  asked.settlement.state === 'settling'
    ? followTransfer(services, lifeOf(services, at, asked))
    : report(services, asked)

/** The life of a claimed payment. Only its first caller may rely on what the relay has read, and ends with the block. */
export function lifeOf(
  services: Uses<'clock' | 'db' | 'lanes' | 'log' | 'settings'>,
  at: Date,
  asked: Asked & { started?: Started | undefined },
): Life<Outcome> {
  const { settlement, asker, started } = asked
  const { id } = settlement
  const isFirst = asker === 'first'
  const isReported = asker !== 'nobody'
  return {
    ref: sendRef(id),
    transfer: transferOf(services, settlement),
    isOurs: isFirst,
    waitMs: services.settings.facilitator.waitMs,
    started,
    withBlock: isFirst ? { intent: id, run: endWithBlock(services) } : undefined,
    ask: (read) => unlessSilent(services, read),
    onPaid: ({ log }) =>
      end(services, { ending: { id, state: 'settled', ...log, isReported }, asker }),
    onRefused: () => {
      const ending: Ending = { id, state: 'failed', ...failedBy(settlement), isOnChain: true }
      return end(services, { ending, asker })
    },
    onOpen: () => undecided(services, at, asked),
  }
}

/** The transfer that a settlement's payer has signed. */
export const transferOf = ({ db }: Uses<'db'>, settlement: Settlement): ClaimedTransfer => ({
  ...settlement,
  isFree: (log) => isLogFree(db.reader, settlement, log),
})

const endWithBlock = perServices(
  ({ clock }: Uses<'clock'>) =>
    (tx: Tx, ended: readonly (Ended & { intent: string })[]) =>
      endPaid(tx, clock.now(), ended),
)

/** The failure on chain by the name that the official packages give it for the payment's scheme. */
const failedBy = ({ method }: Pick<Settlement, 'method'>) => ({
  reason:
    method === 'upto'
      ? 'invalid_upto_evm_transaction_failed'
      : 'invalid_exact_evm_transaction_failed',
  detail: TRANSFER_REFUSED,
})

/**
 * Ends a claim that no relayer has submitted and that the token would refuse. The first caller's claim is given back, so
 * that the payment may be presented again.
 */
export async function turnAway(
  services: Uses<'chain' | 'db' | 'lanes' | 'log'>,
  at: Date,
  asked: Asked & { refusal: Refused },
): Promise<Outcome> {
  const { settlement, asker, refusal } = asked
  const { id, payer } = settlement
  const since = addSeconds(settlement.createdAt, -RECENT_SECONDS)
  const earlier =
    isUsedBefore(refusal) &&
    (await unlessSilent(services, () =>
      findSubmittedSince(services.chain, transferOf(services, settlement), since),
    ))
  if (earlier) {
    const ending: Ending = { id, state: 'settled', ...earlier, isReported: asker !== 'nobody' }
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

/** Stores an end unless the settlement has one, and reports the end that counts. */
export async function end(
  services: Uses<'db' | 'lanes'>,
  { ending, asker }: { ending: Ending; asker: Asker },
): Promise<Outcome> {
  reach('facilitator.before_end')
  const ended = await services.lanes.submit(endLane, ending)
  reach('facilitator.after_end')
  if (ended?.state === 'settled') return { kind: 'settled', settlement: ended }
  const settlement = ended ?? (await findSettlement(services.db.reader, ending.id))
  return settlement ? report(services, { settlement, asker }) : nothingSent(GIVEN_BACK)
}

const GIVEN_BACK = 'The payment was given back. Try again.'
const BUSY = 'No relayer could carry the payment in time. Nothing was sent: try again in a moment.'

export const nothingSent = (detail: string, payer?: Address): Outcome => ({
  kind: 'refused',
  reason: 'unexpected_settle_error',
  detail,
  ...(payer ? { payer } : {}),
})

/** Reports how a settlement ended. A success is reported to one caller, and to those who name the request. */
async function report({ db }: Uses<'db'>, { settlement, asker }: Asked): Promise<Outcome> {
  const { id, payer, state } = settlement
  if (state === 'settling') return { kind: 'pending', settlement, hash: '' }
  if (state === 'failed') {
    const { reason, detail } = settlement
    const failed = failedBy(settlement)
    const why = { reason: reason ?? failed.reason, detail: detail ?? failed.detail }
    return { kind: 'refused', ...why, payer, settlement }
  }
  const isFirstToHear = asker !== 'nobody' && (await db.write((tx) => markReported(tx, id)))
  if (isFirstToHear || asker === 'named' || asker === 'nobody')
    return { kind: 'settled', settlement }
  return duplicateOf(settlement)
}

/** The answer to a caller that presents a payment whose outcome is reported to another caller. */
export function duplicateOf(settlement: Settlement): Outcome {
  const { reason, detail } = refused('duplicate_settlement', 'This payment was presented before.')
  return { kind: 'refused', reason, detail, payer: settlement.payer, settlement }
}

/** No end was seen in time: the claim is given back if no relayer submitted it and no other caller knows it; else it is pending. */
async function undecided(services: Uses<'db'>, at: Date, asked: Asked): Promise<Outcome> {
  const { db } = services
  const { id, payer } = asked.settlement
  if (asked.asker === 'first' && (await db.write((tx) => giveBack(tx, at, id))))
    return nothingSent(BUSY, payer)
  await db.write((tx) => openAnswer(tx, at, id))
  const settlement = await findSettlement(db.reader, id)
  if (!settlement) return nothingSent(GIVEN_BACK, payer)
  if (settlement.state !== 'settling') return report(services, { ...asked, settlement })
  const send = await findSend(services, sendRef(id))
  const [batch] = send?.batchId ? await findSendsById(db.reader, [send.batchId]) : []
  return { kind: 'pending', settlement, hash: send?.hash ?? batch?.hash ?? '' }
}
