import { all, one, type RawBuilder, type Reader, run, sql, type Tx } from '../../base/db/sql.ts'
import type { Address, Hex } from '../../base/kernel/assets.ts'
import { addSeconds, unixSeconds } from '../../base/kernel/clock.ts'
import type { Id } from '../../base/kernel/ids.ts'
import { type Amount, plus } from '../../base/kernel/money.ts'
import type { Mechanism } from '../../base/protocols/x402/challenge.ts'
import type { PublishedKeys } from '../../base/protocols/x402/signed/judge.ts'
import type { JsonObject } from '../../base/protocols/x402/wire.ts'
import { isTokenHeld, isTokenRedeemed } from '../../money/cards/tokens/store.ts'
import { isUnknown } from '../../money/cards/transactions.ts'
import type { SellerAnswer, SellerProblem, SellerReceipt, Served } from './seller/claims.ts'
import { isSuccess, SERVES_LATER } from './seller/status.ts'

/**
 * authorized: money held, and nobody has a signature. presented: the seller may have the authorization. captured: the
 * chain has used it. final: beyond reorganization. released: it can never be used, and the money is back. undone: a
 * reorganization removed the use for good, and the money is back.
 */
export type PaymentState = 'authorized' | 'presented' | 'captured' | 'final' | 'released' | 'undone'

/**
 * A payment to a seller outside. Its id is also the id of the card transaction, and the ref of hold, transfers and
 * events.
 */
export type OutboundPayment = {
  id: Id<'txn'>
  walletAddress: string
  cardId: string
  holdId: Id<'hold'>
  idempotencyKey: string | null
  requestDigest: Buffer
  /**
   * The method of the request that carried it; `HANDED_OUT` if the agent carries it, to what the agent says is at
   * `url`.
   */
  method: string
  url: string
  network: string
  asset: string
  protocol: 'x402' | 'mpp'
  offer: unknown
  /** The seller's signature on the offer, as it came. */
  signedOffer: JsonObject | null
  payTo: Address
  merchantAmount: Amount
  fee: Amount
  mechanism: Mechanism
  /** The most that the seller may take; above `merchantAmount` once less was used. */
  maxAmount: Amount
  /** The rule of the fee, for the part that is used. */
  feeBps: number
  feeFlat: Amount
  nonce: Hex
  /** The address that signs the authorization. */
  payer: Address
  /** Unix seconds; the authorization is valid before this time. */
  validBefore: bigint
  fromBlock: bigint
  state: PaymentState
  headerName: string | null
  headerValue: string | null
  presentations: number
  responseStatus: number | null
  /** The seller's reports of the settlement and of errors. They are only claims. */
  receipt: SellerReceipt | null
  /** The keys that the seller's host published for its signatures, by their names. */
  sellerKeys: PublishedKeys | null
  problem: SellerProblem | null
  /** The digest of the answer that came with `responseStatus`. */
  served: Served | null
  txHash: Hex | null
  blockNumber: bigint | null
  createdAt: Date
  endedAt: Date | null
}
export type NewPayment = Omit<
  OutboundPayment,
  | 'state'
  | 'headerName'
  | 'headerValue'
  | 'presentations'
  | 'responseStatus'
  | 'receipt'
  | 'sellerKeys'
  | 'problem'
  | 'served'
  | 'txHash'
  | 'blockNumber'
  | 'endedAt'
>

/** Everything that leaves the card: the seller's amount and our fee. */
export const debitOf = (payment: Pick<OutboundPayment, 'merchantAmount' | 'fee'>): Amount =>
  plus(payment.merchantAmount, payment.fee)

/** The method of a payment that the agent presents itself, without a request of ours. */
export const HANDED_OUT = 'HANDED_OUT'

/** The payee as people see it. For a payment that the agent carries, the agent's own words are ignored. */
export const merchantOf = ({ method, url, payTo }: OutboundPayment): string =>
  method === HANDED_OUT ? payTo : new URL(url).host

/** Whether the hold is still open, because the chain may yet use the authorization. */
export const isOpen = ({ state }: OutboundPayment): boolean =>
  state === 'authorized' || state === 'presented'

/** Whether the seller has the money. */
export const isTaken = ({ state }: OutboundPayment): boolean =>
  state === 'captured' || state === 'final'

/** Whether an answer of the seller, now or before, gave what was paid for. */
export const isServed = ({ responseStatus }: Pick<OutboundPayment, 'responseStatus'>): boolean =>
  responseStatus !== null && isSuccess({ status: responseStatus })

/** Payments of cards to sellers elsewhere, for statements of other rooms. */
export const OUTBOUND = sql.raw('outbound_payments o')

const COLUMNS =
  sql.raw(`id, wallet_address, card_id, hold_id, idempotency_key, request_digest, method, url, network,
  asset, protocol, offer, signed_offer, pay_to, merchant_amount, fee, mechanism, max_amount, fee_bps, fee_flat, nonce, payer, valid_before, from_block, state, header_name, header_value,
  presentations, response_status, receipt, seller_keys, problem, served, tx_hash, block_number, created_at, ended_at`)

/** Inserts a new payment. Returns false if a payment with its nonce exists: nobody may sign for both. */
export async function insertPayment(tx: Tx, p: NewPayment): Promise<boolean> {
  const written = await run(
    tx,
    sql`insert into outbound_payments (id, wallet_address, card_id, hold_id, idempotency_key, request_digest, method,
      url, network, asset, protocol, offer, signed_offer, pay_to, merchant_amount, fee, mechanism, max_amount, fee_bps,
      fee_flat, nonce, payer, valid_before, from_block, created_at)
    values (${p.id}, ${p.walletAddress}, ${p.cardId}, ${p.holdId}, ${p.idempotencyKey}, ${p.requestDigest}, ${p.method},
      ${p.url}, ${p.network}, ${p.asset}, ${p.protocol}, ${JSON.stringify(p.offer)}::json,
      ${jsonOf(p.signedOffer)}::json, ${p.payTo},
      ${p.merchantAmount}, ${p.fee}, ${p.mechanism}, ${p.maxAmount}, ${p.feeBps}, ${p.feeFlat}, ${p.nonce}, ${p.payer}, ${p.validBefore}, ${p.fromBlock}, ${p.createdAt})
    on conflict (nonce) do nothing`,
  )
  return written === 1
}

/** The nonces, of those given, that already have a payment. */
export async function findKnownNonces(on: Reader, nonces: Hex[]): Promise<Set<Hex>> {
  const rows = await all<{ nonce: Hex }>(
    on,
    sql`select nonce from outbound_payments where nonce = any(${nonces}::text[])`,
  )
  return new Set(rows.map((row) => row.nonce))
}

export const findPayment = (on: Reader, id: string): Promise<OutboundPayment | undefined> =>
  one<OutboundPayment>(on, sql`select ${COLUMNS} from outbound_payments where id = ${id}`)

/** The payment, locked until the transaction ends. Lock it before its card. */
export const lockPayment = (tx: Tx, id: string): Promise<OutboundPayment | undefined> =>
  one<OutboundPayment>(
    tx,
    sql`select ${COLUMNS} from outbound_payments where id = ${id} for update`,
  )

/** The payment that an earlier request with this Idempotency-Key made. */
export const findPaymentByKey = (
  on: Reader,
  walletAddress: string,
  key: string,
): Promise<OutboundPayment | undefined> =>
  one<OutboundPayment>(
    on,
    sql`select ${COLUMNS} from outbound_payments
      where wallet_address = ${walletAddress} and idempotency_key = ${key}`,
  )

/** How long a request without a key means the payment that it was not served for. Paywalls of ours know it for two days. */
const OWED_SECONDS = 86_400

/** Whether a seller that took the money gave no answer, or one that says that it may serve later. */
const isOwed = (at: Date): RawBuilder<boolean> =>
  sql`created_at > ${addSeconds(at, -OWED_SECONDS)}
    and (response_status is null or response_status >= 500 or response_status = any(${SERVES_LATER}::integer[]))`

/**
 * A payment of this card for the same request that the seller owes an answer for: it may still take the money and its answer
 * was lost, or it took the money. The repeated request means that payment.
 */
export const findUnansweredRepeat = (
  on: Reader,
  { at, cardId, requestDigest }: { cardId: string; requestDigest: Buffer; at: Date },
): Promise<OutboundPayment | undefined> =>
  one<OutboundPayment>(
    on,
    sql`select ${COLUMNS} from outbound_payments where card_id = ${cardId}
      and request_digest = ${requestDigest} and idempotency_key is null
      and (state = 'presented' and valid_before > ${unixSeconds(at)} and ${isUnknown('outbound_payments.id')}
        or state in ('captured', 'final') and ${isOwed(at)})
      order by created_at desc limit 1`,
  )

/** Stores the signed header and counts its first presentation. Returns false if the payment has moved on. */
export async function savePresented(
  tx: Tx,
  id: string,
  header: { headerName: string; headerValue: string },
): Promise<boolean> {
  const changed = await run(
    tx,
    sql`update outbound_payments set state = 'presented', header_name = ${header.headerName},
      header_value = ${header.headerValue}, presentations = 1 where id = ${id} and state = 'authorized'`,
  )
  return changed === 1
}

/** Counts one more presentation of the stored header. Returns false if the payment is not waiting for one. */
export async function saveAnotherPresentation(tx: Tx, id: string): Promise<boolean> {
  const changed = await run(
    tx,
    sql`update outbound_payments set presentations = presentations + 1
      where id = ${id} and state in ('presented', 'captured', 'final')`,
  )
  return changed === 1
}

/** The answer of a seller that served stays: a payment that is presented once more is only called used. */
const IS_UNSERVED = sql`(response_status is null or response_status not between 200 and 299)`

/** Stores the seller's answer, for the record. */
export async function saveAnswer(
  tx: Tx,
  id: string,
  answered: SellerAnswer & { sellerKeys: PublishedKeys | undefined },
): Promise<void> {
  const { status, receipt, problem, served, sellerKeys } = answered
  await sql`update outbound_payments set response_status = coalesce(${status}::integer, response_status),
    receipt = coalesce(${jsonOf(receipt)}::json, receipt), problem = coalesce(${jsonOf(problem)}::json, problem),
    served = coalesce(${jsonOf(served)}::json, served),
    seller_keys = coalesce(${jsonOf(sellerKeys)}::json, seller_keys)
    where id = ${id} and ${IS_UNSERVED}`.execute(tx)
}

const jsonOf = (value: unknown): string | null => (value ? JSON.stringify(value) : null)

/** Stores the state on the chain: the use that the chain shows, or that there is none and never will be. */
export async function saveState(
  tx: Tx,
  id: string,
  now: {
    state: PaymentState
    use: { txHash: Hex; blockNumber: bigint } | null
    endedAt: Date | null
  },
): Promise<void> {
  await sql`update outbound_payments set state = ${now.state}, tx_hash = ${now.use?.txHash ?? null},
    block_number = ${now.use?.blockNumber ?? null}, ended_at = ${now.endedAt} where id = ${id}`.execute(
    tx,
  )
}

/** Stores how much of an upto payment was used, and the fee on it. */
export async function saveUsed(
  tx: Tx,
  { id, merchantAmount, fee }: Pick<OutboundPayment, 'id' | 'merchantAmount' | 'fee'>,
): Promise<void> {
  await sql`update outbound_payments set merchant_amount = ${merchantAmount}, fee = ${fee} where id = ${id}`.execute(
    tx,
  )
}

/** Payments older than `before` whose end is not known yet. */
export async function findUnfinished(on: Reader, before: Date): Promise<Id<'txn'>[]> {
  const rows = await all<{ id: Id<'txn'> }>(
    on,
    sql`select id from outbound_payments where state in ('authorized', 'presented', 'captured')
      and created_at < ${before} order by created_at limit 500`,
  )
  return rows.map((row) => row.id)
}

/**
 * A payment by one of our card tokens. Its id is that of the card transaction; the token has the state of the money.
 */
export type CardPayment = Pick<
  OutboundPayment,
  | 'id'
  | 'walletAddress'
  | 'cardId'
  | 'idempotencyKey'
  | 'requestDigest'
  | 'method'
  | 'url'
  | 'offer'
  | 'fee'
  | 'presentations'
  | 'responseStatus'
  | 'receipt'
  | 'problem'
  | 'served'
  | 'createdAt'
> & { challengeId: string; headerName: string; headerValue: string }

const CARD_COLUMNS =
  sql.raw(`p.id, p.challenge_id, p.wallet_address, p.card_id, p.idempotency_key, p.request_digest, p.method, p.url,
  p.offer, p.fee, p.header_name, p.header_value, p.presentations, p.response_status, p.receipt, p.problem, p.served, p.created_at`)

/** Inserts a card payment, presented once. Returns false if its challenge already has one. */
export async function insertCardPayment(
  tx: Tx,
  p: Omit<CardPayment, 'presentations' | 'responseStatus' | 'receipt' | 'problem' | 'served'>,
): Promise<boolean> {
  const written = await run(
    tx,
    sql`insert into card_token_payments (id, challenge_id, wallet_address, card_id, idempotency_key, request_digest,
      method, url, offer, fee, header_name, header_value, created_at)
    values (${p.id}, ${p.challengeId}, ${p.walletAddress}, ${p.cardId}, ${p.idempotencyKey}, ${p.requestDigest},
      ${p.method}, ${p.url}, ${JSON.stringify(p.offer)}::json, ${p.fee}, ${p.headerName}, ${p.headerValue},
      ${p.createdAt})
    on conflict (challenge_id) do nothing`,
  )
  return written === 1
}

export const findCardPayment = (on: Reader, id: string): Promise<CardPayment | undefined> =>
  one<CardPayment>(on, sql`select ${CARD_COLUMNS} from card_token_payments p where p.id = ${id}`)

export const findCardPaymentByKey = (
  on: Reader,
  walletAddress: string,
  key: string,
): Promise<CardPayment | undefined> =>
  one<CardPayment>(
    on,
    sql`select ${CARD_COLUMNS} from card_token_payments p
      where p.wallet_address = ${walletAddress} and p.idempotency_key = ${key}`,
  )

/** As `findUnansweredRepeat`, for a card payment. */
export const findUnansweredCardRepeat = (
  on: Reader,
  of: { cardId: string; requestDigest: Buffer; at: Date },
): Promise<CardPayment | undefined> =>
  one<CardPayment>(
    on,
    sql`select ${CARD_COLUMNS} from card_token_payments p
      where p.card_id = ${of.cardId} and p.request_digest = ${of.requestDigest} and p.idempotency_key is null
        and (${isTokenHeld('p.challenge_id', of.at)} and ${isUnknown('p.id')}
          or ${isTokenRedeemed('p.challenge_id')} and ${isOwed(of.at)})
      order by p.created_at desc limit 1`,
  )

/** Counts one more presentation of the stored header. */
export async function countCardPresentation(tx: Tx, id: string): Promise<void> {
  await sql`update card_token_payments set presentations = presentations + 1 where id = ${id}`.execute(
    tx,
  )
}

/** The key of a card payment that came to nothing may buy once more. */
export const freeKey = (tx: Tx, id: string): Promise<number> =>
  run(tx, sql`update card_token_payments set idempotency_key = null where id = ${id}`)

/** As `saveAnswer`. */
export async function saveCardAnswer(tx: Tx, id: string, answered: SellerAnswer): Promise<void> {
  const { status, receipt, problem, served } = answered
  await sql`update card_token_payments set response_status = coalesce(${status}::integer, response_status),
    receipt = coalesce(${jsonOf(receipt)}::json, receipt), problem = coalesce(${jsonOf(problem)}::json, problem),
    served = coalesce(${jsonOf(served)}::json, served)
    where id = ${id} and ${IS_UNSERVED}`.execute(tx)
}
