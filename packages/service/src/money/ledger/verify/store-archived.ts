import { all, one, type RawBuilder, type Reader, sql, type Tx } from '../../../base/db/sql.ts'

/** A month of settlements that lies in a file. */
export type ArchivedMonth = {
  /** `2026-01`. */
  month: string
  manifest: string
  settlements: bigint
  batches: bigint
  shape: Buffer
  digest: Buffer
  archivedAt: Date
}
/** All batches from one to another. */
export type BatchRange = { first: bigint; last: bigint }
export type ArchivedPage = { tally: string; page: number; content: string }

/** Held shared by a check of the whole books, and alone by what puts a month away: its sums change places at once. */
const LOCK = 7283190456n

/** So many rows of a statement. */
const RANGES = 5_000

/** Whether the batch was put away. */
export const isArchived = (batch: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`coalesce((select a.last from archived_batches a where a.first <= ${batch}
    order by a.first desc limit 1) >= ${batch}, false)`

const COLUMNS = sql.raw('month, manifest, settlements, batches, shape, digest, archived_at')

export const listArchived = (on: Reader): Promise<ArchivedMonth[]> =>
  all<ArchivedMonth>(on, sql`select ${COLUMNS} from archived_months order by month`)

export const findArchived = (on: Reader, month: string): Promise<ArchivedMonth | undefined> =>
  one<ArchivedMonth>(on, sql`select ${COLUMNS} from archived_months where month = ${month}`)

/** The ranges of a month in their order, after this one. */
export const findRanges = (
  on: Reader,
  month: string,
  after: bigint,
  limit: number,
): Promise<BatchRange[]> =>
  all<BatchRange>(
    on,
    sql`select first, last from archived_batches where month = ${month} and first > ${after}
      order by first limit ${limit}`,
  )

/** The page of a tally that follows this one. */
export const findArchivedPage = (
  on: Reader,
  { month, tally }: { month: string; tally: string },
  after: number,
): Promise<ArchivedPage | undefined> =>
  one<ArchivedPage>(
    on,
    sql`select tally, page, content from archived_pages where month = ${month} and tally = ${tally} and page > ${after}
      order by page limit 1`,
  )

export async function insertArchived(
  tx: Tx,
  made: ArchivedMonth,
  { ranges, pages }: { ranges: readonly BatchRange[]; pages: readonly ArchivedPage[] },
): Promise<void> {
  await sql`insert into archived_months (${COLUMNS}) values (${made.month}, ${made.manifest}, ${made.settlements},
    ${made.batches}, ${made.shape}, ${made.digest}, ${made.archivedAt})`.execute(tx)
  for (let i = 0; i < ranges.length; i += RANGES) {
    const part = ranges.slice(i, i + RANGES)
    await sql`insert into archived_batches (first, last, month)
      select first, last, ${made.month} from unnest(${part.map(({ first }) => first)}::bigint[],
        ${part.map(({ last }) => last)}::bigint[]) as r (first, last)`.execute(tx)
  }
  for (const { tally, page, content } of pages)
    await sql`insert into archived_pages (month, tally, page, content)
      values (${made.month}, ${tally}, ${page}, ${content})`.execute(tx)
}

/** Runs a check on this connection. No month is put away meanwhile. */
export async function whileNoneLeaves<T>(on: Reader, work: () => Promise<T>): Promise<T> {
  await sql`select pg_advisory_lock_shared(${LOCK})`.execute(on)
  try {
    return await work()
  } finally {
    await sql`select pg_advisory_unlock_shared(${LOCK})`.execute(on)
  }
}

/** False while somebody checks the books. */
export async function tryLockForArchive(tx: Tx): Promise<boolean> {
  const row = await one<{ isMine: boolean }>(
    tx,
    sql`select pg_try_advisory_xact_lock(${LOCK}) as is_mine`,
  )
  return row?.isMine === true
}

/** A batch that is to leave, and whether the hash over its transfers is still the one of its chain. */
export type Leaving = {
  id: bigint
  chain: number
  seq: bigint
  hash: Buffer
  isIntact: boolean
  /** The batch before it by its number, of whatever chain. */
  before: bigint | null
}

/** These batches in the order of their numbers. */
export const readLeaving = (on: Reader, batches: readonly bigint[]): Promise<Leaving[]> =>
  all<Leaving>(
    on,
    sql`select b.id, b.chain, b.seq, b.hash, (select max(x.id) from ledger_batches x where x.id < b.id) as before,
        sha256(b.previous || coalesce((select string_agg(t.digest, '' order by t.id collate "C")
          from ledger_transfers t where t.batch = b.id), '')) = b.hash as is_intact
      from ledger_batches b where b.id = any(${[...batches]}::bigint[]) order by b.id`,
  )
