import { type RawBuilder, sql } from '../../base/db/sql.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { LINKS } from '../../links/link/store-addresses.ts'
import { CARDS } from '../../money/cards/store.ts'
import { TRANSACTION_ROWS } from '../../money/cards/transactions.ts'
import { transfersById, transfersOf } from '../../money/ledger/follow.ts'
import { SETTLEMENTS } from '../../money/settlements/store.ts'
import { WITHDRAWALS } from '../../money/treasury/withdrawals/store.ts'
import { OUTBOUND } from '../../rails/spending/store.ts'

/** The second part of a page: transfers that are no settlements by card, and facts of the queue. */
export type Rest = {
  transfers: readonly string[]
  direct: readonly string[]
  missing: readonly string[]
}

/** The kinds of transfers that are looked at: payments to cards, their refunds, withdrawals, and payments elsewhere. */
const KINDS = ['settlement', 'stream', 'refund', 'withdrawal', 'payment_final']

const COLUMNS = sql.raw(
  'p.ref, p.card_id, p.wallet, p.payer, p.is_from_chain, p.protocol, p.network, p.token, p.settled_at',
)
/**
 * A table is looked up row by row along an index, and `offset 0` holds the plan to it. The sizes of a page's tables are
 * unknown to the database, and tables that were empty when they were analyzed count as empty until the next time: a join
 * that it chose by such figures compared each payment with each other, and a page took 25 s.
 */
const BY_CARD = sql.raw(`lateral (select * from incoming_payments p
  where p.ref = m.ref and p.transaction_id is null and m.kind = 'settlement' offset 0) p`)
/** Their rows are found by the reference alone: with the card unknown the index of received rows is read from end to end. */
const BY_TRANSACTION = sql`lateral (select t.id from ${TRANSACTION_ROWS} where t.ref = m.ref offset 0) t
  cross join lateral (select * from incoming_payments p where p.transaction_id = t.id offset 0) p`

/**
 * The reference of a refund names the transaction that is refunded. The received side of a settlement by card has no row
 * of its own: its id is made from the settlement's. Such ids once had one letter more.
 */
const REFUNDED = sql.raw(`cross join lateral (
    select * from incoming_payments p where p.transaction_id = split_part(m.ref, ' ', 1)
    union all
    select * from incoming_payments p where p.transaction_id is null
      and p.ref = 'stl_' || case length(split_part(m.ref, ' ', 1)) when 31 then substr(m.ref, 5, 26)
        else other_side(substr(m.ref, 5, 26)) end
    offset 0) p`)

const DAY = sql.raw(`(settled_at at time zone 'UTC')::date as day`)

/*
 * The first tables of a statement that counts end in `judged`: every payment and refund as a change of the figures. A
 * payment counts 1 and its amount before fees, a refund only lowers the amount, and a payment that a reorganization took
 * counts -1. `is_own`: the payer is the receiver's own wallet. `is_other`: the money is not the service's asset.
 */

/**
 * Nearly all payments: settlements by card, whose row says everything. Each further table costs a payment half a
 * microsecond, so `looked` is the only one. Its other rows are transfers for `restTables`.
 */
export const byCardTables = (batches: readonly bigint[]): RawBuilder<unknown> =>
  sql`looked as materialized (select m.id as transfer, p.card_id, p.wallet, p.payer, p.protocol, p.network, p.settled_at,
      p.amount, 1 as count, ${DAY}, lower(p.payer) = lower(p.wallet) as is_own, false as is_other
      from ${transfersOf(batches, KINDS)} m left join ${BY_CARD} on true),
    judged as not materialized (select * from looked where card_id is not null)`

/** All others. `moved`: the transfers. `is_noted`: the payer was found to be the receiver by its address, and must be noted. */
export const restTables = (
  { transfers, direct, missing }: Rest,
  asset: Asset,
): RawBuilder<unknown> =>
  sql`moved as materialized (select * from ${transfersById(transfers)} t),
    changes as materialized (
      select ${COLUMNS}, 1 as count, p.amount from moved m cross join ${BY_TRANSACTION}
        where m.kind in ('settlement', 'stream')
      union all select ${COLUMNS}, 0, -(select max(amount) from unnest(m.amounts) as amount) from moved m ${REFUNDED} where m.kind = 'refund'
      union all select ${COLUMNS}, m.count, m.count * p.amount
        from unnest(${[...direct, ...missing]}::text[],
          ${[...direct.map(() => 1), ...missing.map(() => -1)]}::integer[]) as m (ref, count)
          cross join ${BY_TRANSACTION}),
    judged as materialized (
      select j.*, j.is_noted or lower(j.payer) = lower(j.wallet) or (j.is_from_chain and j.was_own) as is_own
      from (select m.*, ${DAY},
          m.token is not null and lower(m.token) <> lower(${asset.contract}) as is_other,
          m.is_from_chain and ${IS_OWN} as is_noted, ${WAS_OWN} as was_own
        from changes m offset 0) j)`

/** A payment that was counted before was judged then: addresses and cards change hands. */
const WAS_OWN = sql.raw('exists (select from own_payments o where o.ref = m.ref offset 0)')
/** A payment from a link's address, or from the account of a card, that the receiver's wallet owns now. */
const IS_OWN = sql`m.count = 1 and (
  exists (select from ${LINKS} where l.deposit_address = m.payer and l.wallet_address = m.wallet offset 0)
  or exists (select from (select h.card_id from holder_accounts h where h.address = m.payer offset 0) h
    cross join lateral (select from ${CARDS} where c.id = h.card_id and c.wallet_address = m.wallet offset 0) c offset 0))`

/** Wallets of `moved` that gave money to other wallets, without a payment to a card: to balances and addresses. */
export const GIVERS = sql`select w.wallet_address, w.to_address from moved m
    cross join lateral (select * from ${WITHDRAWALS} where w.id = m.ref offset 0) w
    where m.kind = 'withdrawal' and w.wallet_address <> w.to_address
  union select o.wallet_address, o.pay_to from moved m
    cross join lateral (select * from ${OUTBOUND} where o.id = m.ref offset 0) o
    where m.kind = 'payment_final' and o.wallet_address <> o.pay_to
  union select s.payer_wallet, s.receiver_wallet from moved m
    cross join lateral (select * from ${SETTLEMENTS} where s.id = m.ref offset 0) s
    where m.kind in ('settlement', 'stream') and s.payer_wallet <> s.receiver_wallet and s.receiver_card_id is null`
