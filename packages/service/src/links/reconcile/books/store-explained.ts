import { all, type Reader, sql } from '../../../base/db/sql.ts'
import { columnOf } from '../../../base/db/values.ts'
import { CARD_LIMITS } from '../../../base/kernel/card-limits.ts'
import type { Note } from '../../../money/ledger/fault.ts'
import { into, merged, summed, type Tally } from '../../../money/ledger/verify/tallies.ts'

type Row = { fault: string }

/**
 * The most faults of a kind that a page shows. A statement with a limit would be read in the order of the ids that it sorts by,
 * through the whole table.
 */
const SHOWN = 21

export const USES: Tally = {
  name: 'verify_uses',
  key: { pay_link_id: 'text' },
  values: { uses: summed('bigint', 'uses') },
}

/** The sum that each card paid to links in the newest window of each limit, without holds. */
export const WINDOWS: Tally = {
  name: 'verify_windows',
  key: { limit_name: 'text', card_id: 'text' },
  values: {
    name: { type: 'text', merge: 'greatest(had.name, excluded.name)' },
    used: {
      type: 'numeric',
      merge: `case when excluded.name > had.name then excluded.used
        when excluded.name = had.name then had.used + excluded.used else had.used end`,
    },
  },
}

const NEWEST = sql.join(
  CARD_LIMITS.map(
    ({ name, format, window }) =>
      sql`(${name}::text, ${format}::text, ${sql.ref(`c.${columnOf(window)}`)})`,
  ),
)

/**
 * Times are put together by the minute before they are named: a limit's window has whole minutes. A window that the card
 * has left behind is never compared, so it is not counted: most transfers are in such windows.
 */
export async function addCounts(on: Reader, batches: readonly bigint[]): Promise<void> {
  await sql`${into(USES)}
    select pay_link_id, count(*) from (
      select s.pay_link_id from settlements s where s.batch = any(${batches}::bigint[])
      union all
      select s.pay_link_id from ledger_transfer_rows t join settlements s on s.id = t.ref and s.batch is null
        where t.batch = any(${batches}::bigint[]) and t.kind = 'settlement') s
    where pay_link_id is not null group by 1
    ${merged(USES)}`.execute(on)
  await sql`with minutes as materialized (
      select s.payer, date_trunc('minute', s.created_at) at time zone 'UTC' as minute, sum(s.amount) as used
      from settlements s where s.batch = any(${batches}::bigint[]) group by 1, 2)
    ${into(WINDOWS)}
    select distinct on (limit_name, payer) limit_name, payer, name, sum(used) from (
      select l.limit_name, m.payer, to_char(m.minute, l.format) as name, m.used, l.newest
      from minutes m join cards c on c.id = m.payer
        cross join lateral (values ${NEWEST}) as l (limit_name, format, newest)) p
    where name >= newest group by limit_name, payer, name order by limit_name, payer, name desc
    ${merged(WINDOWS)}`.execute(on)
}

/** Notes settlements by card of these batches that have another byte than when they were posted. */
export async function checkFacts(
  on: Reader,
  batches: readonly bigint[],
  note: Note,
): Promise<void> {
  const rows = await all<{ id: string }>(
    on,
    sql`select s.id from settlements s where s.batch = any(${batches}::bigint[])
      and s.digest is distinct from settlement_fact(s)`,
  )
  for (const { id } of rows.slice(0, SHOWN))
    note('facts', `settlement ${id}, or its mandate, was altered`)
  // Without this row the mandate could pay again.
  const unpaid = await all<{ id: string }>(
    on,
    sql`select s.id from settlements s where s.batch = any(${batches}::bigint[]) and s.mandate_id is not null
      and not exists (select from paid_mandates p where p.key = mandate_key(s.payer, s.mandate_id)
        and p.settlement_id = s.id offset 0)`,
  )
  for (const { id } of unpaid.slice(0, SHOWN))
    note('facts', `the mandate of settlement ${id} is not marked as paid`)
}

/**
 * Notes transfers of these batches whose accounts or amounts differ from those that the row of their cause requires. Each
 * kind of transfer is explained here: `expected` names the accounts by kind and owner, not by id.
 */
export async function checkExplained(
  on: Reader,
  batches: readonly bigint[],
  note: Note,
): Promise<void> {
  const doubtful = await all(on, settledOtherwise(batches))
  const rows = await all(
    on,
    sql<Row>`with page as materialized (
      select t.*, (select max(m) from unnest(t.amounts) as m) as most from (
        select id, kind, ref, reverses, accounts, amounts, batch, false as is_settlement from ledger_transfer_rows
          where batch = any(${batches}::bigint[])
        union all
        select id, kind, ref, reverses, accounts, amounts, batch, is_settlement from settlement_transfers
          where ref = any(${doubtful.slice(0, SHOWN).map(({ id }) => id)}::text[])) t),
    expected (id, network, asset, kind, owner, amount) as (${sql.raw(EXPECTED)}),
    required as (
      select e.id, string_agg(concat_ws(' ', e.kind, e.owner, e.network, e.asset, e.amount), ', '
        order by e.kind, e.owner) as lines
      from (select id, network, asset, kind, owner, sum(amount) as amount from expected group by 1, 2, 3, 4, 5) e
      where e.amount <> 0 group by e.id),
    made as (
      select m.id, string_agg(concat_ws(' ', m.kind, m.owner, m.network, m.asset, m.amount), ', '
        order by m.kind, m.owner) as lines
      from (select p.id, a.network, a.asset, a.kind, a.owner, sum(l.amount) as amount
        from page p cross join unnest(p.accounts, p.amounts) as l (account_id, amount)
          join ledger_accounts a on a.id = l.account_id group by 1, 2, 3, 4, 5) m
      where m.amount <> 0 group by m.id)
    select 'transfer ' || p.id || ' (' || p.kind || ' ' || p.ref || ') ' || case
        when required.id is null then 'has no row that explains it'
        else 'moved ' || coalesce(made.lines, 'nothing') || '; its row requires ' || required.lines end as fault
    from page p left join required on required.id = p.id left join made on made.id = p.id
    where required.lines is distinct from made.lines
    order by p.id limit 21`,
  )
  for (const { fault } of rows) note('explained', fault)
}

/**
 * The settlements by card of these batches whose lines may not be on the accounts that they name. They are most of all
 * transfers and each has the same three lines, so a join finds what is to be explained in full.
 */
const settledOtherwise = (batches: readonly bigint[]) => sql<{
  id: string
}>`select r.id from settlements r
  left join ledger_accounts p on p.id = r.payer_account
  left join ledger_accounts q on q.id = r.receiver_account
  left join ledger_accounts f on f.id = r.fees_account
  where r.batch = any(${batches}::bigint[]) and (
    (p.kind, p.owner, p.network, p.asset) is distinct from ('card', r.payer, r.network, r.asset)
    or r.amount > r.fee and (q.kind, q.owner, q.network, q.asset) is distinct from (
      case when r.pay_link_id is not null then 'card' else coalesce(r.house_account, 'treasury') end,
      case when r.pay_link_id is not null then r.receiver_card_id when r.house_account is null then r.receiver_wallet
        when r.house_account = 'fee_meter' then r.payer_wallet else 'house' end, r.network, r.asset)
    or r.fee > 0 and (f.kind, f.owner, f.network, f.asset) is distinct from ('fees', 'house', r.network, r.asset))`

/** The gains of the accounts of one cause: rows of kind of account, owner, amount. */
const lines = (cause: string, values: string[]): string =>
  `select p.id, r.network, r.asset, e.kind, e.owner, e.amount from page p ${cause}
   cross join lateral (values ${values.map((value) => `(${value})`).join(', ')}) as e (kind, owner, amount)`

const SETTLEMENT = `join settlements r on p.kind = 'settlement' and r.id = p.ref and r.state = 'settled'
    and p.is_settlement = (r.batch is not null)
  left join pay_links l on l.id = r.pay_link_id left join cards c on c.id = r.payer`
const CARD = `join cards r on r.id = p.ref and p.kind in ('card_issue', 'card_activate')`
/** A top-up or a claim has no row of its own. It must be between a card and the treasury balance of its wallet. */
const OWN = `join ledger_accounts x on p.kind in ('card_fund', 'card_claim') and x.id = any (p.accounts) and x.kind = 'card'
  join cards r on r.id = x.owner`
/** A child card has its money from the card above it, and gives it back there. */
const SLICE = `join cards r on p.kind = 'card_slice' and r.id = p.ref
  join cards q on q.id = r.ancestors[cardinality(r.ancestors)]`
const SLICE_BACK = `join ledger_accounts x on p.kind = 'card_slice_back' and x.id = any (p.accounts) and x.kind = 'card'
  join cards r on r.id = x.owner and r.ancestors <> '{}'
  join cards q on q.id = r.ancestors[cardinality(r.ancestors)] and q.account_id = any (p.accounts)`
const EXCEPTION = `join payment_exceptions x on p.kind = 'payment_exception' and x.id = p.ref
  join pay_links r on r.id = x.pay_link_id`
const WITHDRAWAL = `join withdrawals r on r.id = p.ref`
/** A failed refund leaves its exception without a withdrawal, so wallet, payer and fee identify the exception. */
const REFUND_FEE = `${WITHDRAWAL} join lateral (select fee from payment_exceptions
    where wallet_address = r.wallet_address and payer = r.to_address and fee = p.most limit 1) x on true`
const RESERVE = `join cards r on r.kind = 'autopay' and r.id = p.ref`
const MEMBERSHIP = `join membership_payments r on p.kind = 'membership' and r.id = p.ref and r.source <> 'wallet'`
const PAYMENT = `join outbound_payments r on r.id = p.ref`
/** A stream of one base unit is all fee. An older program wrote no transaction of its receiver. */
const STREAM = `join mpp_streams r on p.kind = 'stream' and r.id = p.ref and r.final_amount > 0
  left join card_transaction_rows t on t.ref = r.id and t.direction = 'received'`
/**
 * The reference names the transaction that was refunded, and what had been refunded of it before. Received transactions
 * of settlements once had 27 characters after the prefix.
 */
const REFUNDED_SETTLEMENT = `join settlements r on p.kind = 'refund' and r.payer_wallet is not null
  and r.id = 'stl_' || case length(split_part(p.ref, ' ', 1)) when 31 then substr(p.ref, 5, 26)
    else other_side(substr(p.ref, 5, 26)) end
  join settlement_transfers o on o.id = p.reverses and o.ref = r.id`
const REFUNDED_ROW = `join card_transaction_rows r on p.kind = 'refund' and r.id = split_part(p.ref, ' ', 1)
  join card_transaction_rows s on s.ref = r.ref and s.direction = 'sent' and s.card_id <> r.card_id
  join ledger_transfer_rows o on o.id = p.reverses and o.kind in ('settlement', 'stream') and o.ref = r.ref`
const UNDONE = `${PAYMENT} and p.kind = 'payment_undone' and r.state = 'undone'
  join ledger_transfer_rows o on o.id = p.reverses and o.kind = 'payment' and o.ref = r.id`

const DIRECT_FEE = `join direct_fees r on r.id = p.ref and r.state = 'paid'`

/** The wallet that a card had when the transfer was posted: batches and handovers are numbered in the order of its lock. */
const ownerOf = (card: string): string =>
  `coalesce((select h.from_wallet from card_handovers h where h.card_id = ${card}.id and h.batch > p.batch
    order by h.batch limit 1), ${card}.wallet_address)`
/**
 * The line of money that a card spent by the transfer `o` and that comes back: to the card, unless it has had another owner
 * since, or to the payer's balance. The latter is right at any time: that a card was being sold leaves no trace.
 */
const returned = (card: string, payer: string, amount: string): string => {
  const isOnCard = `exists (select from ledger_accounts a where a.kind = 'card' and a.owner = ${card} and a.id = any (p.accounts))
    and not exists (select from card_handovers h where h.card_id = ${card} and h.batch > o.batch and h.batch < p.batch)`
  return `case when ${isOnCard} then 'card' else 'treasury' end, case when ${isOnCard} then ${card} else ${payer} end, ${amount}`
}
const SALE = `join sales s on p.kind = 'sale' and s.listing_id = p.ref and s.mode = 'custodial'
  join listings r on r.id = s.listing_id`

const EXPECTED = [
  lines(`join deposits r on p.kind = 'deposit' and r.id = p.ref`, [
    `'custody', 'house', -r.amount`,
    `'treasury', r.wallet_address, r.amount`,
  ]),
  lines(
    `join pulls r on p.kind = 'pull' and r.id = p.ref and r.state in ('confirmed', 'missing')`,
    [`'custody', 'house', -r.amount`, `'membership_revenue', 'house', r.amount`],
  ),
  lines(`join pulls r on p.kind = 'pull_undone' and r.id = p.ref and r.state = 'missing'`, [
    `'custody', 'house', r.amount`,
    `'membership_revenue', 'house', -r.amount`,
  ]),
  lines(CARD, [`'treasury', ${ownerOf('r')}, -p.most`, `'card', r.id, p.most`]),
  lines(SLICE, [`'card', q.id, -p.most`, `'card', r.id, p.most`]),
  lines(SLICE_BACK, [`'card', r.id, -p.most`, `'card', q.id, p.most`]),
  lines(SALE, [
    `'treasury', s.buyer, -s.price`,
    `'treasury', s.seller, s.price - s.fee`,
    `'fees', 'house', s.fee`,
  ]),
  lines(OWN, [
    `'treasury', ${ownerOf('r')}, case p.kind when 'card_fund' then -p.most else p.most end`,
    `'card', r.id, case p.kind when 'card_fund' then p.most else -p.most end`,
  ]),
  lines(SETTLEMENT, [
    `case when c.id is null then 'custody' else 'card' end, coalesce(c.id, 'house'), -r.amount`,
    `case when r.pay_link_id is not null then 'card' when r.house_account is null then 'treasury' else r.house_account end,
     case when r.pay_link_id is not null then coalesce(r.receiver_card_id, l.card_id)
       when r.house_account is null then r.receiver_wallet when r.house_account = 'fee_meter' then r.payer_wallet
       else 'house' end, r.amount - r.fee`,
    `'fees', 'house', r.fee`,
  ]),
  lines(EXCEPTION, [
    `'custody', 'house', -x.amount`,
    `'treasury', x.wallet_address, x.amount - x.fee`,
    `'fees', 'house', x.fee`,
  ]),
  lines(`${REFUND_FEE} and p.kind = 'exception_fee_returned'`, [
    `'treasury', r.wallet_address, x.fee`,
    `'fees', 'house', -x.fee`,
  ]),
  lines(`${REFUND_FEE} and p.kind = 'exception_fee_retaken' and r.status = 'FAILED'`, [
    `'treasury', r.wallet_address, -x.fee`,
    `'fees', 'house', x.fee`,
  ]),
  lines(`${WITHDRAWAL} and p.kind = 'withdrawal'`, [
    `'treasury', r.wallet_address, -r.amount`,
    `'outbound', 'house', r.net_amount`,
    `'fees', 'house', r.fee`,
  ]),
  lines(`${WITHDRAWAL} and p.kind = 'withdrawal_final' and r.status = 'COMPLETED'`, [
    `'outbound', 'house', -r.net_amount`,
    `'custody', 'house', r.net_amount`,
  ]),
  lines(`${WITHDRAWAL} and p.kind = 'withdrawal_failed' and r.status = 'FAILED'`, [
    `'treasury', r.wallet_address, r.amount`,
    `'outbound', 'house', -r.net_amount`,
    `'fees', 'house', -r.fee`,
  ]),
  lines(`${RESERVE} and p.kind = 'membership_reserve'`, [
    `'treasury', r.wallet_address, -r.limit_amount`,
    `'autopay', r.id, r.limit_amount`,
  ]),
  lines(`${RESERVE} and p.kind = 'membership_reserve_returned' and r.status = 'CLOSED'`, [
    `'autopay', r.id, -p.most`,
    `'treasury', r.wallet_address, p.most`,
  ]),
  lines(MEMBERSHIP, [
    `r.source, coalesce(r.card_id, r.wallet_address), -r.amount`,
    `'membership_revenue', 'house', r.amount`,
  ]),
  lines(`${PAYMENT} and p.kind = 'payment' and r.state in ('captured', 'final', 'undone')`, [
    `'card', r.card_id, -r.merchant_amount - r.fee`,
    `'outbound', 'house', r.merchant_amount`,
    `'fees', 'house', r.fee`,
  ]),
  lines(`${PAYMENT} and p.kind = 'payment_final' and r.state = 'final'`, [
    `'outbound', 'house', -r.merchant_amount`,
    `'custody', 'house', r.merchant_amount`,
  ]),
  lines(UNDONE, [
    returned('r.card_id', 'r.wallet_address', 'r.merchant_amount + r.fee'),
    `'outbound', 'house', -r.merchant_amount`,
    `'fees', 'house', -r.fee`,
  ]),
  lines(STREAM, [
    `'card', r.card_id, -r.final_amount`,
    `'card', r.receiver_card_id, coalesce(t.amount, 0)`,
    `'fees', 'house', r.final_amount - coalesce(t.amount, 0)`,
  ]),
  lines(
    `join meter_topups r on p.kind = 'meter_topup' and r.id = p.ref and r.settlement_id is null`,
    [`'treasury', r.wallet_address, -r.amount`, `'fee_meter', r.wallet_address, r.amount`],
  ),
  lines(`${DIRECT_FEE} and p.kind = 'direct_fee'`, [
    `'fee_meter', r.wallet_address, -r.amount`,
    `'fees', 'house', r.amount`,
  ]),
  lines(`${DIRECT_FEE} and p.kind = 'direct_fee_reversed' and r.reversed_at is not null`, [
    `'fee_meter', r.wallet_address, r.amount`,
    `'fees', 'house', -r.amount`,
  ]),
  lines(REFUNDED_SETTLEMENT, [
    `'card', r.receiver_card_id, -p.most`,
    returned('r.payer', 'r.payer_wallet', 'p.most'),
  ]),
  lines(REFUNDED_ROW, [
    `'card', r.card_id, -p.most`,
    returned('s.card_id', 's.wallet_address', 'p.most'),
  ]),
].join(' union all ')
