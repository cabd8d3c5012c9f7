import { setTimeout as sleep } from 'node:timers/promises'
import { declined } from '../cards/debit.ts'
import { endTransaction } from '../cards/transactions.ts'
import type { Chain } from '../chain/chain.ts'
import { readBlock } from '../chain/reads.ts'
import type { Tx } from '../db/sql.ts'
import type { EgressResponse } from '../egress/egress.ts'
import { checkKeyAmount } from '../http/caller.ts'
import type { Claim } from '../http/idempotency.ts'
import type { Services } from '../http/services.ts'
import { enqueue } from '../jobs/queue.ts'
import { assert } from '../kernel/assert.ts'
import { addSeconds, unixSeconds } from '../kernel/clock.ts'
import { reach } from '../kernel/fault-points.ts'
import type { Amount } from '../kernel/money.ts'
import { Problem } from '../kernel/problem.ts'
import { equalBytes, sha256 } from '../kernel/secrets.ts'
import { authorizationTypedData } from '../protocols/eip3009/authorization.ts'
import { type Challenge, type Offer, readChallenge } from '../protocols/x402/challenge.ts'
import { encodePayment } from '../protocols/x402/payment.ts'
import { readPaymentResponse } from '../protocols/x402/response.ts'
import {
  authorisePayment,
  type CardAccess,
  findPayingCard,
  RECONCILE_TASK,
  reconcileKey,
} from './authorise.ts'
import { askSeller, type Outgoing, type Presented, presentToSeller } from './exchange.ts'
import { chooseOffer, type PricedOffer } from './offer.ts'
import { capturePayment, findUse, releasePayment, type Use } from './outcome.ts'
import {
  findPayment,
  findPaymentByKey,
  findUnansweredTwin,
  isOpen,
  lockPayment,
  type OutboundPayment,
  saveAnotherPresentation,
  saveAnswer,
  savePresented,
} from './store.ts'

export type PayAsk = CardAccess & {
  at: Date
  claim: Claim | undefined
  request: Outgoing
  maxAmount: Amount | undefined
}
export type PayResult =
  | { kind: 'free'; response: EgressResponse }
  /** `payment` says how it stands; `response` is missing where the seller's answer was lost or never asked for. */
  | { kind: 'paid'; payment: OutboundPayment; response: EgressResponse | undefined }

type Header = { headerName: string; headerValue: string }

/** How long a request waits for the chain to show the payment, and between two looks at it. */
const WATCH_SECONDS = 3
const WATCH_STEP_MS = 200
/** When a payment that the chain does not show yet is looked at again. */
const NEXT_LOOK_SECONDS = 5

/**
 * Fetches the URL and, if it asks for money, pays once with the card: hold, then signature, then one request with it.
 * How it ended is what the chain says. Throws the refusals of `POST /api/pay`; whatever happens after the hold, the
 * payment's job ends it.
 */
export async function pay(services: Services, ask: PayAsk): Promise<PayResult> {
  const { db, chain, egress } = services
  await findPayingCard(db.reader, ask)
  const earlier = await findEarlier(services, ask)
  if (earlier) return resume(services, ask, earlier)
  const asked = await askSeller(egress, ask.request)
  if (asked.status !== 402) return { kind: 'free', response: asked }
  const { challenge, priced } = readDemand(services, asked, ask.maxAmount)
  checkKeyAmount(ask.caller, priced.debit)
  const block = await readBlock(chain, 'latest')
  const { method } = ask.request
  const order = { ...ask, chain, method, url: new URL(asked.url), priced, block }
  const authorised = await db.write((tx) =>
    authorisePayment(tx, ask.at, { ...order, requestDigest: digestOf(ask) }),
  )
  if (authorised.kind === 'declined') throw declined(authorised.denied)
  if (authorised.kind === 'earlier') return resume(services, ask, authorised.payment)
  const { payment } = authorised
  reach('payments.after_hold')
  const header = await sign(chain, payment, { challenge, offer: priced.offer })
  reach('payments.after_sign')
  if (!(await db.write((tx) => savePresented(tx, payment.id, header))))
    return resume(services, ask, await reload(services, payment.id))
  reach('payments.after_store')
  return present(services, ask, { payment, header })
}

/**
 * The payment that this request has made already: by its key, or, without one, the same request whose answer was lost.
 * A client that tries again because it heard nothing must not pay twice.
 */
function findEarlier({ db }: Services, ask: PayAsk): Promise<OutboundPayment | undefined> {
  const { at, cardId, claim } = ask
  if (claim) return findPaymentByKey(db.reader, claim.walletAddress, claim.key)
  const requestDigest = digestOf(ask)
  return findUnansweredTwin(db.reader, { cardId, requestDigest, nowSeconds: unixSeconds(at) })
}

/** The offer that would be paid, of a 402 answer. Throws `no_payable_option`. */
export function readDemand(
  { chain, settings }: Services,
  asked: EgressResponse,
  maxAmount: Amount | undefined,
): { challenge: Challenge; priced: PricedOffer } {
  const challenge = readChallenge(asked)
  const priced = chooseOffer(challenge, {
    asset: chain.asset,
    notPayees: [chain.treasury.address, chain.asset.contract],
    tariff: settings.fee,
    maxAmount,
  })
  assert(challenge, 'a chosen offer comes from a challenge')
  return { challenge, priced }
}

/** What identifies the intent where no Idempotency-Key does. */
const digestOf = ({ claim, request }: PayAsk): Buffer =>
  claim?.requestHash ??
  sha256(JSON.stringify([request.method, request.url.href, request.body ?? null]))

async function sign(
  chain: Chain,
  payment: OutboundPayment,
  of: { challenge: Challenge; offer: Offer },
): Promise<Header> {
  const authorization = {
    from: chain.treasury.address,
    to: payment.payTo,
    value: payment.merchantAmount,
    validAfter: 0n,
    validBefore: payment.validBefore,
    nonce: payment.nonce,
  }
  const typed = authorizationTypedData(chain.asset, authorization)
  const signature = await chain.treasury.signTypedData(typed)
  return encodePayment({ ...of, authorization, signature, paymentIdentifier: payment.id })
}

/**
 * A request whose key has a payment already never makes another. While its authorization is good, the seller is shown
 * that same one again, so that a crash does not cost the agent what it paid for; else the payment is told as it stands.
 */
async function resume(
  services: Services,
  ask: PayAsk,
  payment: OutboundPayment,
): Promise<PayResult> {
  if (!equalBytes(payment.requestDigest, digestOf(ask)))
    throw new Problem(
      'idempotency_conflict',
      'This Idempotency-Key was used for another payment. Use a new key for a new one.',
    )
  const { headerName, headerValue } = payment
  const isGood = payment.validBefore > unixSeconds(ask.at)
  if (payment.state === 'presented' && isGood && headerName && headerValue) {
    if (await services.db.write((tx) => saveAnotherPresentation(tx, payment.id)))
      return present(services, ask, { payment, header: { headerName, headerValue } })
  }
  return { kind: 'paid', payment: await reload(services, payment.id), response: undefined }
}

async function present(
  services: Services,
  ask: PayAsk,
  signed: { payment: OutboundPayment; header: Header },
): Promise<PayResult> {
  const { id, url } = signed.payment
  const presented = await presentToSeller(services.egress, ask.request, { url, ...signed.header })
  reach('payments.after_answer')
  if (presented.kind === 'unsent') {
    if (await releaseUnsent(services, id)) throw withTransaction(presented.problem, id)
    return { kind: 'paid', payment: await reload(services, id), response: undefined }
  }
  const use = await watchForUse(services, signed.payment)
  reach('payments.before_capture')
  await services.db.write((tx) => recordAnswer(tx, services, { id, presented, use }))
  reach('payments.after_capture')
  const response = presented.kind === 'answered' ? presented.response : undefined
  return { kind: 'paid', payment: await reload(services, id), response }
}

/**
 * Nobody can use an authorization that never left this process. Where it was presented more than once, an earlier
 * request may have delivered it, and only the chain can tell.
 */
async function releaseUnsent(services: Services, id: string): Promise<boolean> {
  return services.db.write(async (tx) => {
    const payment = await lockPayment(tx, id)
    if (payment?.presentations !== 1) return false
    const { asset } = services.chain
    return releasePayment(tx, services.clock.now(), { id, asset, reason: 'seller_unreachable' })
  })
}

const withTransaction = (problem: Problem, id: string): Problem =>
  new Problem(problem.code, problem.message, {
    extra: { ...problem.extra, transaction_id: id },
    cause: problem,
  })

/** Looks for the payment on the chain for a few seconds: sellers settle before they answer, or just after. */
async function watchForUse(services: Services, payment: OutboundPayment): Promise<Use | undefined> {
  // By the clock and not by looks: a chain that does not answer takes many seconds to say so.
  const end = addSeconds(services.clock.now(), WATCH_SECONDS)
  for (let looks = 0; looks === 0 || services.clock.now() < end; looks++) {
    if (looks > 0) await sleep(WATCH_STEP_MS)
    try {
      const use = await findUse(services.chain, payment)
      if (use) return use
    } catch (error) {
      // A chain that does not answer is no answer: the hold stays, and the job asks again.
      if (!(error instanceof Problem && error.code === 'chain_unavailable')) throw error
      services.log.warn({ payment: payment.id, cause: error.cause }, 'chain not readable')
    }
  }
  return undefined
}

async function recordAnswer(
  tx: Tx,
  { chain, clock }: Services,
  answered: { id: string; presented: Exclude<Presented, { kind: 'unsent' }>; use: Use | undefined },
): Promise<void> {
  const { id, presented, use } = answered
  const at = clock.now()
  const head = presented.kind === 'answered' ? presented.response : presented.error.head
  const receipt = head && readPaymentResponse(head.headers)
  const payment = await lockPayment(tx, id)
  assert(payment, `payment ${id} exists`)
  await saveAnswer(tx, id, { status: head?.status ?? null, receipt })
  if (use) await capturePayment(tx, at, { id, asset: chain.asset, use })
  else if (isOpen(payment) && !(presented.kind === 'answered' && isSuccess(presented.response)))
    await endTransaction(tx, id, { status: 'UNKNOWN' })
  await enqueue(
    tx,
    RECONCILE_TASK,
    { payment_id: id },
    { key: reconcileKey(id), delaySeconds: NEXT_LOOK_SECONDS },
  )
}

export const isSuccess = ({ status }: { status: number }): boolean => status >= 200 && status < 300

async function reload(services: Services, id: string): Promise<OutboundPayment> {
  const payment = await findPayment(services.db.reader, id)
  assert(payment, `payment ${id} exists`)
  return payment
}
