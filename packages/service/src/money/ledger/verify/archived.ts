/** The sums of months that lie in files: a check adds them to those of the transfers that are here. */
import { isRefusedRow, type Reader } from '../../../base/db/sql.ts'
import { sha256 } from '../../../base/kernel/secrets.ts'
import type { Note } from '../fault.ts'
import { nextDigest } from './states.ts'
import {
  type ArchivedMonth,
  type ArchivedPage,
  type BatchRange,
  findArchivedPage,
  findRanges,
  listArchived,
} from './store-archived.ts'
import { addPage, readPages, shapeOf, type Tally } from './tallies.ts'

const FIRST_DIGEST = sha256('purser archived month')
/** So many ranges are read at once. */
const RANGES = 5_000

const withRanges = (digest: Buffer, ranges: readonly BatchRange[]): Buffer =>
  sha256(Buffer.concat([digest, Buffer.from(ranges.map(lineOf).join(''))]))
const lineOf = ({ first, last }: BatchRange) => `${first} ${last}\n`

/** The sums that the tallies hold, and the digest that the month is to be sealed with. */
export async function drawUp(
  on: Reader,
  { tallies, ranges }: { tallies: readonly Tally[]; ranges: readonly BatchRange[] },
): Promise<{ pages: ArchivedPage[]; shape: Buffer; digest: Buffer }> {
  const pages: ArchivedPage[] = []
  let digest = FIRST_DIGEST
  for (let i = 0; i < ranges.length; i += RANGES)
    digest = withRanges(digest, ranges.slice(i, i + RANGES))
  for (const tally of tallies) {
    let page = 0
    for await (const { content } of readPages(on, tally)) {
      pages.push({ tally: tally.name, page: ++page, content })
      digest = nextDigest(digest, tally, content)
    }
  }
  return { pages, shape: shapeOf(tallies), digest }
}

/**
 * Adds up all months that were put away; returns how many transfers they are. Notes a month whose ranges or sums are not those that
 * its row was sealed with.
 */
export async function addArchived(
  on: Reader,
  { tallies, note }: { tallies: readonly Tally[]; note: Note },
): Promise<number> {
  let transfers = 0
  for (const month of await listArchived(on)) {
    if (!month.shape.equals(shapeOf(tallies)))
      note(
        'archive',
        `the sums of ${month.month} were made by another version, and are not counted`,
      )
    else if (!(await addMonth(on, month, tallies)))
      note(
        'archive',
        `the sums or batches of ${month.month} are not those that it was put away with`,
      )
    transfers += Number(month.settlements)
  }
  return transfers
}

async function addMonth(
  on: Reader,
  { month, digest }: ArchivedMonth,
  tallies: readonly Tally[],
): Promise<boolean> {
  let found = FIRST_DIGEST
  for (let after = -1n; ; ) {
    const ranges = await findRanges(on, month, after, RANGES)
    if (ranges.length > 0) found = withRanges(found, ranges)
    if (ranges.length < RANGES) break
    after = ranges.at(-1)?.first ?? after
  }
  for (const tally of tallies)
    for (let after = 0; ; after++) {
      const page = await findArchivedPage(on, { month, tally: tally.name }, after)
      if (!page) break
      found = nextDigest(found, tally, page.content)
      try {
        await addPage(on, tally, page.content)
      } catch (error) {
        if (isRefusedRow(error)) return false
        throw error
      }
    }
  return found.equals(digest)
}
