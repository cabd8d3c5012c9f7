import { all, type RawBuilder, type Reader, sql, type Tx } from '../../../base/db/sql.ts'
import type { Id } from '../../../base/kernel/ids.ts'
import type { Amount } from '../../../base/kernel/money.ts'

/** One side's entry of a refund, in full or in part. */
export type RefundEntry = {
  id: Id<'txn'>
  /** The transaction of this side that was given back. */
  refundOf: string
  amount: Amount
  /** With the refunds before. */
  refunded: Amount
  /** The fee of the payment, which the house keeps. */
  feeKept: Amount
  createdAt: Date
}
type Refund = { ref: string; amount: Amount; refunded: Amount; createdAt: Date }

/** Writes a refund of a payment. Returns its entries, which the database makes (`add_refund_entries`). */
export async function insertRefund(
  tx: Tx,
  { ref, amount, refunded, createdAt }: Refund,
): Promise<RefundEntry[]> {
  await sql`insert into card_refunds (ref, amount, refunded, created_at)
    values (${ref}, ${amount}, ${refunded}, ${createdAt})`.execute(tx)
  const made = sql`refund_of in (select id from card_transactions where ref = ${ref}) and refunded = ${refunded}`
  return all<RefundEntry>(tx, entriesWhere(made))
}

/** The refunds of a transaction, oldest first. */
export const listRefunds = (on: Reader, refundOf: string): Promise<RefundEntry[]> =>
  all<RefundEntry>(on, entriesWhere(sql`refund_of = ${refundOf} order by refunded`))

const entriesWhere = (isWanted: RawBuilder<unknown>) =>
  sql<RefundEntry>`select id, refund_of, amount, refunded, fee_kept, created_at from refund_entries where ${isWanted}`

/** The entries with the columns of transactions. They are never refunded themselves. */
export const REFUNDS =
  sql.raw(`(select id, card_id, wallet_address, direction, amount, 0::numeric(78, 0) as fee, merchant, protocol,
    'SETTLED' as status, network, asset, null::text as token, null::integer as token_decimals, null::text as tx_hash,
    0::numeric(78, 0) as refunded, ref, memo, created_at, created_at as settled_at, refund_of, fee_kept
  from refund_entries)`)
