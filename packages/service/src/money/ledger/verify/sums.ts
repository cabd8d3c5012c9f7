import { all, type Reader, sql } from '../../../base/db/sql.ts'
import type { Note } from '../fault.ts'
import { into, merged, summed, type Tally } from './tallies.ts'

/** The sums that each account gained and gave by each kind of transfer. */
export const SUMS: Tally = {
  name: 'verify_sums',
  key: { account_id: 'bigint', kind: 'text' },
  values: { gained: summed('numeric', 'gained'), gave: summed('numeric', 'gave') },
}

/**
 * Adds the transfers of these batches, and notes those that do not sum to zero or name an unknown account. Only those with a row
 * of their own can: the view makes the lines of a settlement by card from its amount and fee.
 */
export async function addSums(on: Reader, batches: readonly bigint[], note: Note): Promise<void> {
  await sql`${into(SUMS)}
    select l.account_id, t.kind, coalesce(sum(l.amount) filter (where l.amount > 0), 0),
      coalesce(-sum(l.amount) filter (where l.amount < 0), 0)
    from ledger_transfers t, unnest(t.accounts, t.amounts) as l (account_id, amount)
    where t.batch = any(${batches}::bigint[]) group by 1, 2
    ${merged(SUMS)}`.execute(on)
  const off = await all(
    on,
    sql<{ fault: string }>`select 'transfer ' || t.id || case when a.id is null
        then ' names account ' || l.account_id || ', which does not exist'
        else ' is off by ' || sum(l.amount) over (partition by t.id, a.network, a.asset) end as fault
      from ledger_transfer_rows t cross join unnest(t.accounts, t.amounts) as l (account_id, amount)
        left join ledger_accounts a on a.id = l.account_id
      where t.batch = any(${batches}::bigint[]) and (a.id is null or t.id in (
        select u.id from ledger_transfer_rows u cross join unnest(u.accounts, u.amounts) as m (account_id, amount)
          join ledger_accounts b on b.id = m.account_id
        where u.batch = any(${batches}::bigint[]) group by u.id, b.network, b.asset having sum(m.amount) <> 0))`,
  )
  for (const { fault } of new Map(off.map((row) => [row.fault, row])).values())
    note('transfer_balance', fault)
}

/** Compares balances, parts, totals and holds with the sums of all transfers. Run it in one snapshot. */
export async function checkSums(on: Reader, note: Note): Promise<void> {
  for (const [check, query] of CHECKS)
    for (const { fault } of await all(on, query)) note(check, fault)
}

type Row = { fault: string }
const TOTALS = sql.raw(
  '(select account_id, sum(gained - gave) as total from pg_temp.verify_sums group by 1)',
)

const CHECKS = [
  [
    'known_accounts',
    sql<Row>`select 'account ' || e.account_id || ' does not exist, its entries make ' || sum(e.gained - e.gave) as fault
      from pg_temp.verify_sums e where not exists (select from ledger_accounts a where a.id = e.account_id)
      group by e.account_id limit 21`,
  ],
  [
    'zero_sum',
    sql<Row>`select 'entries of ' || a.network || ' ' || a.asset || ' sum to ' || sum(e.total) as fault
      from ${TOTALS} e join ledger_accounts a on a.id = e.account_id
      group by a.network, a.asset having sum(e.total) <> 0`,
  ],
  [
    'account_balance',
    sql<Row>`select 'account ' || a.id || ' (' || a.kind || ' ' || a.owner || ') shows ' || a.posted ||
        ', its entries make ' || coalesce(e.total, 0) as fault
      from ledger_accounts a left join ${TOTALS} e on e.account_id = a.id
      where not a.is_house and a.posted <> coalesce(e.total, 0) limit 21`,
  ],
  [
    'house_balance',
    sql<Row>`select 'house account ' || a.id || ' (' || a.kind || ') shows ' || coalesce(p.total, 0) ||
        ', its entries make ' || coalesce(e.total, 0) as fault
      from ledger_accounts a
      left join (select account_id, sum(posted) as total from ledger_house_parts group by 1) p on p.account_id = a.id
      left join ${TOTALS} e on e.account_id = a.id
      where a.is_house and coalesce(p.total, 0) <> coalesce(e.total, 0)`,
  ],
  [
    'totals',
    sql<Row>`select 'account ' || coalesce(s.account_id, e.account_id) || ' shows ' || coalesce(s.gained, 0) ||
        ' in and ' || coalesce(s.gave, 0) || ' out by ' || coalesce(s.kind, e.kind) || ', its entries make ' ||
        coalesce(e.gained, 0) || ' and ' || coalesce(e.gave, 0) as fault
      from ledger_totals s full join (
        select v.* from pg_temp.verify_sums v
          join ledger_accounts a on a.id = v.account_id and a.kind <> 'card' and not a.is_house) e
        on e.account_id = s.account_id and e.kind = s.kind
      where (s.gained, s.gave) is distinct from (e.gained, e.gave) limit 21`,
  ],
  [
    'held',
    sql<Row>`select 'account ' || a.id || ' (' || a.kind || ' ' || a.owner || ') holds ' || a.held ||
        ', its open holds make ' || coalesce(h.total, 0) as fault
      from ledger_accounts a
      left join (select account_id, sum(amount) as total from ledger_holds where state = 'open' group by 1) h
        on h.account_id = a.id
      where a.held <> coalesce(h.total, 0) limit 21`,
  ],
] as const
