/** Chains cut into parts that several connections walk at once. A part's first hash is what the part before it ends with. */
import { type Db, one, type Reader, sql } from '../../../base/db/sql.ts'
import type { ChainHead } from '../seals/checkpoint.ts'
import { findCheckpoints } from '../seals/store-checkpoints.ts'
import { addPage, readPages, type Tally, withTallies } from './tallies.ts'
import { placeIn, type Walk, type Walked, type Walking, walkChain } from './walk.ts'

/** The batches `from` (exclusive) to `until` of a chain. */
type Part = { chain: number; from: bigint; until: bigint }
/** The hash that a part was begun with, and where it ended. */
type End = { first: Buffer; at: Walked }

type Check = {
  db: Db
  on: Reader
  tallies: readonly Tally[]
  note: Walking['note']
  connections: number
  /** The batches of a part. */
  partSize: number
}
type Paged = { onPage(on: Reader, batches: bigint[]): Promise<void> }

/** Walks the chains up to these heads, as `walkChains` does, and adds up on `on` what the connections added up. */
export async function walkInParts(
  { db, on, tallies, note, connections, partSize }: Check,
  walk: Walk,
  { heads, onPage }: Paged & { heads: readonly ChainHead[] },
): Promise<void> {
  const parts = heads.flatMap((head) => cut(walk, head, BigInt(partSize)))
  const ends: End[] = []
  let next = 0
  const work = async (mine: Reader) => {
    try {
      for (let i = next++; i < parts.length; i = next++)
        ends[i] = await walkPart(mine, walk, { part: parts[i] as Part, note, onPage })
      for (const tally of tallies)
        for await (const { content } of readPages(mine, tally)) await addPage(on, tally, content)
    } catch (error) {
      // The others need not finish what nobody will read.
      next = parts.length
      throw error
    }
  }
  await Promise.all(Array.from({ length: connections }, () => withTallies(db, tallies, work)))
  parts.forEach((part, i) => {
    const [end, follower] = [ends[i] as End, parts[i + 1]]
    if (follower?.chain !== part.chain) walk.chains.set(part.chain, end.at)
    else if (end.at.seq < part.until)
      note('hash_chain', `chain ${part.chain}, batch ${end.at.seq + 1n} is missing`)
    else if (!end.at.head.equals((ends[i + 1] as End).first))
      note('hash_chain', `chain ${part.chain}, batch ${part.until} was altered during the check`)
  })
}

function cut(walk: Walk, { chain, seq: until }: ChainHead, size: bigint): Part[] {
  const parts: Part[] = []
  for (let { seq } = placeIn(walk, chain); seq < until; seq += size)
    parts.push({ chain, from: seq, until: seq + size < until ? seq + size : until })
  return parts
}

async function walkPart(
  on: Reader,
  walk: Walk,
  { part: { chain, from, until }, note, onPage }: Paged & { part: Part; note: Walking['note'] },
): Promise<End> {
  const place = placeIn(walk, chain)
  const isFirst = from === place.seq
  const at = isFirst
    ? { ...place }
    : {
        ...{ chain, seq: from, head: await readHash(on, chain, from), marks: [] },
        marked: await findMarked(on, { chain, seq: from, from: place.marked, to: walk.newest }),
      }
  const first = at.head
  await walkChain(on, walk, { at, until, note, onPage: (batches) => onPage(on, batches) })
  return { first, at }
}

/** The hash of this batch. Of one that is gone, the next one names it: the part before this one says what is missing. */
async function readHash(on: Reader, chain: number, seq: bigint): Promise<Buffer> {
  const row = await one(
    on,
    sql<{ hash: Buffer | null }>`select coalesce(
      (select hash from ledger_batches where chain = ${chain} and seq = ${seq}),
      (select previous from ledger_batches where chain = ${chain} and seq = ${seq + 1n})) as hash`,
  )
  return row?.hash ?? Buffer.alloc(0)
}

/** The newest checkpoint that does not reach beyond this batch of the chain. Heads only grow from one to the next. */
async function findMarked(
  on: Reader,
  { chain, seq, from, to }: { chain: number; seq: bigint; from: bigint; to: bigint },
): Promise<bigint> {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high + 1n) / 2n
    const [checkpoint] = await findCheckpoints(on, middle - 1n, 1)
    const head = checkpoint?.chains.find((each) => each.chain === chain)
    if (head && head.seq <= seq) low = middle
    else high = middle - 1n
  }
  return low
}
