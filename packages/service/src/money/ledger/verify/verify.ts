import { inSnapshot } from '../../../base/db/snapshot.ts'
import { all, type Db, type Reader, sql } from '../../../base/db/sql.ts'
import type { CheckpointKeys } from '../../../base/signing-keys/checkpoint-keys.ts'
import { collectFaults, type Fault, type Note } from '../fault.ts'
import { checkCheckpoints, checkEnds } from '../seals/check-checkpoints.ts'
import { checkSeals } from '../seals/check-seals.ts'
import { readHeads } from '../seals/store-checkpoints.ts'
import { addSums, checkSums, closeSums, openSums } from './sums.ts'
import { checkHeads, checkOutside, checkStrays, newWalk, type Walk, walkChains } from './walk.ts'

export type { Fault } from '../fault.ts'
export type Liabilities = { network: string; asset: string; custody: bigint; outbound: bigint }
export type Checking = { note: Note; rest(): Promise<void> }

/** The rows of other rooms that explain each transfer. All calls use one connection. */
export type Explanation = {
  open(on: Reader): Promise<void>
  /** Checks that rows explain the transfers of these batches. */
  explain(on: Reader, batches: readonly bigint[], note: Note): Promise<void>
  /** Compares counters with the transfers. Called in a snapshot, after all transfers were explained. */
  compare(on: Reader, note: Note): Promise<void>
  /** Checks that rows have the transfer they should have, page by page, while payments go on. */
  follow(on: Reader, checking: Checking): Promise<void>
  close(on: Reader): Promise<void>
}
type Verifying = {
  keys: CheckpointKeys
  explanation?: Explanation
  /** Waits between two pages, to leave the database to payments. */
  rest?: () => Promise<void>
}

/** Batches posted during a lap are walked in the next one, until few enough are new for one snapshot. */
const LAPS = 6
const LAP_BATCHES = 500n

/**
 * Every check of the books that needs no blockchain. An empty list means that the books are in order. It reads transfers
 * page by page while new ones are posted, and only the newest ones and the sums in one snapshot: a long transaction would
 * keep old versions of busy rows.
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
