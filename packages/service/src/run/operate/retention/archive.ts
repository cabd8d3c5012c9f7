import { setTimeout as sleep } from 'node:timers/promises'
import { findCursor, RETENTION } from '../../../api/events/cursor.ts'
import type { Db, Reader } from '../../../base/db/sql.ts'
import { sqlState } from '../../../base/db/sql.ts'
import { reach } from '../../../base/kernel/fault-points.ts'
import { explanation } from '../../../links/reconcile/books/books.ts'
import { collectFaults, type Fault, type Note } from '../../../money/ledger/fault.ts'
import type { Checkpoint } from '../../../money/ledger/seals/checkpoint.ts'
import { findNewestCheckpoint } from '../../../money/ledger/seals/store-checkpoints.ts'
import { drawUp } from '../../../money/ledger/verify/archived.ts'
import {
  type ArchivedMonth,
  type ArchivedPage,
  type BatchRange,
  findArchived,
  insertArchived,
  readLeaving,
  tryLockForArchive,
} from '../../../money/ledger/verify/store-archived.ts'
import { deleteStatesBut } from '../../../money/ledger/verify/store-states.ts'
import { addSums, SUMS } from '../../../money/ledger/verify/sums.ts'
import { withTallies } from '../../../money/ledger/verify/tallies.ts'
import { listMonths } from '../../../money/settlements/months/store.ts'
import {
  columnsOfSettlements,
  countRows,
  findLeaving,
  findNewestPlace,
  type MonthTable,
  readRows,
  replaceMonth,
} from '../../../money/settlements/months/store-archive.ts'
import { noteCommand } from '../command-line.ts'
import { StartError } from '../start-error.ts'
import { filesOf, type Manifest, measure, writeRows, writeText } from './archive-file.ts'
import { checkRows } from './check-archive.ts'

export type ArchiveOrder = { month: string; dir: string }
/** Manifest null: nothing of the month could leave. */
export type Archived = { month: string; manifest: Manifest | null; wasDone: boolean }

/** So many full months stay at the least. */
export const STAY_MONTHS = 3
/** So many batches are read at once. */
const BATCHES = 200
const ATTEMPTS = 30
const PAUSE_MS = 1_000
const DAY_MS = 86_400_000

type Given = { db: Db; at: Date; eventDays: number | null }

/**
 * Puts a month of settlements away: writes it to `dir`, reads it back, and takes it out of the database in one transaction. Whatever
 * was refunded or paid on chain stays. May be cut off and run again at any point.
 */
export async function archiveMonth(given: Given, order: ArchiveOrder): Promise<Archived> {
  const { db, at } = given
  const { month } = order
  const before = await findArchived(db.reader, month)
  if (before) return { month, manifest: JSON.parse(before.manifest), wasDone: true }
  const part = await findPart(given, month)
  return withTallies(db, TALLIES, async (on) => {
    const { note, faults } = collectFaults()
    const made = await write(on, part, { ...order, at, note })
    refuse(faults)
    if (!made) return { month, manifest: null, wasDone: false }
    const { manifest, ranges } = made
    await checkRows(on, filesOf(order.dir, month).rows, { manifest, note, isArchived: false })
    refuse(faults)
    const { pages, shape, digest } = await drawUp(on, { tallies: TALLIES, ranges })
    const row = {
      ...{ month, manifest: made.text, shape, digest, archivedAt: at },
      settlements: BigInt(manifest.settlements),
      batches: BigInt(manifest.batches),
    }
    reach('retention.before_commit')
    await commit(db, part, { row, ranges, pages })
    reach('retention.after_commit')
    return { month, manifest, wasDone: false }
  })
}

const TALLIES = [SUMS, ...explanation.tallies]

function refuse([first]: readonly Fault[]): void {
  if (first)
    throw new StartError(
      `Nothing was put away: ${first.check}: ${first.fault}. Run "npx purser verify".`,
    )
}

/** The part of a month that would leave, and how many settlements of it would stay. */
export type Plan = Pick<Manifest, 'month' | 'settlements' | 'batches' | 'sums'> & { stay: number }

/** Checks and adds up a month as `archiveMonth` does, and changes nothing. */
export async function planMonth(
  given: Given,
  month: string,
): Promise<{ wasDone: Archived } | { plan: Plan }> {
  const before = await findArchived(given.db.reader, month)
  if (before) return { wasDone: { month, manifest: JSON.parse(before.manifest), wasDone: true } }
  const part = await findPart(given, month)
  return withTallies(given.db, TALLIES, async (on) => {
    const { note, faults } = collectFaults()
    const { seen, lines } = await readMonth(on, part, { month, note })
    for await (const _ of lines);
    refuse(faults)
    const stay = Number(await countRows(on, part)) - seen.settlements
    return { plan: { month, ...sizesOf(seen), stay } }
  })
}

/** The table of the month, if it is old enough. */
async function findPart({ db, at, eventDays }: Given, month: string) {
  const from = new Date(`${month}-01T00:00:00.000Z`)
  const until = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1))
  const stays = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - STAY_MONTHS))
  if (until > stays)
    throw new StartError(
      `${month} is too young: ${STAY_MONTHS} full months stay, so everything before ${stays.toISOString().slice(0, 7)} may leave.`,
    )
  if (eventDays === null || until.getTime() > at.getTime() - eventDays * DAY_MS)
    throw new StartError(
      `The feed still shows ${month}: it keeps events for ${eventDays === null ? 'ever' : `${eventDays} days`} (PURSER_EVENT_DAYS), and those of settlements are built from them.`,
    )
  const months = await listMonths(db.reader)
  const part = months.find((one) => one.from?.getTime() === from.getTime())
  if (!part) throw new StartError(`There is no month ${month} of settlements: npx purser retention`)
  const found = { table: part.table, from, until }
  const [newest, shown] = [
    await findNewestPlace(db.reader, found),
    await findCursor(db.reader, RETENTION),
  ]
  if (newest && (newest.xid > shown.xid || (newest.xid === shown.xid && newest.seq > shown.seq)))
    throw new StartError(`The feed still shows ${month}: run "npx purser retention apply" first.`)
  return found
}

type Writing = ArchiveOrder & { at: Date; note: Note }

/** The lines of the month's file, and what they add up to once they were read. */
async function readMonth(
  on: Reader,
  part: MonthTable,
  { month, note }: Pick<Writing, 'month' | 'note'>,
) {
  const checkpoint = await findNewestCheckpoint(on)
  if (!checkpoint) throw new StartError('The books were never sealed: start the service.')
  if (!(await explanation.isSettled(on, checkpoint.chains)))
    throw new StartError('The figures of cards are not counted yet: try again in a minute.')
  const columns = await columnsOfSettlements(on)
  const seen: Seen = {
    ranges: [],
    settlements: 0,
    batches: 0,
    sums: new Map(),
    ids: ['', ''],
    chains: new Map(),
  }
  const lines = linesOf(on, part, { columns, checkpoint, seen, note, month })
  return { columns, checkpoint, seen, lines }
}

const sizesOf = ({ settlements, batches, sums }: Seen) => ({
  ...{ settlements, batches },
  sums: Object.fromEntries(
    [...sums].map(([of, { amount, fee }]) => [of, { amount: String(amount), fee: String(fee) }]),
  ),
})

/** Writes the file and its manifest, and adds up what leaves. Undefined if nothing can. */
async function write(on: Reader, part: MonthTable, { month, dir, at, note }: Writing) {
  const { columns, checkpoint, seen, lines } = await readMonth(on, part, { month, note })
  const paths = filesOf(dir, month)
  reach('retention.before_file')
  await writeRows(paths.rows, lines, at)
  if (seen.batches === 0) return undefined
  reach('retention.after_file')
  const manifest: Manifest = {
    ...{ purser_archive: 1, month, file: `settlements-${month}.jsonl.gz` },
    ...((await measure(paths.rows)) ?? { bytes: 0, sha256: '' }),
    ...{ columns, ...sizesOf(seen) },
    ids: { first: seen.ids[0], last: seen.ids[1] },
    chains: Object.fromEntries(seen.chains),
    checkpoint: {
      ...{ seq: String(checkpoint.seq), mac: checkpoint.mac.toString('hex') },
      key_id: checkpoint.keyId,
    },
    made_at: at.toISOString(),
  }
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  await writeText(paths.manifest, text, at)
  reach('retention.after_manifest')
  return { manifest, text, ranges: seen.ranges }
}

type Seen = {
  ranges: BatchRange[]
  settlements: number
  batches: number
  sums: Map<string, { amount: bigint; fee: bigint }>
  ids: [first: string, last: string]
  chains: Map<string, { first: string; last: string; hash: string }>
}
type Lines = { columns: string[]; checkpoint: Checkpoint; seen: Seen; note: Note; month: string }

async function* linesOf(on: Reader, part: MonthTable, { columns, month, ...of }: Lines) {
  yield `${JSON.stringify({ purser_archive: 1, month })}\n`
  yield `${JSON.stringify({ table: 'settlements', columns })}\n`
  const { seen, note } = of
  for (let after = 0n; ; ) {
    const { batches, last } = await findLeaving(on, part, after, BATCHES)
    if (last === undefined) break
    after = last
    if (batches.length === 0) continue
    await addUp(on, batches, of)
    for (const row of await readRows(on, batches, columns)) {
      const name = `${row.asset} on ${row.network}`
      const { amount, fee } = seen.sums.get(name) ?? { amount: 0n, fee: 0n }
      seen.sums.set(name, { amount: amount + BigInt(row.amount), fee: fee + BigInt(row.fee) })
      if (seen.ids[0] === '' || row.id < seen.ids[0]) seen.ids[0] = row.id
      if (row.id > seen.ids[1]) seen.ids[1] = row.id
      seen.settlements++
      yield `${JSON.stringify(row.line)}\n`
    }
    await addSums(on, batches, note)
    await explanation.explain(on, batches, note)
  }
  yield `${JSON.stringify({ end: { rows: seen.settlements } })}\n`
}

/** Notes the batches in the ranges and chains of the month. A batch that is not sealed, or not as it was, is a fault. */
async function addUp(
  on: Reader,
  batches: readonly bigint[],
  { checkpoint, seen, note }: Pick<Lines, 'checkpoint' | 'seen' | 'note'>,
): Promise<void> {
  for (const { id, chain, seq, hash, isIntact, before } of await readLeaving(on, batches)) {
    const head = checkpoint.chains.find((one) => one.chain === chain)
    if (!head || head.seq < seq) note('hash_chain', `batch ${id} is not sealed yet`)
    if (!isIntact) note('hash_chain', `batch ${id}: a transfer was altered, added or removed`)
    const range = seen.ranges.at(-1)
    if (range && range.last === before) range.last = id
    else seen.ranges.push({ first: id, last: id })
    const known = seen.chains.get(String(chain))
    const isNewer = !known || BigInt(known.last) < seq
    seen.chains.set(String(chain), {
      first: known && BigInt(known.first) < seq ? known.first : String(seq),
      last: isNewer ? String(seq) : known.last,
      hash: isNewer ? hash.toString('hex') : known.hash,
    })
    seen.batches++
  }
}

type Made = { row: ArchivedMonth; ranges: BatchRange[]; pages: ArchivedPage[] }

/** Takes the month out of the database. Waits for a lock no longer than requests do, and tries again. */
async function commit(db: Db, part: MonthTable, { row, ranges, pages }: Made): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      return await db.write(async (tx) => {
        if (!(await tryLockForArchive(tx)))
          throw new StartError('A check of the books runs: try again when it has ended.')
        await insertArchived(tx, row, { ranges, pages })
        const { gone, refunded } = await replaceMonth(tx, part)
        if (gone !== row.settlements || refunded > 0n)
          throw new StartError(
            `A payment of ${row.month} was refunded meanwhile: run the command again.`,
          )
        await deleteStatesBut(tx, -1n)
        await noteCommand(tx, row.archivedAt, {
          ...{ act: 'retention.archived', subject: row.month },
          note: `${row.settlements} settlements`,
        })
      })
    } catch (error) {
      if (sqlState(error) === '42501')
        throw new StartError('This role does not own the tables: use the one that migrates.', {
          cause: error,
        })
      if (sqlState(error) !== '55P03' || attempt === ATTEMPTS) throw error
      await sleep(PAUSE_MS)
    }
}
