import { all, one, type Reader, sql } from '../../../base/db/sql.ts'
import type { Id } from '../../../base/kernel/ids.ts'
import type { Note } from '../fault.ts'
import { digestOf } from '../post.ts'
import { type ChainHead, type Checkpoint, genesisOf } from '../seals/checkpoint.ts'
import { findCheckpoints } from '../seals/store-checkpoints.ts'
import { isArchived } from './store-archived.ts'

/** How far one chain has been walked. `marks` are its heads in checkpoints that are still ahead. */
export type Walked = {
  chain: number
  seq: bigint
  head: Buffer
  marks: { checkpoint: bigint; seq: bigint; head: Buffer }[]
  /** The newest checkpoint whose mark was read. */
  marked: bigint
}
export type Walk = {
  chains: Map<number, Walked>
  transfers: number
  /** The newest checkpoint whose heads are compared with the chains. */
  newest: bigint
  /** The most transfers of one page. A batch with more is a page of its own. */
  pageSize: number
}

type Batch = {
  id: bigint
  seq: bigint
  previous: Buffer
  hash: Buffer
  /** The hash that its transfers' digests make. */
  made: Buffer
  transfers: bigint
  /** Its transfers lie in a file. */
  isArchived: boolean
}
/** A transfer with a row. The digest of a settlement by card is compared by `Explanation`. */
type TransferRow = {
  id: Id<'trf'>
  kind: string
  ref: string
  reverses: Id<'trf'> | null
  digest: Buffer
  createdAt: Date
  batch: bigint
  accounts: string[]
  amounts: string[]
}

/** So many batches are read at once at most, and at first: later as many as the transfers of a page are in. */
const BATCHES = 500
const FIRST_BATCHES = 20
/** The transfers of a page, unless a check leaves more of the database to payments. */
export const PAGE_SIZE = 10_000
const MARKS = 500

export const newWalk = (pageSize: number): Walk => ({
  ...{ chains: new Map(), transfers: 0, newest: 0n, pageSize },
})

/** A walk that goes on from the heads of this checkpoint, with so many transfers behind them. */
export function walkFrom(
  { seq: marked, chains }: Checkpoint,
  { transfers, pageSize }: { transfers: number; pageSize: number },
): Walk {
  const walk = { ...newWalk(pageSize), transfers, newest: marked }
  for (const { chain, seq, head } of chains)
    walk.chains.set(chain, { chain, seq, head, marks: [], marked })
  return walk
}

export type Walking = {
  note: Note
  /** Called with the ids of the batches of each page, after the page has been walked. */
  onPage(batches: bigint[]): Promise<void>
}

/**
 * Walks every chain from where `walk` left off to these heads. Computes each digest and each hash again and compares them
 * with the checkpoints. Notes faults and goes on, so that sums over all rows can be made.
 */
export async function walkChains(
  on: Reader,
  walk: Walk,
  { heads, ...walking }: Walking & { heads: readonly ChainHead[] },
): Promise<void> {
  for (const { chain, seq: until } of heads) {
    const at = placeIn(walk, chain)
    walk.chains.set(chain, at)
    await walkChain(on, walk, { ...walking, at, until })
  }
}

/** How far the walk is in this chain. */
export const placeIn = ({ chains }: Walk, chain: number): Walked =>
  chains.get(chain) ?? { chain, seq: 0n, head: genesisOf(chain), marks: [], marked: 0n }

/** Moves `at` along its chain to the batch `until`, or to the end of the chain. */
export async function walkChain(
  on: Reader,
  walk: Walk,
  { at, until, note, onPage }: Walking & { at: Walked; until: bigint },
): Promise<void> {
  // A checkpoint may have sealed the very batch from which the walk goes on.
  if (at.seq > 0n) await checkMarks(on, at, { newest: walk.newest, note })
  for (let limit = FIRST_BATCHES; ; ) {
    const batches = await nextBatches(on, at, until, limit)
    if (batches.length === 0) break
    const size = batches.reduce((sum, { transfers }) => sum + Number(transfers), 0)
    limit = Math.ceil((walk.pageSize * batches.length) / Math.max(size, batches.length))
    limit = Math.min(limit, BATCHES)
    for (const page of pagesOf(batches, walk.pageSize)) {
      const transfers = await readTransfers(on, page)
      for (const batch of page) {
        checkBatch(at, { batch, rows: transfers.get(batch.id) ?? [], note })
        walk.transfers += Number(batch.transfers)
        at.seq = batch.seq
        at.head = batch.hash
        await checkMarks(on, at, { newest: walk.newest, note })
      }
      await onPage(page.map(({ id }) => id))
    }
  }
}

/** Compares the heads of the chains with the last batches that were walked. */
export function checkHeads(
  walk: Walk,
  { heads, note }: { heads: readonly ChainHead[]; note: Note },
): void {
  for (const { chain, seq, head } of heads) {
    const at = walk.chains.get(chain)
    if (!at || at.seq < seq)
      note('hash_chain', `chain ${chain}, batch ${(at?.seq ?? 0n) + 1n} is missing`)
    else if (!at.head.equals(head))
      note('hash_chain', `chain ${chain}: its head is not the hash of its last batch`)
  }
}

const nextBatches = (on: Reader, at: Walked, until: bigint, limit: number): Promise<Batch[]> =>
  all(
    on,
    sql<Batch>`select b.id, b.seq, b.previous, b.hash, t.transfers,
        sha256(b.previous || coalesce(t.digests, '')) as made, ${isArchived(sql`b.id`)} as is_archived
      from ledger_batches b cross join lateral (
        select count(*) as transfers, string_agg(t.digest, '' order by t.id collate "C") as digests
        from ledger_transfers t where t.batch = b.id) t
      where b.chain = ${at.chain} and b.seq > ${at.seq} and b.seq <= ${until}
      order by b.seq limit ${limit}`,
  )

function* pagesOf(batches: readonly Batch[], size: number): Generator<Batch[]> {
  let page: Batch[] = []
  let transfers = 0n
  for (const batch of batches) {
    transfers += batch.transfers
    if (transfers > BigInt(size) && page.length > 0) {
      yield page
      page = []
      transfers = batch.transfers
    }
    page.push(batch)
  }
  if (page.length > 0) yield page
}

function checkBatch(
  at: Walked,
  { batch, rows, note }: { batch: Batch; rows: TransferRow[]; note: Note },
): void {
  const name = `chain ${at.chain}, batch ${batch.seq}`
  const say = (fault: string) => note('hash_chain', fault)
  if (batch.seq !== at.seq + 1n) say(`chain ${at.chain}, batch ${at.seq + 1n} is missing`)
  else if (!batch.previous.equals(at.head)) say(`${name} does not follow the one before it`)
  if (batch.isArchived) {
    if (batch.transfers > 0n) say(`${name} was put away, and has transfers here`)
    return
  }
  const altered = rows.filter((row) => !isIntact(row))
  for (const { id } of altered) say(`${name}: transfer ${id} was altered`)
  if (altered.length === 0 && !batch.made.equals(batch.hash))
    say(`${name}: a transfer was altered, added or removed`)
}

function isIntact({ reverses, accounts, amounts, ...row }: TransferRow): boolean {
  const entries = accounts.map((account, i) => ({
    account: BigInt(account),
    amount: BigInt(amounts[i] ?? 0),
  }))
  const transfer = { ...row, entries, ...(reverses ? { reverses } : {}) }
  return digestOf(transfer, row.createdAt).equals(row.digest)
}

/** Compares the chain at this batch with the checkpoints that were made there. */
async function checkMarks(
  on: Reader,
  at: Walked,
  { newest, note }: { newest: bigint; note: Note },
): Promise<void> {
  for (;;) {
    while (at.marks.length === 0 && at.marked < newest) await readMarks(on, at)
    const [mark] = at.marks
    if (!mark || mark.seq > at.seq) return
    at.marks.shift()
    if (mark.seq === at.seq && !mark.head.equals(at.head))
      note(
        'checkpoint',
        `chain ${at.chain}, batch ${at.seq} is not what checkpoint ${mark.checkpoint} sealed: it, or one before it, was replaced`,
      )
  }
}

async function readMarks(on: Reader, at: Walked): Promise<void> {
  const checkpoints = await findCheckpoints(on, at.marked, MARKS)
  at.marked = checkpoints.at(-1)?.seq ?? at.marked + BigInt(MARKS)
  for (const { seq: checkpoint, chains } of checkpoints) {
    const mine = chains.find(({ chain }) => chain === at.chain)
    if (mine && mine.seq >= at.seq && mine.seq > 0n) at.marks.push({ checkpoint, ...mine })
  }
}

/** Reads the transfers with a row of their own. */
async function readTransfers(
  on: Reader,
  batches: readonly Batch[],
): Promise<Map<bigint, TransferRow[]>> {
  const rows = await all(
    on,
    sql<TransferRow>`select id, kind, ref, reverses, digest, batch, created_at, accounts::text[], amounts::text[]
      from ledger_transfer_rows where batch = any(${batches.map(({ id }) => id)}::bigint[])
      order by batch, id collate "C"`,
  )
  return Map.groupBy(rows, ({ batch }) => batch)
}

/** Notes batches beyond the head of their chain, which the walk does not reach. */
export async function checkOutside(on: Reader, note: Note): Promise<void> {
  const beyond = await all(
    on,
    sql<{ chain: number; seq: bigint; head: bigint; transfers: string }>`
      select c.id as chain, b.seq, c.seq as head,
        (select coalesce(string_agg(t.id, ', '), 'no transfers') from ledger_transfers t where t.batch = b.id) as transfers
      from ledger_chains c join lateral (
        select id, seq from ledger_batches b where b.chain = c.id and b.seq > c.seq order by seq limit 20) b on true
      order by c.id, b.seq`,
  )
  for (const { chain, seq, head, transfers } of beyond)
    note(
      'hash_chain',
      `chain ${chain}, batch ${seq} is beyond the chain's head, which is ${head}: it holds ${transfers}`,
    )
}

/** The transfers that are looked up at once. */
const STRAYS = 10_000

/**
 * Notes transfers without a sealed batch, of batches after `since`. Each part of `ledger_transfers` is read along its own
 * index: the whole would be sorted.
 */
export async function checkStrays(
  on: Reader,
  { since, note, rest }: { since: bigint | undefined; note: Note; rest(): Promise<void> },
): Promise<void> {
  for (const part of [sql`ledger_transfer_rows`, sql`settlement_transfers`]) {
    for (let after = since; ; ) {
      const from = after === undefined ? sql`` : sql`where batch > ${after}`
      const [page] = await all(
        on,
        sql<{ last: bigint | null; strays: string[] | null }>`select max(t.batch) as last,
            array_agg(t.id) filter (where not exists (select from ledger_batches b where b.id = t.batch)) as strays
          from (select id, batch from ${part} ${from} order by batch limit ${STRAYS}) t`,
      )
      for (const id of page?.strays ?? [])
        note('hash_chain', `transfer ${id} is in no sealed batch`)
      after = page?.last ?? undefined
      if (after === undefined) break
      await rest()
    }
  }
}

/** The newest batch up to these heads. */
export const readNewestBatch = async (
  on: Reader,
  heads: readonly ChainHead[],
): Promise<bigint | undefined> =>
  (
    await one(
      on,
      sql<{ id: bigint | null }>`select max(b.id) as id
        from unnest(${heads.map((h) => h.chain)}::integer[], ${heads.map((h) => h.seq)}::bigint[]) as h (chain, seq)
          join ledger_batches b on b.chain = h.chain and b.seq = h.seq`,
    )
  )?.id ?? undefined
