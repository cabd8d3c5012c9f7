import { all, one, type RawBuilder, type Reader, run, sql, type Tx } from '../db/sql.ts'
import type { Id } from '../kernel/ids.ts'
import type { Amount } from '../kernel/money.ts'
import type { Rail } from './policy.ts'

export type TransactionStatus = 'PENDING' | 'SETTLED' | 'FAILED' | 'REFUNDED' | 'UNKNOWN'
/** One side of a payment, as its card sees it. `amount` is what the card gave (fee included) or gained (net). */
export type CardTransaction = {
  id: Id<'txn'>
  cardId: string
  walletAddress: string
  direction: 'sent' | 'received'
  amount: Amount
  fee: Amount
  merchant: string
  protocol: Rail
  status: TransactionStatus
  network: string
  asset: string
  txHash: string | null
  refunded: Amount
  /** The settlement or payment that both sides share. */
  ref: string
  memo: string
  createdAt: Date
  settledAt: Date | null
}
export type ShownTransaction = CardTransaction & { cardPurpose: string; cardStatus: string }
export type NewTransaction = Omit<CardTransaction, 'refunded'>

export async function insertTransactions(tx: Tx, rows: NewTransaction[]): Promise<void> {
  await newTransactions(rows)?.execute(tx)
}

/** The statement that writes the transactions; none for none. */
export function newTransactions(rows: NewTransaction[]): RawBuilder<unknown> | undefined {
  if (rows.length === 0) return undefined
  const column = (pick: (row: NewTransaction) => unknown) => rows.map(pick)
  return sql`insert into card_transactions (id, card_id, wallet_address, direction, amount, fee, merchant, protocol,
      status, network, asset, tx_hash, ref, memo, created_at, settled_at)
    select * from unnest(${column((r) => r.id)}::text[], ${column((r) => r.cardId)}::text[],
      ${column((r) => r.walletAddress)}::text[], ${column((r) => r.direction)}::text[],
      ${column((r) => r.amount)}::numeric[], ${column((r) => r.fee)}::numeric[], ${column((r) => r.merchant)}::text[],
      ${column((r) => r.protocol)}::text[], ${column((r) => r.status)}::text[], ${column((r) => r.network)}::text[],
      ${column((r) => r.asset)}::text[], ${column((r) => r.txHash)}::text[], ${column((r) => r.ref)}::text[],
      ${column((r) => r.memo)}::text[], ${column((r) => r.createdAt)}::timestamptz[],
      ${column((r) => r.settledAt)}::timestamptz[])`
}

type Ending = { status: TransactionStatus; txHash?: string | null; settledAt?: Date | null }

/** Moves a transaction on from PENDING or UNKNOWN. False where it had ended already. */
export async function endTransaction(tx: Tx, id: string, ending: Ending): Promise<boolean> {
  const changed = await run(
    tx,
    sql`update card_transactions set status = ${ending.status}, tx_hash = coalesce(${ending.txHash ?? null}, tx_hash),
      settled_at = coalesce(${ending.settledAt ?? null}, settled_at)
      where id = ${id} and status in ('PENDING', 'UNKNOWN')`,
  )
  return changed === 1
}

/** Adds to what was given back of a settled transaction; all of it makes it REFUNDED. */
export async function refundTransaction(tx: Tx, id: string, by: Amount): Promise<void> {
  await sql`update card_transactions set refunded = refunded + ${by},
    status = case when refunded + ${by} = amount then 'REFUNDED' else status end where id = ${id}`.execute(
    tx,
  )
}

const SHOWN = sql`select t.id, t.card_id, t.wallet_address, t.direction, t.amount, t.fee, t.merchant, t.protocol, t.status,
    t.network, t.asset, t.tx_hash, t.refunded, t.ref, t.memo, t.created_at, t.settled_at, c.purpose as card_purpose,
    c.status as card_status
  from card_transactions t join cards c on c.id = t.card_id`

export const findTransaction = (on: Reader, id: string): Promise<ShownTransaction | undefined> =>
  one<ShownTransaction>(on, sql`${SHOWN} where t.id = ${id}`)

/** Both sides of a payment, the payer's first. */
export const transactionsOf = (on: Reader, ref: string): Promise<ShownTransaction[]> =>
  all<ShownTransaction>(on, sql`${SHOWN} where t.ref = ${ref} order by t.direction desc`)

export async function lockTransaction(tx: Tx, id: string): Promise<ShownTransaction | undefined> {
  await sql`select 1 from card_transactions where id = ${id} for update`.execute(tx)
  return findTransaction(tx, id)
}

export type TransactionFilter = {
  walletAddress: string
  cardId?: string | undefined
  cardIds?: readonly string[] | null | undefined
  status?: string | undefined
  direction?: string | undefined
  protocol?: string | undefined
  after?: string | undefined
  limit: number
}

/** A wallet's transactions, newest first; one more than `limit`. */
export function listTransactions(
  on: Reader,
  filter: TransactionFilter,
): Promise<ShownTransaction[]> {
  const is = (column: string, value: string | undefined) =>
    sql`(${value ?? null}::text is null or ${sql.ref(column)} = ${value ?? null})`
  return all<ShownTransaction>(
    on,
    sql`${SHOWN} where t.wallet_address = ${filter.walletAddress} and ${is('t.card_id', filter.cardId)}
      and (${filter.cardIds ?? null}::text[] is null or t.card_id = any(${filter.cardIds ?? null}::text[]))
      and ${is('t.status', filter.status)} and ${is('t.direction', filter.direction)}
      and ${is('t.protocol', filter.protocol)}
      and (${filter.after ?? null}::text is null or t.id < ${filter.after ?? null})
      order by t.id desc limit ${filter.limit + 1}`,
  )
}
