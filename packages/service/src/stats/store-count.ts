import { all, type RawBuilder, sql, type Tx } from '../db/sql.ts'
import type { Asset } from '../kernel/assets.ts'
import { GIVERS, type Page, pageTables } from './store-moves.ts'

const PROTOCOLS = ['card', 'ap2', 'mpp', 'x402', 'onchain'] as const
const each = (of: (protocol: string) => string): RawBuilder<unknown> =>
  sql.raw(PROTOCOLS.map(of).join(', '))

/**
 * Counts a page in one statement. The caller holds the lock of the progress, so nobody else counts: each row is read,
 * and written with the page added to it.
 */
export async function countPage(tx: Tx, page: Page, asset: Asset): Promise<void> {
  // A plan that was made while the tables were empty looks settlements up by the wrong index, until they are analyzed.
  await sql`set local plan_cache_mode = force_custom_plan`.execute(tx)
  const lost = await all(tx, countStatement(page, asset))
  await lookUpActivity(
    tx,
    lost.map(({ cardId }) => cardId),
    asset,
  )
}

/** Counts a page, and answers the cards that lost a payment. */
export const countStatement = (page: Page, asset: Asset): RawBuilder<{ cardId: string }> =>
  sql`with ${pageTables(page, asset)},
      counted as materialized (select * from judged where not is_own and not is_other),
      noted as (insert into own_payments (ref) select distinct ref from judged where is_noted on conflict do nothing),
      since as materialized (${SINCE}),
      days as (${DAYS}),
      of_payers as materialized (${OF_PAYERS}),
      payers as (${PAYERS}),
      gave as (insert into wallet_payments (from_wallet, to_wallet) ${GIVERS} order by 1, 2 on conflict do nothing),
      of_cards as materialized (${OF_CARDS}),
      cards as (${CARD_FIGURES})
      select card_id from counted group by card_id having min(count) < 0`

/** The first day of each card that this page changes. */
const SINCE = sql`select card_id, min(day) as day from counted group by card_id`

/** Nearly always the last day alone; a refund of an old payment writes each day since then. */
const DAYS = sql`insert into card_stats_days (card_id, day, payments, revenue, payments_before, revenue_before)
  select * from (
    select card_id, day, payments, revenue, sum(payments) over earlier - payments, sum(revenue) over earlier - revenue
    from (select card_id, day, sum(payments) as payments, sum(revenue) as revenue from (
        select card_id, day, count as payments, amount as revenue from counted
        union all
        select d.card_id, d.day, d.payments, d.revenue from since s
          cross join lateral (select * from card_stats_days d where d.card_id = s.card_id and d.day >= s.day offset 0) d
        union all
        select s.card_id, '-infinity', coalesce(d.payments_before, c.rx_count), coalesce(d.revenue_before, c.rx_lifetime)
        from since s
          cross join lateral (select * from card_stats c where c.card_id = s.card_id offset 0) c
          left join lateral (select * from card_stats_days d where d.card_id = s.card_id and d.day >= s.day
            order by d.day limit 1) d on true) n
      group by card_id, day) by_day
    window earlier as (partition by card_id order by day)) all_days
  where day > '-infinity' order by card_id, day
  on conflict (card_id, day) do update set payments = excluded.payments, revenue = excluded.revenue,
    payments_before = excluded.payments_before, revenue_before = excluded.revenue_before`

const OF_PAYERS = sql`select n.card_id, n.payer, coalesce(p.payments, 0) as before, n.count + coalesce(p.payments, 0) as after,
    n.amount + coalesce(p.revenue, 0) as revenue
  from (select card_id, payer, sum(count) as count, sum(amount) as amount from counted group by card_id, payer) n
    left join lateral (select * from card_payers p where p.card_id = n.card_id and p.payer = n.payer offset 0) p on true`

const PAYERS = sql`insert into card_payers (card_id, payer, payments, revenue)
  select card_id, payer, after, revenue from of_payers order by card_id, payer
  on conflict (card_id, payer) do update set payments = excluded.payments, revenue = excluded.revenue`

/** The gain of a card's number of payers with at least so many payments. */
const payersWith = (least: number): RawBuilder<unknown> =>
  sql`sum((after >= ${least})::integer - (before >= ${least})::integer)`

/** Payments and payers are rows of one table: a join of the two would be a guess of their sizes. */
const OF_CARDS = sql`select j.card_id, min(j.network) as network,
    sum(j.amount) filter (where j.counts) as amount, coalesce(sum(j.count) filter (where j.counts), 0) as count,
    ${each((name) => `coalesce(sum(j.count) filter (where j.counts and j.protocol = '${name}'), 0) as by_${name}`)},
    min(j.settled_at) filter (where j.counts and j.count = 1) as first,
    max(j.settled_at) filter (where j.counts and j.count = 1) as last,
    coalesce(-sum(j.amount) filter (where j.counts and j.count = 0), 0) as refunded,
    coalesce(sum(j.count) filter (where j.is_own and not j.is_other), 0) as own,
    coalesce(sum(j.amount) filter (where j.is_own and not j.is_other and j.count <> 0), 0) as own_amount,
    coalesce(sum(j.count) filter (where j.is_other), 0) as other,
    ${payersWith(1)} as payers, ${payersWith(2)} as repeat
  from (
    select card_id, network, protocol, settled_at, amount, count, is_own, is_other, not is_own and not is_other as counts,
      null::bigint as before, null::bigint as after from judged
    union all
    select card_id, null, null, null, null, null, null, null, null, before, after from of_payers) j
  group by j.card_id`

const CARD_FIGURES = sql`insert into card_stats as s (card_id, network, rx_lifetime, rx_count, ${each((name) => `by_${name}`)},
    first_active, last_active, payers, repeat_payers, refunded, self_payments, self_amount, other_assets)
  select n.card_id, n.network, coalesce(n.amount, 0) + coalesce(c.rx_lifetime, 0), n.count + coalesce(c.rx_count, 0),
    ${each((name) => `n.by_${name} + coalesce(c.by_${name}, 0)`)},
    case when n.count + coalesce(c.rx_count, 0) > 0 then least(n.first, c.first_active) end,
    case when n.count + coalesce(c.rx_count, 0) > 0 then greatest(n.last, c.last_active) end,
    coalesce(n.payers, 0) + coalesce(c.payers, 0), coalesce(n.repeat, 0) + coalesce(c.repeat_payers, 0),
    n.refunded + coalesce(c.refunded, 0), n.own + coalesce(c.self_payments, 0),
    n.own_amount + coalesce(c.self_amount, 0), n.other + coalesce(c.other_assets, 0)
  from of_cards n left join lateral (select * from card_stats c where c.card_id = n.card_id offset 0) c on true
  order by n.card_id
  on conflict (card_id) do update set rx_lifetime = excluded.rx_lifetime, rx_count = excluded.rx_count,
    ${each((name) => `by_${name} = excluded.by_${name}`)},
    first_active = excluded.first_active, last_active = excluded.last_active, payers = excluded.payers,
    repeat_payers = excluded.repeat_payers, refunded = excluded.refunded, self_payments = excluded.self_payments,
    self_amount = excluded.self_amount, other_assets = excluded.other_assets`

/** The first and last payments of cards that lost one to a reorganization. */
async function lookUpActivity(tx: Tx, cardIds: readonly string[], asset: Asset): Promise<void> {
  if (cardIds.length === 0) return
  await sql`update card_stats s set first_active = r.first, last_active = r.last
    from unnest(${[...cardIds]}::text[]) as lost (card_id) cross join lateral (
      select min(p.settled_at) as first, max(p.settled_at) as last from incoming_payments p
      where p.card_id = lost.card_id and p.is_settled and lower(p.payer) <> lower(p.wallet)
        and coalesce(lower(p.token) = lower(${asset.contract}), true)
        and not exists (select from own_payments o where o.ref = p.ref)) r
    where s.card_id = lost.card_id and s.rx_count > 0`.execute(tx)
}
