import { all, type Db, type Reader, sql } from '../../db/sql.ts'
import type { CheckpointKeys } from '../../kernel/checkpoint-keys.ts'
import { checkCheckpoints, checkEnds } from '../seals/check-checkpoints.ts'
import { checkSeals } from '../seals/check-seals.ts'
import { readHeads } from '../seals/store-checkpoints.ts'
import { collectFaults, type Fault, type Note } from './fault.ts'
import { addSums, checkSums, closeSums, openSums } from './sums.ts'
import { checkHeads, checkOutside, checkStrays, newWalk, type Walk, walkChains } from './walk.ts'

export type { Fault } from './fault.ts'
export type Liabilities = { network: string; asset: string; custody: bigint; outbound: bigint }
export type Checking = { note: Note; rest(): Promise<void> }

/** What rooms above know of transfers: why each was made, and what their own rows say of it. All on one connection. */
export type Explanation = {
  open(on: Reader): Promise<void>
  /** The transfers of these batches are explained by rows. */
  explain(on: Reader, batches: readonly bigint[], note: Note): Promise<void>
  /** All transfers have been explained, and nothing moves: counters can be compared. */
  compare(on: Reader, note: Note): Promise<void>
  /** Rows that ought to have a transfer have one. Page by page, while payments go on. */
  follow(on: Reader, checking: Checking): Promise<void>
  close(on: Reader): Promise<void>
}
type Verifying = {
  keys: CheckpointKeys
  explanation?: Explanation
  /** Waits between two pages, so that payments are not slowed. */
  rest?: () => Promise<void>
}

/** What was posted during the walk is walked too, until so few batches are new that one snapshot reads the last. */
const LAPS = 6
const LAP_BATCHES = 500n

/**
 * Every check of the books that needs no chain. An empty list means that they are in order. The transfers are read page by
 * page while others are posted. Only the newest of them and the sums are read in one snapshot, so that no long transaction
 * keeps old versions of busy rows.
 */
export function verifyLedger(
  db: Db,
  { keys, explanation, rest = async () => undefined }: Verifying,
): Promise<{ transfers: number; faults: Fault[] }> {
  const { note, faults } = collectFaults()
  return db.together(async (on) => {
    await openSums(on)
    await explanation?.open(on)
    try {
      const walk = newWalk()
      const onPage = async (batches: bigint[]) => {
        await addSums(on, batches, note)
        await explanation?.explain(on, batches, note)
      }
      const restingPage = (batches: bigint[]) => onPage(batches).then(rest)
      const checked = await checkCheckpoints(on, { keys, note, rest })
      walk.newest = checked.newest?.seq ?? 0n
      for (let lap = 0, walked = LAP_BATCHES; lap < LAPS && walked >= LAP_BATCHES; lap++) {
        const before = batchesIn(walk)
        await walkChains(on, walk, { note, onPage: restingPage, heads: await readHeads(on) })
        walked = batchesIn(walk) - before
      }
      await inSnapshot(on, async () => {
        const heads = await readHeads(on)
        const { newest } = await checkCheckpoints(on, { from: checked, keys, note, rest })
        walk.newest = newest?.seq ?? 0n
        await walkChains(on, walk, { note, onPage, heads })
        checkHeads(walk, { heads, note })
        await checkEnds(on, { heads, newest, note })
        await checkOutside(on, note)
        await checkSums(on, note)
        await explanation?.compare(on, note)
      })
      await checkStrays(on, { note, rest })
      await checkSeals(on, { note, rest })
      await explanation?.follow(on, { note, rest })
      return { transfers: walk.transfers, faults }
    } finally {
      await explanation?.close(on)
      await closeSums(on)
    }
  })
}

const batchesIn = ({ chains }: Walk): bigint =>
  [...chains.values()].reduce((sum, { seq }) => sum + seq, 0n)

/** Temporary tables may be written in it all the same. */
async function inSnapshot(on: Reader, work: () => Promise<void>): Promise<void> {
  await sql`begin isolation level repeatable read read only`.execute(on)
  try {
    await work()
  } finally {
    await sql`rollback`.execute(on)
  }
}

/** What the ledger says stands in custody, and is on its way out, per asset, in base units. */
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
