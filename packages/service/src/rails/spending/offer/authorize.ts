import { type Caller, mayUseCard } from '../../../api/http/caller.ts'
import { type Claim, keyTakenOver } from '../../../api/http/idempotency.ts'
import type { Reader, Tx } from '../../../base/db/sql.ts'
import { enqueue } from '../../../base/jobs/queue.ts'
import { defineTask, IdField, Looks } from '../../../base/jobs/task.ts'
import { assert } from '../../../base/kernel/assert.ts'
import type { Address, Hex } from '../../../base/kernel/assets.ts'
import { unixSeconds } from '../../../base/kernel/clock.ts'
import { type Id, newId } from '../../../base/kernel/ids.ts'
import { notFound, Problem } from '../../../base/kernel/problem.ts'
import { expiryOf } from '../../../base/protocols/mpp/headers/challenge.ts'
import { challengeNonce } from '../../../base/protocols/mpp/methods/evm.ts'
import { findSignedOffer } from '../../../base/protocols/x402/signed/read.ts'
import type { JsonObject } from '../../../base/protocols/x402/wire.ts'
import { type Chain, nonceOf } from '../../../chain/client/chain.ts'
import { searchFrom, secondsToNextLook } from '../../../chain/transfers/reads/schedule.ts'
import type { CardWithMoney } from '../../../money/cards/card.ts'
import { type Denied, holdOnCard } from '../../../money/cards/debit.ts'
import type { Spend } from '../../../money/cards/policy.ts'
import { findCard, lockCard } from '../../../money/cards/store.ts'
import { checkToken } from '../../../money/cards/token.ts'
import { insertTransactions, type NewTransaction } from '../../../money/cards/transactions.ts'
import { spentAsset } from '../money.ts'
import {
  findCardPaymentByKey,
  findPayment,
  findPaymentByKey,
  insertPayment,
  type OutboundPayment,
} from '../store.ts'
import {
  type ChainOffer,
  mechanismOf,
  type PricedOffer,
  protocolOf,
  shownOffer,
  shownRefusals,
} from './offer.ts'
import type { PaymentIntent } from './sign.ts'

/** Looks at the chain until a payment has ended. */
export const reconcilePaymentTask = defineTask({
  name: 'reconcile_payment',
  payload: { payment_id: IdField('txn'), looks: Looks },
  key: 'payment_id',
})

/** Schedules the next look at the chain, after so many looks. */
export const lookLater = (
  tx: Tx,
  look: { id: OutboundPayment['id']; looks: number },
): Promise<void> =>
  enqueue(
    tx,
    reconcilePaymentTask,
    { payment_id: look.id, looks: look.looks },
    { delaySeconds: secondsToNextLook(look.looks) },
  )

export type CardAccess = { caller: Caller; cardId: string; cardToken: string }
export type Order = CardAccess & {
  chain: Chain
  claim: Claim | undefined
  requestDigest: Buffer
  method: string
  /** The URL that answered 402, to which the payment goes. */
  url: string
  /** The payee's name as people see it. */
  merchant: string
  spend: Spend
  priced: ChainOffer
  /** The newest block at the start of this order. */
  block: { number: bigint; at: Date }
  intent: PaymentIntent | undefined
}
export type Authorized =
  | { kind: 'authorized'; payment: OutboundPayment }
  /** An earlier request with the same Idempotency-Key made this payment. */
  | { kind: 'earlier'; payment: OutboundPayment }
  | { kind: 'declined'; denied: Denied }

/** The longest validity of a signed authorization, in seconds. */
const VALIDITY_MAX_SECONDS = 120
/** The first look at the chain is due this long after the authorization has expired, if none was made earlier. */
const GRACE_SECONDS = 10

/** The card that the caller may debit. Answers 404 for a card of another wallet, 401 for a wrong token. */
export async function findPayingCard(on: Reader, access: CardAccess): Promise<CardWithMoney> {
  return checkAccess(await findCard(on, access.cardId), access)
}

export function checkAccess(card: CardWithMoney | undefined, access: CardAccess): CardWithMoney {
  const { caller, cardId, cardToken } = access
  if (card?.walletAddress !== caller.walletAddress || !mayUseCard(caller, cardId))
    throw notFound('card')
  checkToken(card, cardToken)
  return card
}

/**
 * The first transaction of a payment: policy, hold, the payment's row, and the job that ends it whatever happens next.
 * Nothing is signed before the commit. A decline is recorded and answered.
 */
export async function authorizePayment(tx: Tx, at: Date, order: Order): Promise<Authorized> {
  const { chain, claim, priced } = order
  const card = checkAccess(await lockCard(tx, order.cardId), order)
  const earlier = claim && (await findPaymentByKey(tx, claim.walletAddress, claim.key))
  if (earlier) return { kind: 'earlier', payment: earlier }
  if (claim && (await findCardPaymentByKey(tx, claim.walletAddress, claim.key)))
    throw keyTakenOver()
  const id = newId('txn', at)
  const asset = spentAsset(chain)
  if (card.asset !== asset.symbol)
    throw new Problem(
      'invalid_payment',
      `The card holds ${card.asset}. URLs are paid in ${asset.symbol}.`,
    )
  const hold = await holdOnCard(tx, at, { card, spend: order.spend, ref: id, asset })
  if (hold.kind === 'declined') return hold
  const rail = railOf(order)
  await insertTransactions(tx, [sentBy(card, at, { id, order })])
  const { number, at: blockAt } = order.block
  const { validSeconds, ...terms } = authorizationTerms(priced, {
    id,
    blockAt,
    intent: order.intent,
  })
  const isNew = await insertPayment(tx, {
    id,
    walletAddress: card.walletAddress,
    cardId: card.id,
    holdId: hold.holdId,
    idempotencyKey: claim?.key ?? null,
    requestDigest: order.requestDigest,
    method: order.method,
    url: order.url,
    ...rail,
    ...terms,
    offer: shownOffer(priced),
    signedOffer: signedOfferOf(priced),
    merchantAmount: priced.merchantAmount,
    fee: priced.fee,
    mechanism: mechanismOf(priced),
    maxAmount: priced.merchantAmount,
    feeBps: Number(priced.tariff.bps),
    feeFlat: priced.tariff.flat,
    payer: chain.treasury.address,
    fromBlock: order.intent?.made?.blockNumber ?? searchFrom(number),
    createdAt: at,
  })
  if (!isNew) throw challengeUsed(priced)
  await enqueue(
    tx,
    reconcilePaymentTask,
    { payment_id: id },
    { delaySeconds: validSeconds + GRACE_SECONDS },
  )
  const payment = await findPayment(tx, id)
  assert(payment, 'the payment was written')
  return { kind: 'authorized', payment }
}

/** The seller's signature on the offer, as it came. */
const signedOfferOf = (priced: ChainOffer): JsonObject | null =>
  priced.method === 'x402' ? (findSignedOffer(priced.challenge, priced.offer)?.sent ?? null) : null

const railOf = ({ chain, priced }: Order) => ({
  network: chain.network,
  asset: spentAsset(chain).symbol,
  protocol: protocolOf(priced),
})

const sentBy = (
  { id: cardId, walletAddress }: CardWithMoney,
  at: Date,
  { id, order }: { id: Id<'txn'>; order: Order },
): NewTransaction => ({
  id,
  cardId,
  walletAddress,
  ref: id,
  direction: 'sent',
  status: 'PENDING',
  txHash: null,
  memo: '',
  amount: order.priced.debit,
  fee: order.priced.fee,
  merchant: order.merchant,
  ...railOf(order),
  createdAt: at,
  settledAt: null,
})

/**
 * The terms of the authorization for an offer, fixed before it is signed. `blockAt` is the time of the newest block.
 */
function authorizationTerms(
  priced: ChainOffer,
  of: { id: Id<'txn'>; blockAt: Date; intent: PaymentIntent | undefined },
): { payTo: Address; nonce: Hex; validSeconds: number; validBefore: bigint } {
  const from = unixSeconds(of.blockAt)
  const until = Math.min(endOf(priced, from), from + VALIDITY_MAX_SECONDS)
  return {
    ...(priced.method === 'x402'
      ? { payTo: priced.offer.payTo, nonce: of.intent?.nonce ?? nonceOf('pay', of.id) }
      : {
          payTo: priced.offer.charge.recipient,
          nonce: challengeNonce(priced.offer.challenge),
        }),
    validSeconds: until - from,
    validBefore: BigInt(until),
  }
}

/** Unix seconds by which the seller has to settle. x402 counts from now; an MPP challenge names its end. */
function endOf(priced: ChainOffer, from: number): number {
  if (priced.method === 'x402') return from + priced.offer.maxTimeoutSeconds
  const expiry = expiryOf(priced.offer.challenge)
  return expiry ? unixSeconds(expiry) : Number.POSITIVE_INFINITY
}

/** The refusal if another payment has used the same challenge: the token takes a nonce once. */
export const challengeUsed = (priced: PricedOffer): Problem =>
  new Problem(
    'no_payable_option',
    'The seller handed out a challenge that is being paid already. Ask again for one of your own.',
    {
      extra: {
        challenge: shownRefusals(null, [
          { protocol: protocolOf(priced), reason: 'challenge_used', offer: shownOffer(priced) },
        ]),
      },
    },
  )
