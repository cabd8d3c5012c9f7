import { all, type Reader, sql } from '../../../base/db/sql.ts'
import { columnOf } from '../../../base/db/values.ts'
import { CARD_LIMITS } from '../../../base/kernel/card-limits.ts'
import type { Note } from '../../../money/ledger/fault.ts'

type Row = { fault: string }

/** Compares counters and holds with the sums of all transfers. Run it in one snapshot. */
export async function checkCounters(on: Reader, note: Note): Promise<void> {
  for (const query of CHECKS) for (const { fault } of await all(on, query)) note('counters', fault)
}

/** Notes settlements of these batches that paid to a fee meter and have no such top-up. */
export async function checkTopUps(
  on: Reader,
  batches: readonly bigint[],
  note: Note,
): Promise<void> {
  const rows = await all(
    on,
    sql<Row>`select 'settlement ' || s.id || ' paid ' || s.amount || ' to a fee meter, its top-up shows ' ||
        coalesce(t.amount::text, 'nothing') as fault
      from (select s.* from settlements s where s.batch = any(${[...batches]}::bigint[])
        union all
        select s.* from ledger_transfer_rows r join settlements s on s.id = r.ref and s.batch is null
          where r.batch = any(${[...batches]}::bigint[]) and r.kind = 'settlement') s
        left join meter_topups t on t.settlement_id = s.id and t.wallet_address = s.payer_wallet
      where s.house_account = 'fee_meter' and t.amount is distinct from s.amount`,
  )
  for (const { fault } of rows) note('counters', fault)
}

/** The amounts that a card has spent, received and been given, by the kinds of its account's transfers. */
const MOVED = sql.raw(`(select account_id,
    coalesce(sum(gave) filter (where kind in ('settlement', 'payment', 'stream', 'membership')), 0)
      - coalesce(sum(gained) filter (where kind in ('refund', 'payment_undone')), 0) as spent,
    coalesce(sum(gained) filter (where kind in ('settlement', 'stream')), 0)
      - coalesce(sum(gave) filter (where kind = 'refund'), 0) as received,
    sum(gained) filter (where kind in ('card_issue', 'card_activate', 'card_fund', 'card_slice', 'membership_reserve')) as given
  from pg_temp.verify_sums group by 1)`)

/** Caps are few, and each is counted from its payments of thirty days. One may miss payments of a minute that a clock left and came back to. */
const CAPS = sql<Row>`select 'the limits of ' || k.subject || ' show ' || v.shown || ' used ' || v.at || ', their payments make ' ||
    v.made as fault
  from spending_caps k
    cross join lateral (select starts_with(k.minute, k.hour) as is_now) m
    cross join lateral counted_cap(jsonb_populate_record(k, '{"counted_to": null}'),
      (case when m.is_now then k.minute else k.hour || ':00' end)::timestamp at time zone 'UTC') n
    cross join lateral (values
      ${sql.join(CARD_LIMITS.map(({ window, usedName }) => sql`('on ' || k.${sql.ref(columnOf(window))}, k.${sql.ref(usedName)}::text, n.${sql.ref(usedName)}::text)`))},
      ('in thirty days until ' || k.day, k.days::text, n.days::text),
      ('in ' || k.minute, k.minute_payments::text, case when m.is_now and k.max_payments_per_minute is not null
        then least(k.minute_payments, n.minute_payments) else k.minute_payments end::text)) as v (at, shown, made)
  where k.counted_to is not null and v.shown <> v.made order by k.subject limit 21`

const CHECKS = [
  sql<Row>`select 'card ' || c.id || ' shows ' || c.spent || ' spent and ' || c.received ||
      ' received, its transfers make ' || coalesce(m.spent, 0) || ' and ' || coalesce(m.received, 0) as fault
    from cards c left join ${MOVED} m on m.account_id = c.account_id
    where c.spent <> coalesce(m.spent, 0) or c.received <> coalesce(m.received, 0) order by c.id limit 21`,
  sql<Row>`select 'card ' || c.id || ' shows a limit of ' || c.limit_amount || ', it was given ' || m.given as fault
    from cards c join ${MOVED} m on m.account_id = c.account_id
    where m.given is not null and c.limit_amount <> m.given order by c.id limit 21`,
  sql<Row>`select 'card ' || c.id || ' is on account ' || c.account_id || ', which is ' ||
      coalesce(a.kind || ' ' || a.owner, 'none') as fault
    from cards c left join ledger_accounts a on a.id = c.account_id
    where (a.kind, a.owner, a.network, a.asset) is distinct from
      (case c.kind when 'autopay' then 'autopay' else 'card' end, c.id, c.network, c.asset) order by c.id limit 21`,
  sql<Row>`select 'card ' || c.id || ' shows ' || c.held || ' held, its account ' || a.held as fault
    from cards c join ledger_accounts a on a.id = c.account_id where c.held <> a.held order by c.id limit 21`,
  // A card that changed hands has closed its children: what comes back to them since is not its new owner's.
  sql<Row>`select 'card ' || c.id || ' shows ' || c.delegated || ' spent and held by its children, they show ' ||
      coalesce(b.taken, 0) as fault
    from cards c left join (select ancestors[cardinality(ancestors)] as id, sum(spent + held + delegated) as taken
      from cards where ancestors <> '{}' group by 1) b on b.id = c.id
    where case c.owner_no when 0 then c.delegated <> coalesce(b.taken, 0) else c.delegated < coalesce(b.taken, 0) end
    order by c.id limit 21`,
  ...CARD_LIMITS.flatMap(checksOf),
  CAPS,
  sql<Row>`select 'pay link ' || l.code || ' shows ' || l.uses || ' uses, its settlements make ' ||
      coalesce(u.uses, d.n, 0) as fault
    from pay_links l left join pg_temp.verify_uses u on u.pay_link_id = l.id
    left join (select pay_link_id, count(*) as n from direct_settlements
      where state in ('settled', 'missing') and exception_id is null group by 1) d on d.pay_link_id = l.id
    where l.uses <> coalesce(u.uses, d.n, 0) order by l.id limit 21`,
  sql<Row>`select 'pay link ' || l.code || ' shows ' || l.reserved || ' uses reserved, of its settlements ' ||
      coalesce(s.n, 0) || ' are on their way' as fault
    from pay_links l
    left join (select pay_link_id, count(*) as n from (
        select pay_link_id from settlements where state = 'settling'
        union all select pay_link_id from direct_settlements where state = 'settling' and nonce is not null) o group by 1) s
      on s.pay_link_id = l.id
    where l.reserved <> coalesce(s.n, 0) order by l.id limit 21`,
  sql<Row>`select 'wallet ' || u.wallet_address || ' shows ' || u.used || ' DIRECT settlements from ' || u.month ||
      ', its fees make ' || coalesce(f.n, 0) as fault
    from direct_usage u
    left join (select wallet_address, month, count(*) as n from direct_fees where reversed_at is null group by 1, 2) f
      using (wallet_address, month)
    where u.used <> coalesce(f.n, 0) order by u.wallet_address, u.month limit 21`,
  sql<Row>`select 'membership of ' || m.wallet_address || ' is ' || m.status || ' until ' || m.current_period_end ||
      ', which its payment ' || m.last_payment_id || ' did not pay for' as fault
    from memberships m left join membership_payments p on p.id = m.last_payment_id
    where (p.wallet_address, p.tier, p.billing_period, p.asset, p.amount, p.period_start, p.period_end) is distinct from
      (m.wallet_address, m.tier, m.billing_period, m.asset, m.price, m.current_period_start, m.current_period_end)
      or (p.undone_at is not null and m.status <> 'EXPIRED')
    order by m.wallet_address limit 21`,
  sql<Row>`select 'membership of ' || m.wallet_address || ' shows auto_renew ' || m.auto_renew ||
      ', its agreement says otherwise' as fault
    from memberships m where m.auto_renew <> exists (select from agreements a where a.payer_wallet = m.wallet_address
      and a.purpose = 'membership' and a.status in ('ACTIVE', 'PAST_DUE')) order by m.wallet_address limit 21`,
  sql<Row>`select 'hold ' || h.id || ' is open, and nothing waits for it' as fault
    from ledger_holds h where h.state = 'open'
      and not exists (select from outbound_payments p where p.hold_id = h.id and p.state in ('authorized', 'presented')
        and p.merchant_amount + p.fee = h.amount)
      and not exists (select from agent_card_tokens k where k.hold_id = h.id and k.state = 'held' and k.amount = h.amount)
      and not exists (select from mpp_streams s where s.hold_id = h.id and s.status = 'OPEN' and s.budget = h.amount)
      and not exists (select from withdrawal_requests r where r.hold_id = h.id and r.state in ('pending', 'approved')
        and r.amount = h.amount)
    order by h.id limit 21`,
  sql<Row>`select w.what || ' waits for hold ' || w.hold_id || ', which is not open' as fault
    from (
      select 'outbound payment ' || id as what, hold_id from outbound_payments where state in ('authorized', 'presented')
      union all select 'card token ' || challenge_id, hold_id from agent_card_tokens where state = 'held'
      union all select 'stream ' || id, hold_id from mpp_streams where status = 'OPEN'
      union all select 'withdrawal ' || id, hold_id from withdrawal_requests where state in ('pending', 'approved')) w
    where not exists (select from ledger_holds h where h.id = w.hold_id and h.state = 'open')
    order by 1 limit 21`,
]

/** The checks of a limit's counter. One that is made anew before it is used again says nothing. */
function checksOf(limit: (typeof CARD_LIMITS)[number]) {
  const [window, used] = [sql.ref(`c.${columnOf(limit.window)}`), sql.ref(`c.${limit.usedName}`)]
  const holds = sql`(select account_id, to_char(created_at at time zone 'UTC', ${limit.format}::text) as name,
      sum(case state when 'open' then amount else captured end) as used from ledger_holds h
    where not exists (select from outbound_payments p where p.hold_id = h.id and p.state = 'undone') group by 1, 2)`
  const paid = sql`pg_temp.verify_windows w on w.card_id = c.id and w.limit_name = ${limit.name}`
  return [
    // A hold counts in the window in which it was opened: whole while it is open, then what was captured of it.
    sql<Row>`select 'card ' || c.id || ' shows ' || ${used} || ' used on ' || ${window} || ', its payments make ' ||
        coalesce(w.used, 0) + coalesce(h.used, 0) + coalesce(b.used, 0) as fault
      from cards c
      left join ${paid} and w.name = ${window}
      left join ${holds} h on h.account_id = c.account_id and h.name = ${window}
      left join (select b.above, u.name, sum(u.used) as used
        from (select id, account_id, unnest(ancestors) as above from cards where ancestors <> '{}') b
        join lateral (
          select w.name, w.used from pg_temp.verify_windows w where w.card_id = b.id and w.limit_name = ${limit.name}
          union all select h.name, h.used from ${holds} h where h.account_id = b.account_id) u on true
        group by 1, 2) b on b.above = c.id and b.name = ${window}
      where c.counted_to = c.hour and ${used} <> coalesce(w.used, 0) + coalesce(h.used, 0) + coalesce(b.used, 0)
      order by c.id limit 21`,
    sql<Row>`select 'card ' || c.id || ' shows the ' || ${limit.window}::text || ' ' || ${window} || ', and paid on ' ||
        w.name as fault
      from cards c join ${paid} where w.name > ${window} and c.counted_to = c.hour order by c.id limit 21`,
    // The sums are of the newest windows alone, so a card whose clock went back is counted by itself.
    sql<Row>`select 'card ' || c.id || ' shows ' || ${used} || ' used on ' || ${window} || ', its payments make ' ||
        ${sql.ref(`n.${limit.usedName}`)} as fault
      from cards c cross join lateral counted_card(c, (c.hour || ':00')::timestamp at time zone 'UTC') n
      where c.counted_to > c.hour and ${used} <> ${sql.ref(`n.${limit.usedName}`)} order by c.id limit 21`,
  ]
}
