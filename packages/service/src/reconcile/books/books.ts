import { catalogueFaults } from '../../db/catalogue.ts'
import type { Db } from '../../db/sql.ts'
import type { CheckpointKeys } from '../../kernel/checkpoint-keys.ts'
import { type Explanation, type Fault, verifyLedger } from '../../ledger/verify/verify.ts'
import { checkCounters } from './store-counters.ts'
import { addCounts, checkExplained, closeCounts, openCounts } from './store-explained.ts'
import { checkFollowed } from './store-followed.ts'

/** Why each transfer was made, as the rows of all rooms tell it. */
const explanation: Explanation = {
  open: openCounts,
  async explain(on, batches, note) {
    await checkExplained(on, batches, note)
    await addCounts(on, batches)
  },
  compare: checkCounters,
  follow: checkFollowed,
  close: closeCounts,
}

/** The ledger, and in both directions what every other table says of its transfers. No chain is asked. */
export const checkBooks = (
  db: Db,
  { keys, rest }: { keys: CheckpointKeys; rest?: () => Promise<void> },
): Promise<{ transfers: number; faults: Fault[] }> =>
  verifyLedger(db, { keys, explanation, ...(rest ? { rest } : {}) })

/** As `checkBooks`, and whether triggers and constraints are still those that the migrations make. */
export async function checkBooksAndSchema(
  db: Db,
  how: { keys: CheckpointKeys; rest?: () => Promise<void> },
): Promise<{ transfers: number; faults: Fault[] }> {
  const { transfers, faults } = await checkBooks(db, how)
  const schema = await db.together(catalogueFaults)
  return { transfers, faults: [...faults, ...schema.map((fault) => ({ check: 'schema', fault }))] }
}
