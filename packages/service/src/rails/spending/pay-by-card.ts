import { keyTakenOver } from '../../api/http/idempotency.ts'
import type { Uses } from '../../api/http/services.ts'
import type { Tx } from '../../base/db/sql.ts'
import type { EgressResponse } from '../../base/egress/egress.ts'
import { assert } from '../../base/kernel/assert.ts'
import { reach } from '../../base/kernel/fault-points.ts'
import { writeCredential } from '../../base/protocols/mpp/headers/credential.ts'
import { assetOf } from '../../chain/client/rails.ts'
import { issueTokenForLink } from '../../links/pay-links/methods/card/issue-token.ts'
import { type Denied, declined } from '../../money/cards/debit.ts'
import { lockCard } from '../../money/cards/store.ts'
import { releaseCardToken } from '../../money/cards/tokens/redeem.ts'
import { findToken, type IssuedToken, lockToken } from '../../money/cards/tokens/store.ts'
import { endTransaction } from '../../money/cards/transactions.ts'
import {
  boughtBy,
  checkSameIntent,
  digestOf,
  type PayAsk,
  type PayResult,
  withTransaction,
} from './offer/ask.ts'
import { challengeUsed, checkAccess } from './offer/authorize.ts'
import { type CardOffer, shownOffer } from './offer/offer.ts'
import { readAnswer } from './seller/claims.ts'
import { type Presented, presentAgain } from './seller/exchange.ts'
import { isSuccess, mayServeLater } from './seller/status.ts'
import {
  type CardPayment,
  countCardPresentation,
  findCardPayment,
  findCardPaymentByKey,
  findPaymentByKey,
  freeKey,
  insertCardPayment,
  isServed,
  saveCardAnswer,
} from './store.ts'

type Chosen = { priced: CardOffer; url: URL }
type Authorized =
  | { kind: 'authorized' | 'earlier'; payment: CardPayment }
  | { kind: 'declined'; denied: Denied }

/**
 * Pays a challenge of this service by a card token. One transaction holds the money and stores the credential; then the
 * credential is presented. Our own books say how it ended. A job releases a token that is not redeemed before its
 * challenge ends. A token that the seller refused is released at once: nobody but us could redeem it later.
 */
export async function payByCard(
  services: Uses<'chain' | 'clock' | 'db' | 'egress' | 'mppKeys' | 'settings'>,
  ask: PayAsk,
  chosen: Chosen,
): Promise<PayResult> {
  const authorized = await services.db.write((tx) => authorize(tx, services, { ask, chosen }))
  if (authorized.kind === 'declined') throw declined(authorized.denied)
  if (authorized.kind === 'earlier') return resumeByCard(services, ask, authorized.payment)
  reach('payments.after_store')
  return present(services, ask, authorized.payment)
}

/** As `resumeOnChain`: the same credential is presented again while the token is held, and until the seller has served. */
export async function resumeByCard(
  services: Uses<'chain' | 'clock' | 'db' | 'egress'>,
  ask: PayAsk,
  payment: CardPayment,
): Promise<PayResult> {
  checkSameIntent(ask, payment)
  const token = await tokenOf(services, payment)
  const isGood = token.state === 'held' && token.expiresAt > ask.at
  const isOwed = token.state === 'redeemed' && !isServed(payment)
  if (!isGood && !isOwed) return madeBy(services, payment.id, undefined)
  await services.db.write((tx) => countCardPresentation(tx, payment.id))
  return present(services, ask, await reload(services, payment.id))
}

async function authorize(
  tx: Tx,
  services: Uses<'chain' | 'mppKeys' | 'settings'>,
  { ask, chosen }: { ask: PayAsk; chosen: Chosen },
): Promise<Authorized> {
  const { at, claim } = ask
  const { priced, url } = chosen
  const { challenge } = priced.offer
  const card = checkAccess(await lockCard(tx, ask.cardId), ask)
  const earlier = claim && (await findCardPaymentByKey(tx, claim.walletAddress, claim.key))
  if (earlier) return { kind: 'earlier', payment: earlier }
  if (claim && (await findPaymentByKey(tx, claim.walletAddress, claim.key))) throw keyTakenOver()
  const issued = await issueTokenForLink(tx, at, {
    services,
    card,
    challenge,
    bought: boughtBy(ask),
  })
  if (issued.kind === 'declined') return issued
  const id = issued.token.transactionId
  const isNew = await insertCardPayment(tx, {
    id,
    challengeId: challenge.id,
    walletAddress: card.walletAddress,
    cardId: card.id,
    idempotencyKey: claim?.key ?? null,
    requestDigest: digestOf(ask),
    method: ask.request.method,
    url: url.href,
    offer: shownOffer(priced),
    fee: priced.fee,
    ...writeCredential({ challenge, payload: issued.payload }),
    createdAt: at,
  })
  if (!isNew) throw challengeUsed(priced)
  const payment = await findCardPayment(tx, id)
  assert(payment, 'the payment was written')
  return { kind: 'authorized', payment }
}

async function present(
  services: Uses<'chain' | 'clock' | 'db' | 'egress'>,
  ask: PayAsk,
  payment: CardPayment,
): Promise<PayResult> {
  const { id, url, headerName, headerValue } = payment
  const presented = await presentAgain(services.egress, ask.request, {
    ...{ url, headerName, headerValue },
    mayAgain: async () => {
      const { state } = await tokenOf(services, payment)
      if (state === 'released') return false
      await services.db.write((tx) => countCardPresentation(tx, id))
      return true
    },
  })
  reach('payments.after_answer')
  if (presented.kind === 'unsent') {
    // If an earlier request delivered the token, it has ended or may still be redeemed.
    const isBack =
      payment.presentations === 1 && (await release(services, payment, 'seller_unreachable'))
    if (isBack) throw withTransaction(presented.problem, id)
  } else {
    await recordAnswer(services, payment, presented)
  }
  reach('payments.after_capture')
  return madeBy(services, id, presented.kind === 'answered' ? presented.response : undefined)
}

/**
 * The payment as it stands. One that came to nothing frees its key: no seller can take its token any more, so another payment under the
 * key is its first.
 */
async function madeBy(
  services: Uses<'db'>,
  id: string,
  response: EgressResponse | undefined,
): Promise<PayResult> {
  const payment = await reload(services, id)
  const token = await tokenOf(services, payment)
  if (token.state === 'released' && payment.idempotencyKey !== null && !isServed(payment))
    await services.db.write((tx) => freeKey(tx, id))
  return { kind: 'paid_by_card', payment, token, response }
}

async function recordAnswer(
  services: Uses<'chain' | 'clock' | 'db'>,
  payment: CardPayment,
  presented: Exclude<Presented, { kind: 'unsent' }>,
): Promise<void> {
  const { db } = services
  await db.write((tx) => saveCardAnswer(tx, payment.id, readAnswer('mpp', presented)))
  const status = presented.kind === 'answered' ? presented.response.status : undefined
  // A 4xx refusal means that the seller did nothing. A server error leaves open what it did, and so does "later".
  if (status !== undefined && status >= 400 && !mayServeLater(status))
    await release(services, payment, 'refused')
  else if (status === undefined || !isSuccess({ status }))
    await db.write(async (tx) => {
      const token = await lockToken(tx, payment.challengeId)
      if (token?.state === 'held') await endTransaction(tx, payment.id, { status: 'UNKNOWN' })
    })
}

/** Returns the money of a token that was not redeemed. Returns false if the token has ended. */
const release = (
  { db, chain, clock }: Uses<'chain' | 'clock' | 'db'>,
  payment: CardPayment,
  reason: 'seller_unreachable' | 'refused',
): Promise<boolean> =>
  db.write(async (tx) => {
    const token = await lockToken(tx, payment.challengeId)
    assert(token, `the token of ${payment.id} exists`)
    return releaseCardToken(tx, clock.now(), { token, asset: assetOf(chain, token), reason })
  })

async function tokenOf({ db }: Uses<'db'>, payment: CardPayment): Promise<IssuedToken> {
  const token = await findToken(db.reader, payment.challengeId)
  assert(token, `the token of ${payment.id} exists`)
  return token
}

async function reload({ db }: Uses<'db'>, id: string): Promise<CardPayment> {
  const payment = await findCardPayment(db.reader, id)
  assert(payment, `payment ${id} exists`)
  return payment
}
