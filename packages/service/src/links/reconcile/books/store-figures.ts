import { all, type Reader, sql } from '../../../base/db/sql.ts'
import type { Note } from '../../../money/ledger/fault.ts'
import type { ChainHead } from '../../../money/ledger/seals/checkpoint.ts'
import { into, merged, summed, type Tally } from '../../../money/ledger/verify/tallies.ts'

type Row = { fault: string }

/** Beyond this, the figures are being counted for the first time, and are compared at the next check. */
const PENDING_MAX = 5_000

/** The figures of cards. */
export const FIGURES: Tally = {
  name: 'verify_figures',
  key: { card_id: 'text', day: 'date' },
  values: {
    payments: summed('bigint', 'payments'),
    revenue: summed('numeric', 'revenue'),
    refunded: summed('numeric', 'refunded'),
    own: summed('bigint', 'own'),
    first: { type: 'timestamptz', merge: 'least(had.first, excluded.first)' },
    last: { type: 'timestamptz', merge: 'greatest(had.last, excluded.last)' },
  },
}

export const PAYERS: Tally = {
  name: 'verify_payers_of',
  key: { card_id: 'text', payer: 'text' },
  values: { payments: summed('bigint', 'payments'), revenue: summed('numeric', 'revenue') },
}

/**
 * Whether the follower has counted the batches up to these heads. Until then it may find out that a wallet paid itself.
 */
export async function areCounted(on: Reader, heads: readonly ChainHead[]): Promise<boolean> {
  const behind = await all(
    on,
    sql`select 1 from stats_cursors c
      join unnest(${heads.map((h) => h.chain)}::integer[], ${heads.map((h) => h.seq)}::bigint[]) as h (chain, seq)
        on h.chain = c.chain and h.seq > c.seq limit 1`,
  )
  return behind.length === 0
}

const REFUNDED_ID = sql.raw(`split_part(t.ref, ' ', 1)`)
/**
 * The payments and refunds among the transfers of these batches, added up from the rows alone: the follower's own
 * statements are not used here.
 */
const moved = (batches: readonly bigint[]) => sql`select p.card_id, p.payer, p.settled_at,
    (p.settled_at at time zone 'UTC')::date as day, t.count, case t.count when 1 then p.amount else -t.most end as amount,
    p.payer = p.wallet or exists (select from own_payments o where o.ref = p.ref) as is_own
  from (select t.ref, t.kind, (t.kind <> 'refund')::integer as count, (select max(m) from unnest(t.amounts) as m) as most
      from ledger_transfers t
      where t.batch = any(${[...batches]}::bigint[]) and t.kind in ('settlement', 'stream', 'refund')) t
  cross join lateral (
    select * from incoming_payments p where t.kind <> 'refund' and p.ref = t.ref
    union all
    select * from incoming_payments p where t.kind = 'refund' and p.transaction_id = ${REFUNDED_ID}
    union all
    select * from incoming_payments p where t.kind = 'refund' and p.transaction_id is null
      and p.ref = 'stl_' || case length(${REFUNDED_ID}) when 31 then substr(t.ref, 5, 26)
        else other_side(substr(t.ref, 5, 26)) end offset 0) p`

/** Adds the transfers of these batches to the sums, or takes them off. */
export async function addFigures(
  on: Reader,
  batches: readonly bigint[],
  sign: 1 | -1 = 1,
): Promise<void> {
  await sql`with moved as materialized (${moved(batches)}),
    of_payers as (${into(PAYERS)}
      select card_id, payer, ${sign}::integer * sum(count), ${sign}::integer * sum(amount) from moved where not is_own
      group by 1, 2
      ${merged(PAYERS)})
    ${into(FIGURES)}
    select card_id, day, ${sign}::integer * coalesce(sum(count) filter (where not is_own), 0),
      ${sign}::integer * coalesce(sum(amount) filter (where not is_own), 0),
      ${sign}::integer * coalesce(-sum(amount) filter (where not is_own and count = 0), 0),
      ${sign}::integer * coalesce(sum(count) filter (where is_own), 0),
      min(settled_at) filter (where count = 1 and not is_own), max(settled_at) filter (where count = 1 and not is_own)
    from moved group by 1, 2
    ${merged(FIGURES)}`.execute(on)
}

/** Compares the figures of cards with the sums of all transfers that are counted in them. Run it in one snapshot. */
export async function checkFigures(on: Reader, note: Note): Promise<void> {
  const pending = await all(
    on,
    sql<{
      id: bigint
    }>`select b.id from stats_cursors c join ledger_batches b on b.chain = c.chain and b.seq > c.seq
      limit ${PENDING_MAX + 1}`,
  )
  if (pending.length > PENDING_MAX) return
  await addFigures(
    on,
    pending.map(({ id }) => id),
    -1,
  )
  for (const query of [...CHECKS, ...(pending.length === 0 ? ACTIVITY : [])])
    for (const { fault } of await all(on, query)) note('figures', fault)
}

const MADE =
  sql.raw(`(select card_id, sum(payments) as payments, sum(revenue) as revenue, sum(refunded) as refunded,
    sum(own) as own, min(first) as first, max(last) as last from pg_temp.verify_figures group by card_id)`)
const PAID_BY =
  sql.raw(`(select card_id, count(*) as payers, count(*) filter (where payments > 1) as repeat,
      max(revenue) as largest
    from pg_temp.verify_payers_of where payments > 0 group by card_id)`)
const BOOKED = sql.raw(
  `(select s.* from card_stats s join cards c on c.id = s.card_id and c.settlement_mode = 'CUSTODIAL')`,
)
/** DIRECT payments are not in the ledger; those that wait in the queue are not counted yet. */
const DIRECT = sql.raw(`(select d.card_id, sum(d.n) as n from (
    select card_id, 1 as n from direct_settlements where state = 'settled' and transaction_id is not null
    union all select s.card_id, case q.kind when 'direct' then -1 else 1 end
      from stats_queue q join direct_settlements s on s.id = q.ref where q.kind <> 'exception') d group by d.card_id)`)

const CHECKS = [
  sql<Row>`select 'card ' || coalesce(s.card_id, m.card_id) || ' shows a revenue of ' || coalesce(s.rx_lifetime, 0) || ' by ' ||
      coalesce(s.rx_count, 0) || ' payments, ' || coalesce(s.refunded, 0) || ' refunded and ' ||
      coalesce(s.self_payments, 0) || ' of its own; its transfers make ' || coalesce(m.revenue, 0) || ' by ' ||
      coalesce(m.payments, 0) || ', ' || coalesce(m.refunded, 0) || ' and ' || coalesce(m.own, 0) as fault
    from ${BOOKED} s full join ${MADE} m on m.card_id = s.card_id
    where (coalesce(s.rx_lifetime, 0), coalesce(s.rx_count, 0), coalesce(s.refunded, 0), coalesce(s.self_payments, 0))
      <> (coalesce(m.revenue, 0), coalesce(m.payments, 0), coalesce(m.refunded, 0), coalesce(m.own, 0)) limit 21`,
  sql<Row>`select 'card ' || coalesce(d.card_id, m.card_id) || ' shows ' || coalesce(d.revenue, 0) || ' by ' ||
      coalesce(d.payments, 0) || ' payments on ' || coalesce(d.day, m.day) || ', its transfers make ' ||
      coalesce(m.revenue, 0) || ' by ' || coalesce(m.payments, 0) as fault
    from (select d.* from card_stats_days d join ${BOOKED} s on s.card_id = d.card_id) d
      full join pg_temp.verify_figures m on m.card_id = d.card_id and m.day = d.day
    where (coalesce(d.revenue, 0), coalesce(d.payments, 0)) <> (coalesce(m.revenue, 0), coalesce(m.payments, 0)) limit 21`,
  sql<Row>`select 'card ' || d.card_id || ' shows ' || d.revenue_before || ' by ' || d.payments_before || ' payments before ' ||
      d.day || ', its days make ' || d.revenue_until - d.revenue || ' by ' || d.payments_until - d.payments as fault
    from (select d.*, sum(payments) over earlier as payments_until, sum(revenue) over earlier as revenue_until
      from card_stats_days d window earlier as (partition by card_id order by day)) d
    where (d.revenue_before, d.payments_before) <> (d.revenue_until - d.revenue, d.payments_until - d.payments) limit 21`,
  sql<Row>`select 'card ' || coalesce(p.card_id, m.card_id) || ' shows ' || coalesce(p.revenue, 0) || ' by ' ||
      coalesce(p.payments, 0) || ' payments of ' || coalesce(p.payer, m.payer) || ', its transfers make ' ||
      coalesce(m.revenue, 0) || ' by ' || coalesce(m.payments, 0) as fault
    from (select p.* from card_payers p join ${BOOKED} s on s.card_id = p.card_id) p
      full join pg_temp.verify_payers_of m on m.card_id = p.card_id and m.payer = p.payer
    where (coalesce(p.revenue, 0), coalesce(p.payments, 0)) <> (coalesce(m.revenue, 0), coalesce(m.payments, 0)) limit 21`,
  sql<Row>`select 'card ' || s.card_id || ' shows ' || s.payers || ' payers and ' || s.repeat_payers ||
      ' who came again, the largest with ' || s.largest || '; its transfers make ' || coalesce(m.payers, 0) || ', ' ||
      coalesce(m.repeat, 0) || ' and ' || coalesce(m.largest, 0) as fault
    from ${BOOKED} s left join ${PAID_BY} m on m.card_id = s.card_id
    where (s.payers, s.repeat_payers, s.largest) <> (coalesce(m.payers, 0), coalesce(m.repeat, 0), coalesce(m.largest, 0))
    limit 21`,
  sql<Row>`select 'card ' || c.id || ' shows ' || coalesce(s.rx_count + s.self_payments + s.other_assets, 0) ||
      ' DIRECT payments, it has ' || coalesce(d.n, 0) as fault
    from cards c left join card_stats s on s.card_id = c.id left join ${DIRECT} d on d.card_id = c.id
    where c.settlement_mode = 'DIRECT' and coalesce(s.rx_count + s.self_payments + s.other_assets, 0) <> coalesce(d.n, 0)
    limit 21`,
  sql<Row>`select 'card ' || c.id || ' shows ' || coalesce(s.exceptions, 0) || ' exceptions, it has ' || coalesce(e.n, 0) as fault
    from (select l.card_id, count(*) filter (where not exists (select from stats_queue q
          where q.kind = 'exception' and q.ref = e.id)) as n
        from payment_exceptions e join pay_links l on l.id = e.pay_link_id group by 1) e
      full join (select * from card_stats where exceptions > 0) s on s.card_id = e.card_id
      join cards c on c.id = coalesce(e.card_id, s.card_id)
    where coalesce(s.exceptions, 0) <> coalesce(e.n, 0) limit 21`,
]

/** Compared only while no batch waits to be counted. */
const ACTIVITY = [
  sql<Row>`select 'card ' || c.id || ' shows ' || coalesce(d.spent, 0) || ' as spent by its days, and ' || c.spent || ' in all' as fault
    from cards c left join (select card_id, sum(spent) - sum(returned) as spent from spending_days group by 1) d on d.card_id = c.id
    where coalesce(d.spent, 0) <> c.spent limit 21`,
  sql<Row>`select 'wallet ' || d.wallet_address || ' shows ' || d.whole || ' as spent on ' || d.day || ', its cards make ' || d.parts as fault
    from (select wallet_address, day, coalesce(sum(spent - returned) filter (where card_id = ''), 0) as whole,
        coalesce(sum(spent - returned) filter (where card_id <> ''), 0) as parts
      from spending_days group by wallet_address, network, asset, day) d where d.whole <> d.parts limit 21`,
  // A wallet's first two weeks may be parts: `business/stats/README.md`.
  sql<Row>`select 'card ' || s.card_id || ' shows ' || sum(s.spent) || ' more as spent and ' || sum(s.returned) ||
      ' more as returned, by ' || sum(s.payments) || ' more payments, in the week of ' || s.week || ' than its days make' as fault
    from (select wallet_address, network, asset, week, card_id, payments, spent, returned from spending_weeks
      union all select wallet_address, network, asset, week_of(day), card_id, -payments, -spent, -returned
        from spending_days where card_id <> '') s
      join (select wallet_address, network, asset, min(week) + 7 as first from spending_weeks group by 1, 2, 3) f
        using (wallet_address, network, asset)
    where s.week > f.first group by wallet_address, network, asset, s.week, s.card_id
    having (sum(s.payments), sum(s.spent), sum(s.returned)) <> (0, 0, 0) limit 21`,
  sql<Row>`select 'card ' || s.card_id || ' shows payments from ' || coalesce(s.first_active::text, 'never') || ' to ' ||
      coalesce(s.last_active::text, 'never') || ', its transfers make ' || coalesce(m.first::text, 'never') || ' and ' ||
      coalesce(m.last::text, 'never') as fault
    from ${BOOKED} s left join ${MADE} m on m.card_id = s.card_id
    where (s.first_active, s.last_active) is distinct from (m.first, m.last) limit 21`,
]
