import { setTimeout as sleep } from 'node:timers/promises'
import type { Uses } from '../../api/http/services.ts'
import type { Tx } from '../../base/db/sql.ts'
import { assert } from '../../base/kernel/assert.ts'
import { addSeconds, unixSeconds } from '../../base/kernel/clock.ts'
import { reach } from '../../base/kernel/fault-points.ts'
import { Problem } from '../../base/kernel/problem.ts'
import type { PublishedKeys } from '../../base/protocols/x402/signed/judge.ts'
import { assetOf, railOf } from '../../chain/client/rails.ts'
import { allowPermit2 } from '../../chain/relay/pull/permit2.ts'
import { declined } from '../../money/cards/debit.ts'
import { endTransaction } from '../../money/cards/transactions.ts'
import {
  checkSameIntent,
  digestOf,
  type PayAsk,
  type PayResult,
  withTransaction,
} from './offer/ask.ts'
import { authorizePayment, lookLater, type Order } from './offer/authorize.ts'
import { type Header, sign } from './offer/sign.ts'
import { capturePayment, releasePayment } from './outcome.ts'
import { readAnswer } from './seller/claims.ts'
import { type Presented, presentAgain } from './seller/exchange.ts'
import { findSellerKeys } from './seller/keys.ts'
import { isSuccess } from './seller/status.ts'
import {
  findPayment,
  isOpen,
  isServed,
  isTaken,
  lockPayment,
  type OutboundPayment,
  saveAnotherPresentation,
  saveAnswer,
  savePresented,
} from './store.ts'
import { findPaymentUse, type PaymentUse } from './use.ts'

/** The time that a request waits for the chain to show the payment, and the pause between two looks. */
const WATCH_SECONDS = 3
const WATCH_STEP_MS = 200

/** Pays an offer by one EIP-3009 authorization or one permit: hold, signature, stored header, then one request with the header. */
export async function payOnChain(
  services: Uses<'chain' | 'clock' | 'db' | 'egress' | 'log' | 'relay'>,
  ask: PayAsk,
  chosen: Pick<Order, 'priced' | 'block' | 'intent' | 'spend'> & { url: URL },
): Promise<PayResult> {
  const { db, chain } = services
  const { url, ...offer } = chosen
  const order = {
    ...ask,
    ...offer,
    chain,
    method: ask.request.method,
    url: url.href,
    merchant: url.host,
    requestDigest: digestOf(ask),
  }
  const authorized = await db.write((tx) => authorizePayment(tx, ask.at, order))
  if (authorized.kind === 'declined') throw declined(authorized.denied)
  if (authorized.kind === 'earlier') return resumeOnChain(services, ask, authorized.payment)
  const { payment } = authorized
  reach('payments.after_hold')
  if (payment.mechanism !== 'eip3009')
    await allowPermit2({ ...services, rail: railOf(services.chain, payment.asset) }, ask.at, {
      needed: payment.maxAmount,
    })
  const header = await sign(chain, payment, chosen.priced)
  reach('payments.after_sign')
  if (!(await db.write((tx) => savePresented(tx, payment.id, header))))
    return resumeOnChain(services, ask, await reload(services, payment.id))
  reach('payments.after_store')
  return present(services, ask, { payment, header })
}

/**
 * A request whose key already has a payment never makes another. While the authorization is valid, the same one is
 * presented again, so that a crash does not cost the agent what it paid for; and when the money is taken, until the seller
 * has served. Otherwise the answer is the payment's current state.
 */
export async function resumeOnChain(
  services: Uses<'chain' | 'clock' | 'db' | 'egress' | 'log'>,
  ask: PayAsk,
  payment: OutboundPayment,
): Promise<PayResult> {
  checkSameIntent(ask, payment)
  const { headerName, headerValue } = payment
  const isGood = payment.state === 'presented' && payment.validBefore > unixSeconds(ask.at)
  const isOwed = isTaken(payment) && !isServed(payment)
  if ((isGood || isOwed) && headerName && headerValue) {
    if (await services.db.write((tx) => saveAnotherPresentation(tx, payment.id)))
      return present(services, ask, { payment, header: { headerName, headerValue } })
  }
  return { kind: 'paid', payment: await reload(services, payment.id), response: undefined }
}

async function present(
  services: Uses<'chain' | 'clock' | 'db' | 'egress' | 'log'>,
  ask: PayAsk,
  signed: { payment: OutboundPayment; header: Header },
): Promise<PayResult> {
  const { id, url } = signed.payment
  const presented = await presentAgain(services.egress, ask.request, {
    ...{ url, ...signed.header },
    mayAgain: () => services.db.write((tx) => saveAnotherPresentation(tx, id)),
  })
  reach('payments.after_answer')
  if (presented.kind === 'unsent') {
    if (await releaseUnsent(services, id)) throw withTransaction(presented.problem, id)
    return { kind: 'paid', payment: await reload(services, id), response: undefined }
  }
  const [use, sellerKeys] = await Promise.all([
    watchForUse(services, signed.payment),
    findSellerKeys(services.egress, {
      payment: signed.payment,
      presented,
      place: ask.request.place,
    }),
  ])
  reach('payments.before_capture')
  await services.db.write((tx) => recordAnswer(tx, services, { id, presented, use, sellerKeys }))
  reach('payments.after_capture')
  if (presented.kind === 'lost')
    services.log.info(
      { payment: id, kind: presented.error.kind },
      'the answer of a seller was lost',
    )
  const response = presented.kind === 'answered' ? presented.response : undefined
  return { kind: 'paid', payment: await reload(services, id), response }
}

/**
 * Nobody can use an authorization that never left this process. If it was presented more than once, an earlier request
 * may have delivered it, and only the chain can tell.
 */
async function releaseUnsent(
  services: Uses<'chain' | 'clock' | 'db'>,
  id: string,
): Promise<boolean> {
  return services.db.write(async (tx) => {
    const payment = await lockPayment(tx, id)
    if (payment?.presentations !== 1) return false
    const asset = assetOf(services.chain, payment)
    return releasePayment(tx, services.clock.now(), { id, asset, reason: 'seller_unreachable' })
  })
}

/** Looks for the payment on the chain for a few seconds: sellers settle before they answer, or just after. */
async function watchForUse(
  services: Uses<'chain' | 'clock' | 'log'>,
  payment: OutboundPayment,
): Promise<PaymentUse | undefined> {
  const { chain } = services
  // Bounded by the clock, not by the number of looks: a chain that does not answer takes many seconds to fail.
  const end = addSeconds(services.clock.now(), WATCH_SECONDS)
  for (let looks = 0; looks === 0 || services.clock.now() < end; looks++) {
    if (looks > 0) await sleep(WATCH_STEP_MS)
    try {
      const use = await findPaymentUse(chain, payment)
      if (use) return use
    } catch (error) {
      // An unreachable chain says nothing about the payment: the hold stays, and the job asks again.
      if (!(error instanceof Problem && error.code === 'chain_unavailable')) throw error
      services.log.warn({ payment: payment.id, cause: error.cause }, 'chain not readable')
    }
  }
  return undefined
}

async function recordAnswer(
  tx: Tx,
  { chain, clock }: Uses<'chain' | 'clock'>,
  answered: {
    id: OutboundPayment['id']
    presented: Exclude<Presented, { kind: 'unsent' }>
    use: PaymentUse | undefined
    sellerKeys: PublishedKeys | undefined
  },
): Promise<void> {
  const { id, presented, use, sellerKeys } = answered
  const at = clock.now()
  const payment = await lockPayment(tx, id)
  assert(payment, `payment ${id} exists`)
  await saveAnswer(tx, id, { ...readAnswer(payment.protocol, presented), sellerKeys })
  if (use) await capturePayment(tx, at, { id, asset: assetOf(chain, payment), use })
  else if (isOpen(payment) && !(presented.kind === 'answered' && isSuccess(presented.response)))
    await endTransaction(tx, id, { status: 'UNKNOWN' })
  await lookLater(tx, { id, looks: 0 })
}

async function reload(services: Uses<'db'>, id: string): Promise<OutboundPayment> {
  const payment = await findPayment(services.db.reader, id)
  assert(payment, `payment ${id} exists`)
  return payment
}
