import { all, one, type Reader, run, sql, type Tx } from '../../base/db/sql.ts'
import { HOUR, type Kept, keptRows } from '../../base/jobs/kept.ts'
import type { Id } from '../../base/kernel/ids.ts'
import type { Amount } from '../../base/kernel/money.ts'

export type PaywallMethod = 'x402' | 'evm' | 'agentcard'

/** A payment for one request of a seller's own route. */
export type PaywallPayment = {
  id: Id<'pwp'>
  walletAddress: string
  /** The same for every presentation of one payment. */
  paymentKey: string
  method: PaywallMethod
  payer: string
  /** For upto the most. */
  amount: Amount
  paymentHash: Buffer
  requestHash: string
  resource: string
  state: 'claimed' | 'settling' | 'settled'
  attempt: string | null
  leaseUntil: Date | null
  isDelivered: boolean
  answer: Buffer | null
  charged: Amount | null
  txHash: string | null
  settlementId: string | null
  createdAt: Date
  settledAt: Date | null
}

const COLUMNS =
  sql.raw(`id, wallet_address, payment_key, method, payer, amount, payment_hash, request_hash, resource, state, attempt,
  lease_until, is_delivered, answer, charged, tx_hash, settlement_id, created_at, settled_at`)
const CLAIMED =
  sql.raw(`id, wallet_address, payment_key, method, payer, amount, payment_hash, request_hash, resource, attempt,
  lease_until, created_at`)

/**
 * Claims payments, each for one attempt. A claim whose lease is over is taken over by the same payment for the same request,
 * unless its money is on its way or its goods are given. Returns the claims that were got, as they stand.
 */
export const insertClaims = (
  tx: Tx,
  at: Date,
  claims: readonly PaywallPayment[],
): Promise<PaywallPayment[]> => {
  const column = (pick: (claim: PaywallPayment) => unknown) => claims.map(pick)
  return all<PaywallPayment>(
    tx,
    sql`insert into paywall_payments as p (${CLAIMED})
      select distinct on (wallet_address, payment_key) * from unnest(${column((c) => c.id)}::text[],
        ${column((c) => c.walletAddress)}::text[], ${column((c) => c.paymentKey)}::text[], ${column((c) => c.method)}::text[],
        ${column((c) => c.payer)}::text[], ${column((c) => c.amount)}::numeric[], ${column((c) => c.paymentHash)}::bytea[],
        ${column((c) => c.requestHash)}::text[], ${column((c) => c.resource)}::text[], ${column((c) => c.attempt)}::text[],
        ${column((c) => c.leaseUntil)}::timestamptz[], ${column((c) => c.createdAt)}::timestamptz[]) as a (${CLAIMED})
      on conflict (wallet_address, payment_key) do update
        set attempt = excluded.attempt, lease_until = excluded.lease_until
        where (p.lease_until is null or p.lease_until <= ${at} or p.attempt = excluded.attempt)
          and p.state <> 'settling' and not p.is_delivered
          and p.payment_hash = excluded.payment_hash and p.request_hash = excluded.request_hash
      returning ${COLUMNS}`,
  )
}

export const findPayment = (
  on: Reader,
  of: Pick<PaywallPayment, 'walletAddress' | 'paymentKey'>,
): Promise<PaywallPayment | undefined> =>
  one<PaywallPayment>(
    on,
    sql`select ${COLUMNS} from paywall_payments
      where wallet_address = ${of.walletAddress} and payment_key = ${of.paymentKey}`,
  )

export const findPaymentById = (on: Reader, id: string): Promise<PaywallPayment | undefined> =>
  one<PaywallPayment>(on, sql`select ${COLUMNS} from paywall_payments where id = ${id}`)

export const lockPayment = (tx: Tx, id: string): Promise<PaywallPayment | undefined> =>
  one<PaywallPayment>(tx, sql`select ${COLUMNS} from paywall_payments where id = ${id} for update`)

/** The end of a payment, and what its seller says of the goods. */
export type Settled = {
  id: string
  charged: Amount
  txHash: string | null
  settlementId: string | null
  /** False: the handler runs after the money, by this attempt and while its lease lasts. */
  isDelivered: boolean
  attempt: string
  leaseUntil: Date
  answer: Buffer | null
}

/** Stores that payments are settled. Returns those that were not before. */
export const saveSettled = (
  tx: Tx,
  at: Date,
  settled: readonly Settled[],
): Promise<PaywallPayment[]> => {
  const column = (pick: (one: Settled) => unknown) => settled.map(pick)
  return all<PaywallPayment>(
    tx,
    sql`update paywall_payments p set state = 'settled', charged = v.charged, tx_hash = v.tx_hash,
        settlement_id = v.settlement_id, is_delivered = v.is_delivered, answer = coalesce(v.answer, p.answer),
        attempt = v.attempt, lease_until = case when v.is_delivered then null else v.lease_until end, settled_at = ${at}
      from (select distinct on (id) * from unnest(${column((s) => s.id)}::text[], ${column((s) => s.charged)}::numeric[],
        ${column((s) => s.txHash)}::text[], ${column((s) => s.settlementId)}::text[],
        ${column((s) => s.isDelivered)}::boolean[], ${column((s) => s.attempt)}::text[],
        ${column((s) => s.leaseUntil)}::timestamptz[], ${column((s) => s.answer)}::bytea[])
        as a (id, charged, tx_hash, settlement_id, is_delivered, attempt, lease_until, answer)) v
      where p.id = v.id and p.state <> 'settled'
      returning p.id, wallet_address, payment_key, method, payer, amount, payment_hash, request_hash, resource, state,
        p.attempt, p.lease_until, p.is_delivered, p.answer, p.charged, p.tx_hash, p.settlement_id, created_at, settled_at`,
  )
}

type Attempted = { id: string; attempt: string }

/** Stores that the money is on its way: whoever presents the payment next goes on with it, and gets the answer. */
export const saveSettling = (
  tx: Tx,
  { id, attempt, answer }: Attempted & { answer: Buffer | null },
): Promise<number> =>
  run(
    tx,
    sql`update paywall_payments set state = 'settling', lease_until = null, answer = ${answer}
      where id = ${id} and state = 'claimed' and attempt = ${attempt}`,
  )

/** Stores that the goods of a settled payment are given, by this attempt. False if another attempt gives them, or gave them. */
export const saveDelivered = async (
  tx: Tx,
  { id, attempt, answer }: Attempted & { answer: Buffer | null },
): Promise<boolean> =>
  (await run(
    tx,
    sql`update paywall_payments set is_delivered = true, lease_until = null, answer = coalesce(${answer}, answer)
      where id = ${id} and state = 'settled' and attempt = ${attempt}`,
  )) === 1

/** Frees a payment that nothing was taken for: it may be presented again. */
export const deleteClaim = (tx: Tx, { id, attempt }: Attempted): Promise<number> =>
  run(
    tx,
    sql`delete from paywall_payments where id = ${id} and state = 'claimed' and attempt = ${attempt}`,
  )

/** Stores that this attempt gave no goods for a payment that is settled: the same payment may ask for them again. */
export const saveOwed = (tx: Tx, { id, attempt }: Attempted): Promise<number> =>
  run(
    tx,
    sql`update paywall_payments set lease_until = null, is_delivered = false, answer = null
      where id = ${id} and state = 'settled' and attempt = ${attempt}`,
  )

/**
 * A payment is known for two days. After that a repetition is refused by its own rail: the chain has used the authorization,
 * the card its token. One that is being served stays.
 */
export const keptPayments: Kept<unknown> = {
  kind: 'paywall_payments',
  what: 'payments of a paywall, with their answers',
  since: 'the payment',
  seconds: () => 48 * HOUR,
  ...keptRows({
    ...{ table: 'paywall_payments', column: 'created_at' },
    and: (before) =>
      sql`(lease_until is null or lease_until < ${before}::timestamptz + interval '48 hours')`,
  }),
}

/** Links by which cards pay the wallet's routes, the newest first. */
export const listPaywallLinks = (
  on: Reader,
  walletAddress: string,
): Promise<{ cardId: string; payLinkId: string }[]> =>
  all(
    on,
    sql<{ cardId: string; payLinkId: string }>`select card_id, pay_link_id from paywall_links
      where wallet_address = ${walletAddress} order by created_at desc limit 20`,
  )

export const savePaywallLink = (
  tx: Tx,
  at: Date,
  link: { walletAddress: string; cardId: string; payLinkId: string },
): Promise<number> =>
  run(
    tx,
    sql`insert into paywall_links (wallet_address, card_id, pay_link_id, created_at)
      values (${link.walletAddress}, ${link.cardId}, ${link.payLinkId}, ${at})
      on conflict (wallet_address, card_id) do update set pay_link_id = excluded.pay_link_id, created_at = excluded.created_at`,
  )
