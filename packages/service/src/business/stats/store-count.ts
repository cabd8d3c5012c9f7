import { all, type RawBuilder, run, sql, type Tx } from '../../base/db/sql.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { LINK_RAILS } from '../../base/protocols/rails.ts'
import { CARDS } from '../../money/cards/store.ts'
import { byCardTables, GIVERS, type Rest, restTables } from './store-moves.ts'
import { countSpendingStatement } from './store-spending.ts'

/** The next things to count: batches of the ledger, and facts of the queue. */
export type Page = { batches: readonly bigint[] } & Pick<Rest, 'direct' | 'missing'>

const each = (of: (protocol: string) => string): RawBuilder<unknown> =>
  sql.raw(LINK_RAILS.map(of).join(', '))

/**
 * Counts a page: settlements by card in one statement, and all else in a second one if there is any. The caller holds the
 * lock of the progress, so nobody else counts: each row is read, and written with the page added to it.
 */
export async function countPage(tx: Tx, page: Page, asset: Asset): Promise<void> {
  // A plan that was made while the tables were empty looks settlements up by the wrong index, until they are analyzed.
  // Each payment has a settlement of its own, so there is none to remember.
  await sql`select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_memoize', 'off', true)`.execute(
    tx,
  )
  if (page.batches.length > 0) await countSpendingStatement(page.batches).execute(tx)
  const others = page.batches.length === 0 ? [] : await all(tx, countByCardStatement(page.batches))
  const { direct, missing } = page
  if (others.length + direct.length + missing.length === 0) return
  const rest = { transfers: others.map(({ transfer }) => transfer), direct, missing }
  const changed = await all(tx, countRestStatement(rest, asset))
  await lookUpActivity(tx, cardsOf(changed, 'hasLost'), asset)
  await lookUpLargest(tx, cardsOf(changed, 'hasFallen'))
}

type Changed = { cardId: string; hasLost: boolean; hasFallen: boolean }
const cardsOf = (changed: readonly Changed[], by: 'hasLost' | 'hasFallen'): string[] =>
  changed.filter((one) => one[by]).map(({ cardId }) => cardId)

/** Counts the settlements by card of these batches, and answers the transfers that are none. */
export const countByCardStatement = (
  batches: readonly bigint[],
): RawBuilder<{ transfer: string }> =>
  sql`with ${byCardTables(batches)}, ${FIGURES},
      gave as (${gaveFrom(PAYERS_OF_CARDS)})
      select transfer from looked where card_id is null`

/** Counts the rest of a page, and answers the cards that lost a payment, or whose largest payer brought less than before. */
export const countRestStatement = (rest: Rest, asset: Asset): RawBuilder<Changed> =>
  sql`with ${restTables(rest, asset)}, ${FIGURES},
      gave as (${gaveFrom(sql`${PAYERS_OF_CARDS} union ${GIVERS}`)}),
      noted as (insert into own_payments (ref) select distinct ref from judged where is_noted on conflict do nothing)
      select n.card_id, n.has_lost, n.has_fallen from of_cards n where n.has_lost or n.has_fallen`

/** The changes of the page, by what is added up apart. */
const PARTS = sql`select card_id, network, protocol, day, is_own, is_other, sum(count) as count, sum(amount) as amount,
    coalesce(-sum(amount) filter (where count = 0), 0) as refunded, min(settled_at) filter (where count = 1) as first,
    max(settled_at) filter (where count = 1) as last, min(count) < 0 as has_lost
  from judged group by card_id, network, protocol, day, is_own, is_other`

/** The days of the page, with the first of each card. */
const OF_DAYS = sql`select card_id, day, sum(count) as payments, sum(amount) as revenue,
    min(day) over (partition by card_id) as since
  from parts where not is_own and not is_other group by card_id, day`

/** Nearly always the last day alone; a refund of an old payment writes each day since then. */
const DAYS = sql`insert into card_stats_days (card_id, day, payments, revenue, payments_before, revenue_before)
  select * from (
    select card_id, day, payments, revenue, sum(payments) over earlier - payments, sum(revenue) over earlier - revenue
    from (select card_id, day, sum(payments) as payments, sum(revenue) as revenue from (
        select card_id, day, payments, revenue from of_days
        union all
        select d.card_id, d.day, d.payments, d.revenue from of_days s
          cross join lateral (select * from card_stats_days d where d.card_id = s.card_id and d.day >= s.day offset 0) d
          where s.day = s.since
        union all
        select s.card_id, '-infinity', coalesce(d.payments_before, c.rx_count), coalesce(d.revenue_before, c.rx_lifetime)
        from of_days s
          cross join lateral (select * from card_stats c where c.card_id = s.card_id offset 0) c
          left join lateral (select * from card_stats_days d where d.card_id = s.card_id and d.day >= s.day
            order by d.day limit 1) d on true
          where s.day = s.since) n
      group by card_id, day) by_day
    window earlier as (partition by card_id order by day)) all_days
  where day > '-infinity'
  on conflict (card_id, day) do update set payments = excluded.payments, revenue = excluded.revenue,
    payments_before = excluded.payments_before, revenue_before = excluded.revenue_before`

/** The payers of the page with their rows. Nobody else writes these, so a row that was found is where it was found. */
const OF_PAYERS = sql`select n.card_id, n.payer, n.wallet, p.place, coalesce(p.payments, 0) as before,
    n.count + coalesce(p.payments, 0) as after, coalesce(p.revenue, 0) as brought, n.amount + coalesce(p.revenue, 0) as revenue
  from (select card_id, payer, min(wallet) as wallet, sum(count) as count, sum(amount) as amount
      from judged where not is_own and not is_other group by card_id, payer) n
    left join lateral (select p.ctid as place, p.payments, p.revenue from card_payers p
      where p.card_id = n.card_id and p.payer = n.payer offset 0) p on true`

/** The gain of a card's number of payers with at least so many payments. */
const payersWith = (least: number): RawBuilder<unknown> =>
  sql`sum((after >= ${least})::integer - (before >= ${least})::integer)`

/** Payments and payers are rows of one table: a join of the two would be a guess of their sizes. */
const OF_CARDS = sql`select n.*, c.largest is not null and n.fell_from >= c.largest as has_fallen from (
    select j.card_id, min(j.network) as network,
      sum(j.amount) filter (where j.counts) as amount, coalesce(sum(j.count) filter (where j.counts), 0) as count,
      ${each((name) => `coalesce(sum(j.count) filter (where j.counts and j.protocol = '${name}'), 0) as by_${name}`)},
      min(j.first) filter (where j.counts) as first, max(j.last) filter (where j.counts) as last,
      coalesce(sum(j.refunded) filter (where j.counts), 0) as refunded,
      coalesce(sum(j.count) filter (where j.is_own and not j.is_other), 0) as own,
      coalesce(sum(j.amount + j.refunded) filter (where j.is_own and not j.is_other), 0) as own_amount,
      coalesce(sum(j.count) filter (where j.is_other), 0) as other, coalesce(bool_or(j.has_lost), false) as has_lost,
      ${payersWith(1)} as payers, ${payersWith(2)} as repeat, max(j.revenue) filter (where j.after > 0) as largest,
      max(j.brought) filter (where j.revenue < j.brought or j.after < 1) as fell_from
    from (
      select card_id, network, protocol, first, last, amount, refunded, count, is_own, is_other,
        not is_own and not is_other as counts, has_lost and not is_own and not is_other as has_lost,
        null::bigint as before, null::bigint as after, null::numeric as brought, null::numeric as revenue from parts
      union all
      select card_id, null, null, null, null, null, null, null, null, null, null, null, before, after, brought, revenue
        from of_payers) j
    group by j.card_id) n
  left join lateral (select c.largest from card_stats c where c.card_id = n.card_id offset 0) c on true`

const CARD_FIGURES = sql`insert into card_stats as s (card_id, network, rx_lifetime, rx_count, ${each((name) => `by_${name}`)},
    first_active, last_active, payers, repeat_payers, largest, refunded, self_payments, self_amount, other_assets)
  select n.card_id, n.network, coalesce(n.amount, 0) + coalesce(c.rx_lifetime, 0), n.count + coalesce(c.rx_count, 0),
    ${each((name) => `n.by_${name} + coalesce(c.by_${name}, 0)`)},
    case when n.count + coalesce(c.rx_count, 0) > 0 then least(n.first, c.first_active) end,
    case when n.count + coalesce(c.rx_count, 0) > 0 then greatest(n.last, c.last_active) end,
    coalesce(n.payers, 0) + coalesce(c.payers, 0), coalesce(n.repeat, 0) + coalesce(c.repeat_payers, 0),
    greatest(n.largest, c.largest, 0),
    n.refunded + coalesce(c.refunded, 0), n.own + coalesce(c.self_payments, 0),
    n.own_amount + coalesce(c.self_amount, 0), n.other + coalesce(c.other_assets, 0)
  from of_cards n left join lateral (select * from card_stats c where c.card_id = n.card_id offset 0) c on true
  on conflict (card_id) do update set rx_lifetime = excluded.rx_lifetime, rx_count = excluded.rx_count,
    ${each((name) => `by_${name} = excluded.by_${name}`)},
    first_active = excluded.first_active, last_active = excluded.last_active, payers = excluded.payers,
    repeat_payers = excluded.repeat_payers, largest = excluded.largest, refunded = excluded.refunded,
    self_payments = excluded.self_payments, self_amount = excluded.self_amount, other_assets = excluded.other_assets`

const FIGURES = sql`parts as materialized (${PARTS}),
  of_days as materialized (${OF_DAYS}),
  days as (${DAYS}),
  of_payers as materialized (${OF_PAYERS}),
  paid_again as (update card_payers p set payments = o.after, revenue = o.revenue from of_payers o where p.ctid = o.place),
  paid_first as (insert into card_payers (card_id, payer, payments, revenue)
    select card_id, payer, after, revenue from of_payers where place is null),
  of_cards as materialized (${OF_CARDS}),
  figures as (${CARD_FIGURES})`

/**
 * A payer that has paid the card before gave money to its owner then, and is known, unless the card has been sold since.
 */
const PAYERS_OF_CARDS = sql`select payer, wallet from of_payers where before = 0
  union select j.payer, j.wallet from judged j where j.count = 1 and j.payer <> j.wallet
    and (j.is_own or j.is_other or j.card_id in (select n.card_id from of_cards n
      cross join lateral (select from ${CARDS} where c.id = n.card_id and c.owner_no > 0 offset 0) c))`

const gaveFrom = (
  givers: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`insert into wallet_payments (from_wallet, to_wallet)
  select g.giver, g.taker from (${givers}) g (giver, taker) where not exists (
    select from wallet_payments w where w.from_wallet = g.giver and w.to_wallet = g.taker offset 0)`

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

/** The revenue from the largest payer of cards that gave some of it back. */
async function lookUpLargest(tx: Tx, cardIds: readonly string[]): Promise<void> {
  if (cardIds.length === 0) return
  await run(
    tx,
    sql`update card_stats s set largest = coalesce((select max(p.revenue) from card_payers p
        where p.card_id = s.card_id and p.payments > 0), 0)
      where s.card_id = any(${[...cardIds]}::text[])`,
  )
}
