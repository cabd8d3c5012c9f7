import { all, type RawBuilder, type Reader, sql } from '../../base/db/sql.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import type { Amount } from '../../base/kernel/money.ts'
import { TRANSACTION_ROWS } from '../../money/cards/transactions.ts'
import { SETTLEMENTS } from '../../money/settlements/store.ts'

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
    and not (p.is_from_chain and exists (select from own_payments o where o.ref = p.ref offset 0))`

/**
 * The card's next payments, counted or not, by their references. A range of two columns has the index read in order; from
 * an equality the planner expects few rows, and sorts all that the card ever received.
 */
const REFS = ({ cardId, after, limit }: Of & Range): RawBuilder<unknown> =>
  sql`select * from (
      (select s.id as ref, null::text as transaction_id from ${SETTLEMENTS}
        where (number_of(s.receiver_card_id), s.id) > (number_of(${cardId}), ${after})
          and number_of(s.receiver_card_id) <= number_of(${cardId}) and is_same(s.receiver_card_id, ${cardId})
        order by number_of(s.receiver_card_id), s.id limit ${limit})
      union all
      (select t.ref, t.id from ${TRANSACTION_ROWS} where t.direction = 'received'
        and (t.card_id, t.ref) > (${cardId}, ${after}) and t.card_id <= ${cardId}
        order by t.card_id, t.ref limit ${limit})) r
    order by ref limit ${limit}`
type Range = { after: string; limit: number }

/** So many of the card's next payments, with those in between that do not count. Each payment is looked up by its key. */
const readSome = (
  on: Reader,
  of: Of & Range,
): Promise<(CountedPayment & { isCounted: boolean })[]> => {
  const columns = sql.raw('p.payer, p.amount, p.refunded, p.protocol, p.settled_at')
  return all(
    on,
    sql`with r as materialized (${REFS(of)})
      select r.ref, p.payer is not null as is_counted, ${columns} from r left join lateral (
        select ${columns} from incoming_payments p where ${counted(of)} and p.ref = r.ref
          and p.transaction_id is null and r.transaction_id is null
        union all
        select ${columns} from incoming_payments p where ${counted(of)} and p.transaction_id = r.transaction_id
        offset 0) p on true
      order by r.ref`,
  )
}

/** The card's next counted payments in the order of their references: fewer than `limit` if there are no more. */
export async function readPayments(
  on: Reader,
  { limit, ...of }: Of & Range,
): Promise<CountedPayment[]> {
  const payments: CountedPayment[] = []
  for (let { after } = of; ; ) {
    const some = await readSome(on, { ...of, after, limit })
    for (const { isCounted, ...payment } of some) if (isCounted) payments.push(payment)
    const last = some.at(-1)
    if (payments.length >= limit) return payments.slice(0, limit)
    if (!last || some.length < limit) return payments
    after = last.ref
  }
}
