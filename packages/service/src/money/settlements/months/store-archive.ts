import { all, one, type Reader, run, sql, type Tx } from '../../../base/db/sql.ts'
import { isArchived } from '../../ledger/verify/store-archived.ts'

/** A month as a table of settlements: `settlements_2026_01`. */
export type MonthTable = { table: string; from: Date; until: Date }
const rangeOf = ({ from, until }: MonthTable) =>
  sql`s.id >= first_settlement_id(${from}) and s.id < first_settlement_id(${until})`

/**
 * The next batches of the month that can leave: whole, within the month, and with nothing refunded. `last` is where the look ended;
 * undefined once there are no more.
 */
export async function findLeaving(
  on: Reader,
  month: MonthTable,
  after: bigint,
  limit: number,
): Promise<{ batches: bigint[]; last: bigint | undefined }> {
  const rows = await all<{ batch: bigint; mayLeave: boolean }>(
    on,
    sql`select p.batch, (select bool_and(s.refunded = 0 and ${rangeOf(month)}) from settlements s
        where s.batch = p.batch) as may_leave
      from (select distinct s.batch from ${sql.table(month.table)} s where s.batch > ${after}
        order by s.batch limit ${limit}) p order by p.batch`,
  )
  const batches = rows.filter(({ mayLeave }) => mayLeave).map(({ batch }) => batch)
  return { batches, last: rows.at(-1)?.batch }
}

export const columnsOfSettlements = async (on: Reader): Promise<string[]> =>
  (
    await all<{ name: string }>(
      on,
      sql`select attname as name from pg_attribute where attrelid = 'settlements'::regclass and attnum > 0
        and not attisdropped order by attnum`,
    )
  ).map(({ name }) => name)

export type LeavingRow = {
  id: string
  /** PostgreSQL's own text of the row. */
  line: string
  asset: string
  network: string
  amount: bigint
  fee: bigint
}

/** The rows of these batches, in the order of batches and ids. */
export const readRows = (
  on: Reader,
  batches: readonly bigint[],
  columns: readonly string[],
): Promise<LeavingRow[]> =>
  all<LeavingRow>(
    on,
    sql`select s.id, s.asset, s.network, s.amount, s.fee,
        row(${sql.join(columns.map((name) => sql.ref(`s.${name}`)))})::text as line
      from settlements s where s.batch = any(${[...batches]}::bigint[]) order by s.batch, s.id collate "C"`,
  )

export async function countRows(on: Reader, { table }: MonthTable): Promise<bigint> {
  const row = await one<{ n: bigint }>(on, sql`select count(*) as n from ${sql.table(table)}`)
  return row?.n ?? 0n
}

/** The newest place of the month in the feed. */
export const findNewestPlace = (
  on: Reader,
  { table }: MonthTable,
): Promise<{ xid: bigint; seq: bigint } | undefined> =>
  one(
    on,
    sql`select xid, seq from ${sql.table(table)} where xid is not null order by xid desc, seq desc limit 1`,
  )

/**
 * Takes the batches that are written down as archived out of the month, and leaves the rest of it: a table in the place of the old
 * one. Returns how many settlements left, and how many of them were refunded after all. Payments wait for the change of tables alone.
 */
export async function replaceMonth(
  tx: Tx,
  { table, from, until }: MonthTable,
): Promise<{ gone: bigint; refunded: bigint }> {
  const [old, kept] = [sql.table(table), sql.table(`${table}_kept`)]
  const leaves = isArchived(sql`s.batch`)
  await sql`set local lock_timeout = '2s'`.execute(tx)
  await sql`lock table ${old} in share row exclusive mode`.execute(tx)
  await sql`create table ${kept} (like settlements including defaults including constraints including storage)`.execute(
    tx,
  )
  await run(
    tx,
    sql`insert into ${kept} select * from ${old} s where s.batch is null or not ${leaves}`,
  )
  const counted = await one<{ gone: bigint; refunded: bigint }>(
    tx,
    sql`select count(*) as gone, count(*) filter (where s.refunded > 0) as refunded from ${old} s
      where s.batch is not null and ${leaves}`,
  )
  await sql`create trigger only_as_a_part before insert or update or delete or truncate on ${kept}
    for each statement execute function refuse_change()`.execute(tx)
  await sql`alter table settlements detach partition ${old}`.execute(tx)
  await sql`drop table ${old}`.execute(tx)
  await sql`alter table ${kept} rename to ${old}`.execute(tx)
  const bounds = await one<{ least: string; bound: string }>(
    tx,
    sql`select quote_literal(first_settlement_id(${from})) as least, quote_literal(first_settlement_id(${until})) as bound`,
  )
  await sql`alter table settlements attach partition ${old}
    for values from (${sql.raw(bounds?.least ?? '')}) to (${sql.raw(bounds?.bound ?? '')})`.execute(
    tx,
  )
  return counted ?? { gone: 0n, refunded: 0n }
}
