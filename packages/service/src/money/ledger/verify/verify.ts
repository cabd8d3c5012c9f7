import { inSnapshot } from '../../../base/db/snapshot.ts'
import { all, type Db, type Reader, sql } from '../../../base/db/sql.ts'
import type { CheckpointKeys } from '../../../base/signing-keys/checkpoint-keys.ts'
import { collectFaults, type Fault, type Note } from '../fault.ts'
import { checkCheckpoints, checkEnds } from '../seals/check-checkpoints.ts'
import { checkSeals } from '../seals/check-seals.ts'
import type { ChainHead, Checkpoint } from '../seals/checkpoint.ts'
import { readHeads } from '../seals/store-checkpoints.ts'
import { addArchived } from './archived.ts'
import { walkInParts } from './parts.ts'
import { type Base, type Draft, draftState, takeState } from './states.ts'
import { whileNoneLeaves } from './store-archived.ts'
import { addSums, checkSums, SUMS } from './sums.ts'
import { type Tally, withTallies } from './tallies.ts'
import {
  checkHeads,
  checkOutside,
  checkStrays,
  newWalk,
  PAGE_SIZE,
  readNewestBatch,
  type Walk,
  walkChains,
  walkFrom,
} from './walk.ts'

export type { Fault } from '../fault.ts'
export type Liabilities = { network: string; asset: string; custody: bigint; outbound: bigint }
/** A check of rows, page by page, while payments go on. `since` is when an incremental check goes on from. */
export type Checking = { since: Date | undefined; note: Note; rest(): Promise<void> }

/** The rows of other rooms that explain each transfer. All calls of a page use one connection. */
export type Explanation = {
  /** The sums that `explain` adds to. */
  tallies: readonly Tally[]
  /** Checks that rows explain the transfers of these batches. */
  explain(on: Reader, batches: readonly bigint[], note: Note): Promise<void>
  /** Whether what `explain` read of the batches up to these heads stays as it is. */
  isSettled(on: Reader, heads: readonly ChainHead[]): Promise<boolean>
  /** Compares counters with the transfers. Called in a snapshot, after all transfers were explained. */
  compare(on: Reader, note: Note): Promise<void>
  /** Checks that rows have the transfer they should have. Each may run on a connection of its own. */
  follow: readonly ((on: Reader, checking: Checking) => Promise<void>)[]
}
/** How a check is made. */
export type How = {
  /**
   * `start`: the first batch, if nothing is named. `state`: where a check last found the books in order, or the first batch
   * if there is no such state. `state alone`: without one nothing is checked.
   */
  from?: 'start' | 'state' | 'state alone'
  /** So many connections walk the chains at once, each a part of so many batches. */
  connections?: number
  partSize?: number
  /** The most transfers of one page. */
  pageSize?: number
  /** Waits between two pages, to leave the database to payments. */
  rest?: () => Promise<void>
  /** Called after each page with how many batches are behind it. */
  progress?: (done: number, of: number) => void
}
type Verifying = How & { keys: CheckpointKeys; explanation?: Explanation }
/** `since`: the checkpoint that an incremental check went on from. */
export type Checked = {
  transfers: number
  faults: Fault[]
  since?: { checkpoint: bigint; at: Date; transfers: number }
}

/** Batches posted during a lap are walked in the next one, until few enough are new for one snapshot. */
const LAPS = 6
const LAP_BATCHES = 500n
const PART_SIZE = 2_000
/** A state is written if so large a part of its lines is new transfers: else it costs more than to walk these again. */
const NEW_PART = 4n

/**
 * Every check of the books that needs no blockchain. An empty list means that the books are in order. It reads transfers
 * page by page while new ones are posted, and only the newest ones and the sums in one snapshot: a long transaction would
 * keep old versions of busy rows.
 */
export function verifyLedger(db: Db, how: Verifying): Promise<Checked> {
  const { note, faults } = collectFaults()
  const tallies = [SUMS, ...(how.explanation?.tallies ?? [])]
  return withTallies(db, tallies, (on) =>
    whileNoneLeaves(on, () => verifyWith(on, db, { how, tallies, note, faults })),
  )
}

async function verifyWith(
  on: Reader,
  db: Db,
  { how, tallies, note, faults }: Pick<Check, 'tallies' | 'note' | 'faults'> & { how: Verifying },
): Promise<Checked> {
  const base = await baseOf(on, { ...how, tallies, note })
  if (how.from === 'state alone' && !base) return { transfers: 0, faults }
  const check = { ...checkOf(how), db, on, tallies, note, faults, base }
  const draft = { made: undefined as Draft | undefined }
  try {
    const walk = await walkBooks(check, draft)
    await checkRows(check)
    if (faults.length === 0) await draft.made?.sign()
    const since = base && {
      checkpoint: base.checkpoint.seq,
      at: base.checkpoint.createdAt,
      transfers: walk.transfers - base.transfers,
    }
    return { transfers: walk.transfers, faults, ...(since ? { since } : {}) }
  } finally {
    await draft.made?.close()
  }
}

const baseOf = (
  on: Reader,
  { from = 'start', ...how }: Verifying & { tallies: readonly Tally[]; note: Note },
): Promise<Base | undefined> | undefined => (from === 'start' ? undefined : takeState(on, how))

const checkOf = ({
  connections = 1,
  partSize = PART_SIZE,
  pageSize = PAGE_SIZE,
  rest = async () => undefined,
  ...how
}: Verifying) => ({ ...how, connections, partSize, pageSize, rest })

type Check = ReturnType<typeof checkOf> & {
  db: Db
  on: Reader
  tallies: readonly Tally[]
  note: Note
  faults: Fault[]
  base: Base | undefined
}

/** Walks all chains and compares the sums. Drafts a state at the newest checkpoint before it goes on beyond it. */
async function walkBooks(check: Check, draft: { made: Draft | undefined }): Promise<Walk> {
  const { on, keys, note, rest, base, explanation, pageSize } = check
  const walk = base
    ? walkFrom(base.checkpoint, { transfers: base.transfers, pageSize })
    : newWalk(pageSize)
  // A state has their sums.
  if (!base) walk.transfers = await addArchived(on, { tallies: check.tallies, note })
  const checked = await checkCheckpoints(on, {
    ...(base ? { from: startOf(base) } : {}),
    ...{ keys, note, rest },
  })
  walk.newest = checked.newest?.seq ?? 0n
  const onPage = async (mine: Reader, batches: bigint[]) => {
    await addSums(mine, batches, note)
    await explanation?.explain(mine, batches, note)
  }
  const done = counterOf(check, walk)
  const onRestingPage = async (mine: Reader, batches: bigint[]) => {
    await onPage(mine, batches)
    done.add(batches.length)
    await rest()
  }
  const lap = async (heads: readonly ChainHead[]) => {
    done.aim(heads)
    await walkChains(on, walk, { note, heads, onPage: (batches) => onRestingPage(on, batches) })
  }
  if (checked.newest) {
    const heads = await sealedHeads(on, checked.newest)
    const isSettled = await explanation?.isSettled(on, heads)
    done.aim(heads)
    if (check.connections > 1) await walkInParts(check, walk, { heads, onPage: onRestingPage })
    else await lap(heads)
    if (isSettled && check.faults.length === 0 && isWorthKeeping(base, walk))
      draft.made = await draftState(on, {
        ...{ keys, rest, tallies: check.tallies },
        ...{ checkpoint: checked.newest, transfers: walk.transfers },
      })
  }
  for (let laps = 0, walked = LAP_BATCHES; laps < LAPS && walked >= LAP_BATCHES; laps++) {
    const before = batchesIn(walk)
    await lap(await readHeads(on))
    walked = batchesIn(walk) - before
  }
  await inSnapshot(on, async () => {
    const heads = await readHeads(on)
    const { newest } = await checkCheckpoints(on, { from: checked, keys, note, rest })
    walk.newest = newest?.seq ?? 0n
    await walkChains(on, walk, { note, heads, onPage: (batches) => onPage(on, batches) })
    checkHeads(walk, { heads, note })
    await checkEnds(on, { heads, newest, note })
    await checkOutside(on, note)
    await checkSums(on, note)
    await explanation?.compare(on, note)
  })
  return walk
}

/** Checks what is not found along the chains, over all connections. */
async function checkRows(check: Check): Promise<void> {
  const { db, on, base, note, rest, connections, explanation } = check
  const since = base?.checkpoint.createdAt
  const newest = base && (await readNewestBatch(on, base.checkpoint.chains))
  const left = [
    (mine: Reader) => checkStrays(mine, { since: newest, note, rest }),
    (mine: Reader) => checkSeals(mine, { note, rest }),
    ...(explanation?.follow ?? []).map(
      (follow) => (mine: Reader) => follow(mine, { since, note, rest }),
    ),
  ]
  const work = async (mine: Reader) => {
    for (let next = left.shift(); next; next = left.shift()) await next(mine)
  }
  if (connections === 1) return work(on)
  await Promise.all(Array.from({ length: connections }, () => db.together(work)))
}

const startOf = ({ checkpoint }: Base) => ({
  ...{ newest: checkpoint, seals: checkpoint.seals, sealsHead: checkpoint.sealsHead },
})

/** The heads that the checkpoint sealed. One that was forged may name batches that there are not. */
async function sealedHeads(on: Reader, { chains }: Checkpoint): Promise<ChainHead[]> {
  const ends = await readHeads(on)
  return chains.filter(({ chain, seq }) =>
    ends.some((end) => end.chain === chain && end.seq >= seq),
  )
}

const isWorthKeeping = (base: Base | undefined, { transfers }: Walk): boolean =>
  !base || BigInt(transfers - base.transfers) * NEW_PART >= base.lines

const batchesIn = ({ chains }: Walk): bigint =>
  [...chains.values()].reduce((sum, { seq }) => sum + seq, 0n)

/** Tells `progress` how many batches are behind the check, of those up to the heads that it aims at. */
function counterOf({ progress }: Check, walk: Walk) {
  const before = batchesIn(walk)
  let [done, of] = [0n, 0n]
  return {
    aim(heads: readonly ChainHead[]) {
      of = heads.reduce((sum, { seq }) => sum + seq, 0n) - before
    },
    add(batches: number) {
      done += BigInt(batches)
      progress?.(Number(done), Number(of))
    },
  }
}

/** The ledger's sums in custody and on their way out, for each asset, in base units. */
export async function readLiabilities(on: Reader): Promise<Liabilities[]> {
  return all<Liabilities>(
    on,
    sql`select a.network, a.asset,
        -coalesce(sum(p.posted) filter (where a.kind = 'custody'), 0) as custody,
        coalesce(sum(p.posted) filter (where a.kind = 'outbound'), 0) as outbound
      from ledger_accounts a join ledger_house_parts p on p.account_id = a.id
      where a.kind in ('custody', 'outbound') group by a.network, a.asset`,
  )
}
