import { sql } from '../../src/base/db/sql.ts'
import { followOnce } from '../../src/business/stats/follow.ts'
import type { World } from '../world.ts'

/** Counts everything that has happened. */
export async function followAll(w: World): Promise<void> {
  while (await followOnce(w.services, w.now()));
}

/**
 * The figures of every card by a scan of the source tables, as a person would add them up: from the histories of cards,
 * not from the ledger and not from the view that the followed rows are made of.
 */
const SCANNED = (contract: string) => sql`with seen as (
    select t.*, coalesce(o.wallet_address, u.wallet_address, t.merchant) as payer, t.amount + t.fee as gross,
      t.token is null or lower(t.token) = lower(${contract}) as is_usdc
    from card_transactions t left join card_transactions o on o.ref = t.ref and o.direction = 'sent'
      left join (select id, auth_nonce as nonce from settlements union all select id, nonce from direct_settlements) a
        on a.id = t.ref
      left join outbound_payments u on u.nonce = a.nonce
    where t.direction = 'received' and t.amount > 0 and t.status <> 'FAILED'),
  counted as (select * from seen where is_usdc and payer <> wallet_address)
  select c.id as card_id, coalesce(sum(n.gross - n.refunded), 0)::text as revenue, count(n.id)::text as payments,
    coalesce(sum(n.refunded), 0)::text as refunded, count(distinct n.protocol)::text as protocols,
    count(distinct n.payer)::text as payers, min(n.settled_at)::text as first, max(n.settled_at)::text as last,
    (select count(*) from (select from counted r where r.card_id = c.id group by r.payer having count(*) > 1) r)::text as repeat,
    (select count(*) from seen o where o.card_id = c.id and is_usdc and payer = wallet_address)::text as own,
    (select count(*) from seen o where o.card_id = c.id and not is_usdc)::text as other,
    (select count(*) from payment_exceptions e join pay_links l on l.id = e.pay_link_id where l.card_id = c.id)::text as exceptions,
    (select max(p.revenue) from (select sum(gross - r.refunded) as revenue from counted r where r.card_id = c.id
      group by r.payer) p)::text as largest,
    (select string_agg(concat_ws(' ', d.day, d.count, d.revenue, d.count_until - d.count, d.revenue_until - d.revenue), ', '
        order by d.day)
      from (select d.*, sum(count) over (order by day) as count_until, sum(revenue) over (order by day) as revenue_until from (
        select (r.settled_at at time zone 'UTC')::date as day, count(*) as count, sum(gross - r.refunded) as revenue
        from counted r where r.card_id = c.id group by 1) d) d) as days
  from cards c left join counted n on n.card_id = c.id group by c.id order by c.id`

const KEPT = sql`select c.id as card_id, coalesce(s.rx_lifetime, 0)::text as revenue, coalesce(s.rx_count, 0)::text as payments,
    coalesce(s.refunded, 0)::text as refunded, (coalesce((s.by_card > 0)::integer, 0) + coalesce((s.by_ap2 > 0)::integer, 0)
      + coalesce((s.by_mpp > 0)::integer, 0) + coalesce((s.by_x402 > 0)::integer, 0)
      + coalesce((s.by_onchain > 0)::integer, 0))::text as protocols,
    coalesce(s.payers, 0)::text as payers, s.first_active::text as first, s.last_active::text as last,
    coalesce(s.repeat_payers, 0)::text as repeat, coalesce(s.self_payments, 0)::text as own,
    coalesce(s.other_assets, 0)::text as other, coalesce(s.exceptions, 0)::text as exceptions,
    (case when s.payers > 0 then s.largest end)::text as largest,
    (select string_agg(concat_ws(' ', d.day, d.payments, d.revenue, d.payments_before, d.revenue_before), ', '
        order by d.day)
      from card_stats_days d where d.card_id = c.id and d.payments > 0) as days
  from cards c left join card_stats s on s.card_id = c.id order by c.id`

/** The figures that are kept, and the same by a scan: a test expects them to be equal. */
export async function bothFigures(w: World): Promise<{ kept: unknown[]; scanned: unknown[] }> {
  const [kept, scanned] = await Promise.all([
    KEPT.execute(w.db.reader),
    SCANNED(w.chain.asset.contract).execute(w.db.reader),
  ])
  return { kept: kept.rows, scanned: scanned.rows }
}
