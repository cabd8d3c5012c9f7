import { all, one, type Reader, run, sql, type Tx } from '../../base/db/sql.ts'
import type { ChainPlace } from '../../money/ledger/follow.ts'

/** How far the figures go: the number of batches of the ledger and of other facts in them, and the block read by then. */
export type Progress = { batches: bigint; facts: bigint; block: bigint | null; at: Date | null }

const COLUMNS = sql.raw('batches, facts, block, at')

export const readProgress = async (on: Reader): Promise<Progress> =>
  (await one<Progress>(on, sql`select ${COLUMNS} from stats_progress`)) ?? {
    batches: 0n,
    facts: 0n,
    block: null,
    at: null,
  }

/** The progress, locked; undefined while another process counts. */
export const lockProgress = (tx: Tx): Promise<Progress | undefined> =>
  one<Progress>(tx, sql`select ${COLUMNS} from stats_progress for update skip locked`)

export const readPlaces = (on: Reader): Promise<ChainPlace[]> =>
  all<ChainPlace>(on, sql`select chain, seq from stats_cursors order by chain`)

export async function savePlaces(tx: Tx, places: readonly ChainPlace[]): Promise<void> {
  await sql`update stats_cursors c set seq = v.seq
    from unnest(${places.map(({ chain }) => chain)}::integer[], ${places.map(({ seq }) => seq)}::bigint[])
      as v (chain, seq) where c.chain = v.chain`.execute(tx)
}

export async function saveProgress(
  tx: Tx,
  at: Date,
  by: { batches: number; facts: number; block: bigint | null },
): Promise<void> {
  await run(
    tx,
    sql`update stats_progress set batches = batches + ${by.batches}, facts = facts + ${by.facts},
      block = ${by.block}, at = ${at}`,
  )
}

export type Fact = { kind: 'direct' | 'direct_missing' | 'exception'; ref: string }

/** Takes the oldest facts off the queue. Whoever took them counts them in the same transaction. */
export const takeFacts = (tx: Tx, most: number): Promise<Fact[]> =>
  all<Fact>(
    tx,
    sql`delete from stats_queue where seq = any(array(select seq from stats_queue order by seq limit ${most}))
      returning kind, ref`,
  )
