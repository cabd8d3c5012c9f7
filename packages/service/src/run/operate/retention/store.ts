import { all, type Reader, sql } from '../../../base/db/sql.ts'
import { isArchived } from '../../../money/ledger/verify/store-archived.ts'

/** The size of tables with their indexes. `rows` is PostgreSQL's estimate. */
export const readSizes = (
  on: Reader,
  tables: readonly string[],
): Promise<{ table: string; rows: bigint; bytes: bigint }[]> =>
  all(
    on,
    sql`select name as table, pg_stat_get_live_tuples(to_regclass(name))::bigint as rows,
        pg_total_relation_size(to_regclass(name)) as bytes
      from unnest(${[...tables]}::text[]) as name where to_regclass(name) is not null`,
  )

/** Makes the tables into which a file is read again. Both go with `dropRead`. */
export async function makeRead(on: Reader, columns: readonly string[]): Promise<void> {
  await dropRead(on)
  const names = sql.join(columns.map((name) => sql.ref(name)))
  await sql`create temp table archive_line as select ${names} from settlements limit 0`.execute(on)
  await sql`create temp table archive_rows (like settlements including defaults)`.execute(on)
}

export async function dropRead(on: Reader): Promise<void> {
  await sql`drop table if exists pg_temp.archive_line, pg_temp.archive_rows`.execute(on)
}

export async function addRead(
  on: Reader,
  columns: readonly string[],
  lines: readonly string[],
): Promise<void> {
  const names = sql.join(columns.map((name) => sql.ref(name)))
  await sql`insert into pg_temp.archive_rows (${names})
    select (l::pg_temp.archive_line).* from unnest(${[...lines]}::text[]) as l`.execute(on)
}

/** How a batch that was read fits its chain. */
export type ReadBatch = {
  batch: bigint
  rows: bigint
  isArchived: boolean
  /** It has the hash that the chain has for it. */
  isIntact: boolean
  /** Rows with another byte than when they were posted. */
  altered: string[] | null
}

/** The batches that were read whole: all but the newest, unless the file has ended. They are put out of the table. */
export async function takeRead(on: Reader, isEnd: boolean): Promise<ReadBatch[]> {
  const isWhole = isEnd ? sql`true` : sql`batch < (select max(batch) from pg_temp.archive_rows)`
  const batches = await all<ReadBatch>(
    on,
    sql`select r.batch, r.rows, r.altered, ${isArchived(sql`r.batch`)} as is_archived,
        coalesce(sha256(b.previous || r.digests) = b.hash, false) as is_intact
      from (select batch, count(*) as rows, string_agg(digest, '' order by id collate "C") as digests,
          array_agg(id) filter (where digest is distinct from settlement_fact(row(a.*)::settlements)) as altered
        from pg_temp.archive_rows a where ${isWhole} group by batch) r
      left join ledger_batches b on b.id = r.batch order by r.batch`,
  )
  await sql`delete from pg_temp.archive_rows where ${isWhole}`.execute(on)
  return batches
}

/** A payment as it was read. The wallet of a card is its owner of now. */
export type ReadPayment = {
  id: string
  sentId: string
  receivedId: string
  createdAt: Date
  protocol: string
  amount: bigint
  fee: bigint
  decimals: number
  asset: string
  network: string
  payer: string
  payerWallet: string | null
  receiverCardId: string | null
  receiverWallet: string | null
  payLinkCode: string | null
  memo: string | null
  agreementId: string | null
  mandateId: string | null
}

/** The payments that were read, or those that `of` names, oldest first. All are put out of the table. */
export async function listRead(on: Reader, of: string | undefined): Promise<ReadPayment[]> {
  const payments = await all<ReadPayment>(
    on,
    sql`select * from (
      select r.id, 'txn_' || substr(r.id, 5) as sent_id, 'txn_' || other_side(substr(r.id, 5)) as received_id,
          r.created_at, r.protocol, r.amount, r.fee, r.decimals, r.asset, r.network,
          r.payer, r.payer_wallet, r.receiver_card_id, coalesce(r.receiver_wallet, c.wallet_address) as receiver_wallet,
          l.code as pay_link_code, l.memo, r.agreement_id, r.mandate_id
        from pg_temp.archive_rows r
          left join pay_links l on l.id = r.pay_link_id
          left join cards c on c.id = r.receiver_card_id) p
      where ${of ?? null}::text is null or ${of ?? null} in (id, sent_id, received_id, payer, payer_wallet,
        receiver_card_id, receiver_wallet, pay_link_code, agreement_id, mandate_id)
      order by id collate "C"`,
  )
  await sql`truncate pg_temp.archive_rows`.execute(on)
  return payments
}
