import { all, type Reader, sql } from '../../../base/db/sql.ts'
import { firstId } from '../../../base/kernel/ids.ts'
import type { Checking } from '../../../money/ledger/verify/verify.ts'

type Row = { fault: string }
type Follow = (on: Reader, checking: Checking) => Promise<void>
const PAGE = 2_000

/** Rows of a table that say that money moved, and the transfers that each of them must have. */
const FOLLOWED: { table: string; where: string; transfers: string }[] = [
  { table: 'deposits', where: 'true', transfers: `('deposit', r.id)` },
  {
    table: 'cards',
    where: `r.status not in ('PENDING_FUNDING', 'FUNDING_FAILED', 'CLOSED') and r.settlement_mode = 'CUSTODIAL'`,
    transfers: `(case when r.kind = 'autopay' then 'membership_reserve'
      when exists (select from ledger_transfers i where i.kind = 'card_activate' and i.ref = r.id)
      then 'card_activate' when r.ancestors <> '{}' then 'card_slice' else 'card_issue' end, r.id)`,
  },
  {
    table: 'settlements',
    where: `r.state = 'settled' and r.batch is null`,
    transfers: `('settlement', r.id)`,
  },
  {
    table: 'membership_payments',
    where: 'true',
    transfers: `(case r.source when 'wallet' then 'pull' else 'membership' end,
      case r.source when 'wallet' then r.charge_id else r.id end)`,
  },
  {
    table: 'payment_exceptions',
    where: `r.settlement_mode = 'CUSTODIAL'`,
    transfers: `('payment_exception', r.id)`,
  },
  {
    table: 'outbound_payments',
    where: `r.state in ('captured', 'final', 'undone')`,
    transfers: `('payment', r.id), (case r.state when 'final' then 'payment_final' when 'undone' then 'payment_undone'
      else 'payment' end, r.id)`,
  },
  {
    table: 'pulls',
    where: `r.state in ('confirmed', 'missing')`,
    transfers: `('pull', r.id), (case r.state when 'missing' then 'pull_undone' else 'pull' end, r.id)`,
  },
  {
    table: 'withdrawals',
    where: 'true',
    transfers: `('withdrawal', r.id), (case r.status when 'COMPLETED' then 'withdrawal_final'
      when 'FAILED' then 'withdrawal_failed' else 'withdrawal' end, r.id)`,
  },
  {
    table: 'mpp_streams',
    where: `r.final_amount > 0 and r.receiver_card_id is not null`,
    transfers: `('stream', r.id)`,
  },
  {
    // The transfer names the received transaction, whose id once had one letter more.
    table: 'refund_entries',
    where: `r.direction = 'sent'`,
    transfers: `('refund', (select t.ref from ledger_transfer_rows t where t.kind = 'refund' and t.ref in (
      r.refund_of || ' ' || r.refunded - r.amount, r.refund_of || 'r ' || r.refunded - r.amount)))`,
  },
  {
    table: 'listings',
    where: `r.status = 'SOLD' and r.mode = 'custodial'`,
    transfers: `('sale', r.id)`,
  },
  { table: 'meter_topups', where: 'r.settlement_id is null', transfers: `('meter_topup', r.id)` },
  {
    table: 'direct_fees',
    where: `r.state = 'paid'`,
    transfers: `('direct_fee', r.id), (case when r.reversed_at is null then 'direct_fee' else 'direct_fee_reversed' end, r.id)`,
  },
]

/** Notes rows whose transfer is missing. Each page is one statement, and so one snapshot. */
const followOf =
  ({ table, where, transfers }: (typeof FOLLOWED)[number]): Follow =>
  (on, { note, ...pages }) =>
    inPages(on, { table, ...pages }, async (page) => {
      const rows = await all(
        on,
        sql<Row>`select ${table} || ' ' || r.id || ' has no transfer of kind ' || e.kind as fault
          from ${page} r cross join lateral (values ${sql.raw(transfers)}) as e (kind, ref)
          where ${sql.raw(where)} and not exists (
            select from ledger_transfers t where t.kind = e.kind and t.ref = e.ref offset 0) limit 21`,
      )
      for (const { fault } of rows) note('followed', fault)
    })

/** Notes transactions of cards whose amount the account neither gave nor gained. */
const checkSides: Follow = (on, { note, ...pages }) =>
  inPages(on, { table: 'card_transaction_rows', ...pages }, async (page) => {
    const rows = await all(
      on,
      sql<Row>`select 'card_transaction_rows ' || r.id || ' shows ' || r.amount || ' that no transfer moved' as fault
        from ${page} r join cards c on c.id = r.card_id
        where r.status in ('SETTLED', 'REFUNDED') and r.token is null and r.amount > 0 and not exists (
          select from ledger_transfers t cross join unnest(t.accounts, t.amounts) as l (account_id, amount)
          where t.kind in ('settlement', 'payment', 'stream', 'membership') and t.ref = r.ref and l.account_id = c.account_id
            and l.amount = case r.direction when 'sent' then -r.amount else r.amount end offset 0)
        union all
        select 'card_transaction_rows ' || r.id || ' shows ' || r.amount || ' that no DIRECT settlement brought'
        from ${page} r where r.token is not null and not exists (
          select from direct_settlements d where d.id = r.ref and d.transaction_id = r.id and d.amount = r.amount
            and d.token = r.token offset 0) limit 21`,
    )
    for (const { fault } of rows) note('followed', fault)
  })

const REFUNDED = [
  {
    table: 'settlements',
    ids: `'txn_' || other_side(substr(r.id, 5)), 'txn_' || substr(r.id, 5) || 'r'`,
    where: 'true',
  },
  { table: 'card_transaction_rows', ids: 'r.id', where: `r.direction = 'received'` },
]

/** Each refund of a payment names what had been refunded before it, so refunds are followed from the first one on. */
const refundsOf =
  ({ table, ids, where }: (typeof REFUNDED)[number]): Follow =>
  (on, { note, ...pages }) =>
    inPages(on, { table, ...pages }, async (page) => {
      const rows = await all(
        on,
        sql<Row>`select ${table} || ' ' || r.id || ' shows ' || r.refunded || ' refunded, its transfers make ' ||
            coalesce(f.total, 0) as fault
          from (select r.*, array[${sql.raw(ids)}] as refund_ids from ${page} r where r.refunded > 0 and ${sql.raw(where)}) r
          cross join lateral (
            with recursive refund (total) as (
              select 0::numeric
              union all
              select f.total + (select max(m) from unnest(t.amounts) as m)
              from refund f join ledger_transfers t on t.kind = 'refund' and t.ref = any (
                select id || ' ' || f.total from unnest(r.refund_ids) as id))
            select max(total) as total from refund) f
          where f.total <> r.refunded limit 21`,
      )
      for (const { fault } of rows) note('followed', fault)
    })
const SIDES = [
  {
    table: 'settlements',
    sides: `('txn_' || substr(r.id, 5)), ('txn_' || other_side(substr(r.id, 5)))`,
  },
  { table: 'card_transaction_rows', sides: '(r.id)' },
]

/** Notes payments whose refunds are not what the entries of a side show. */
const entriesOf =
  ({ table, sides }: (typeof SIDES)[number]): Follow =>
  (on, { note, ...pages }) =>
    inPages(on, { table, ...pages }, async (page) => {
      const rows = await all(
        on,
        sql<Row>`select ${table} || ' ' || r.id || ' shows ' || r.refunded || ' refunded, the entries of ' || s.id ||
            ' make ' || e.total as fault
          from (select * from ${page} r where r.refunded > 0 offset 0) r cross join lateral (values ${sql.raw(sides)}) as s (id)
          cross join lateral (select coalesce(sum(e.amount), 0) as total from refund_entries e where e.refund_of = s.id) e
          where e.total <> r.refunded limit 21`,
      )
      for (const { fault } of rows) note('followed', fault)
    })

/** Every check that rows have the transfers that they say. */
export const FOLLOWS: readonly Follow[] = [
  ...FOLLOWED.map(followOf),
  checkSides,
  ...REFUNDED.map(refundsOf),
  ...SIDES.map(entriesOf),
]

type Page = ReturnType<typeof sql>

/** A row may be written so long after the time in its id: after the checkpoint that an incremental check goes on from. */
const LATE_MS = 3_600_000

/** Calls `work` for every page of the table, in the order of its ids; for an incremental check, of rows that may be new. */
async function inPages(
  on: Reader,
  { table, since, rest }: { table: string } & Omit<Checking, 'note'>,
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const name = sql.raw(table)
  let after = since ? await firstSince(on, name, new Date(since.getTime() - LATE_MS)) : ''
  for (;;) {
    const [page] = await all(
      on,
      sql<{ last: string | null }>`select max(id) as last
        from (select id from ${name} where id > ${after} order by id limit ${PAGE}) r`,
    )
    if (!page?.last) return
    await work(sql`(select * from ${name} where id > ${after} and id <= ${page.last})`)
    after = page.last
    await rest()
  }
}

/** An id of the table that is smaller than any that is made after this time. */
async function firstSince(on: Reader, name: Page, since: Date): Promise<string> {
  const tail = firstId('txn', since).slice('txn'.length)
  const [first] = await all(
    on,
    sql<{ id: string | null }>`select split_part(min(id), '_', 1) || ${tail} as id from ${name}`,
  )
  return first?.id ?? ''
}
