import { all, one, type Reader, run, sql, type Tx } from '../db/sql.ts'
import type { Address, Hex } from '../kernel/assets.ts'
import type { Id } from '../kernel/ids.ts'
import { type Amount, plus } from '../kernel/money.ts'
import type { SettlementClaim } from '../protocols/x402/response.ts'

/**
 * authorized: money held, nothing signed that anybody has. presented: the seller may have the authorization.
 * captured: the chain has used it. final: beyond reorganisation. released: it never will be used, the money is back.
 * undone: a reorganisation took the use away for good, the money is back.
 */
export type PaymentState = 'authorized' | 'presented' | 'captured' | 'final' | 'released' | 'undone'

/** A payment to a seller outside. Its id is that of the card transaction, and the ref of hold, transfers and events. */
export type OutboundPayment = {
  id: Id<'txn'>
  walletAddress: string
  cardId: string
  holdId: Id<'hold'>
  idempotencyKey: string | null
  requestDigest: Buffer
  method: string
  url: string
  network: string
  asset: string
  offer: unknown
  payTo: Address
  merchantAmount: Amount
  fee: Amount
  nonce: Hex
  /** Unix seconds; the authorization is good before this. */
  validBefore: bigint
  fromBlock: bigint
  state: PaymentState
  headerName: string | null
  headerValue: string | null
  presentations: number
  responseStatus: number | null
  receipt: SettlementClaim | null
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
  | 'txHash'
  | 'blockNumber'
  | 'endedAt'
>

/** All that leaves the card: the seller's amount and our fee. */
export const debitOf = (payment: Pick<OutboundPayment, 'merchantAmount' | 'fee'>): Amount =>
  plus(payment.merchantAmount, payment.fee)

/** Whether the hold still stands, because the chain may yet use the authorization. */
export const isOpen = ({ state }: OutboundPayment): boolean =>
  state === 'authorized' || state === 'presented'

const COLUMNS =
  sql.raw(`id, wallet_address, card_id, hold_id, idempotency_key, request_digest, method, url, network,
  asset, offer, pay_to, merchant_amount, fee, nonce, valid_before, from_block, state, header_name, header_value,
  presentations, response_status, receipt, tx_hash, block_number, created_at, ended_at`)

export async function insertPayment(tx: Tx, p: NewPayment): Promise<void> {
  await sql`insert into outbound_payments (id, wallet_address, card_id, hold_id, idempotency_key, request_digest, method,
      url, network, asset, offer, pay_to, merchant_amount, fee, nonce, valid_before, from_block, created_at)
    values (${p.id}, ${p.walletAddress}, ${p.cardId}, ${p.holdId}, ${p.idempotencyKey}, ${p.requestDigest}, ${p.method},
      ${p.url}, ${p.network}, ${p.asset}, ${JSON.stringify(p.offer)}::json, ${p.payTo}, ${p.merchantAmount}, ${p.fee},
      ${p.nonce}, ${p.validBefore}, ${p.fromBlock}, ${p.createdAt})`.execute(tx)
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

/**
 * A payment of this card for the same request whose answer was lost, while a seller may still take it: the same request
 * again means that payment.
 */
export const findUnansweredTwin = (
  on: Reader,
  of: { cardId: string; requestDigest: Buffer; nowSeconds: number },
): Promise<OutboundPayment | undefined> =>
  one<OutboundPayment>(
    on,
    sql`select ${COLUMNS} from outbound_payments where card_id = ${of.cardId} and state = 'presented'
      and request_digest = ${of.requestDigest} and idempotency_key is null and valid_before > ${of.nowSeconds}
      and id in (select id from card_transactions where card_id = ${of.cardId} and status = 'UNKNOWN')
      order by created_at desc limit 1`,
  )

/** Stores the signed header and counts its first presentation. False where the payment has moved on. */
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

/** Counts one more presentation of the stored header. False where the payment is not waiting for one. */
export async function saveAnotherPresentation(tx: Tx, id: string): Promise<boolean> {
  const changed = await run(
    tx,
    sql`update outbound_payments set presentations = presentations + 1 where id = ${id} and state = 'presented'`,
  )
  return changed === 1
}

/** Keeps what the seller answered, for the record. */
export async function saveAnswer(
  tx: Tx,
  id: string,
  answered: { status: number | null; receipt: SettlementClaim | undefined },
): Promise<void> {
  const receipt = answered.receipt ? JSON.stringify(answered.receipt) : null
  await sql`update outbound_payments set response_status = coalesce(${answered.status}::integer, response_status),
    receipt = coalesce(${receipt}::json, receipt) where id = ${id}`.execute(tx)
}

/** Writes how the chain has it: the use that it shows, or that there is none and will be none. */
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

/** Rewrites how a transaction that had ended stands, after the chain or a refund changed that. */
export async function saveTransactionStanding(
  tx: Tx,
  id: string,
  standing: { status: 'SETTLED' | 'FAILED' | 'REFUNDED'; txHash: string | null },
): Promise<void> {
  await sql`update card_transactions set status = ${standing.status}, tx_hash = ${standing.txHash}
    where id = ${id}`.execute(tx)
}

/** Payments older than `before` whose end is not known yet. */
export async function findUnfinished(on: Reader, before: Date): Promise<string[]> {
  const rows = await all<{ id: string }>(
    on,
    sql`select id from outbound_payments where state in ('authorized', 'presented', 'captured')
      and created_at < ${before} order by created_at limit 500`,
  )
  return rows.map((row) => row.id)
}
