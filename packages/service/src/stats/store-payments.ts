import { all, one, type RawBuilder, type Reader, sql } from '../db/sql.ts'
import type { Asset } from '../kernel/assets.ts'
import type { Amount } from '../kernel/money.ts'

/** A counted payment of a card, by the reference of its settlement. */
export type CountedPayment = {
  ref: string
  payer: string
  amount: Amount
  refunded: Amount
  protocol: string
  settledAt: Date
}
type Of = { cardId: string; asset: Asset }

/** The conditions of a counted payment, by the rows alone. */
const counted = ({ cardId, asset }: Of): RawBuilder<unknown> =>
  sql`p.card_id = ${cardId} and p.is_settled and lower(p.payer) <> lower(p.wallet)
    and coalesce(lower(p.token) = lower(${asset.contract}), true)
    and not (p.is_from_chain and exists (select from own_payments o where o.ref = p.ref))`

/** The card's next counted payments in the order of their references. Both kinds of rows are read along an index. */
export const readPayments = (
  on: Reader,
  of: Of & { after: string; limit: number },
): Promise<CountedPayment[]> => {
  const part = (kind: RawBuilder<unknown>) =>
    sql`(select p.ref, p.payer, p.amount, p.refunded, p.protocol, p.settled_at from incoming_payments p
      where ${counted(of)} and p.ref > ${of.after} and p.transaction_id ${kind} order by p.ref limit ${of.limit})`
  return all<CountedPayment>(
    on,
    sql`select * from (${part(sql`is null`)} union all ${part(sql`is not null`)}) p order by ref limit ${of.limit}`,
  )
}

/** The payers of all counted payments: how many, how many came again, and the revenue from the largest. */
export type PayerCounts = { payers: bigint; repeat: bigint; largest: Amount | null }

export const countPayers = async (on: Reader, of: Of): Promise<PayerCounts> =>
  (await one<PayerCounts>(
    on,
    sql`select count(*) as payers, count(*) filter (where n > 1) as repeat, max(revenue) as largest
      from (select count(*) as n, sum(p.amount - p.refunded) as revenue from incoming_payments p
        where ${counted(of)} group by p.payer) by_payer`,
  )) ?? { payers: 0n, repeat: 0n, largest: null }
