import { catalogueFaults } from '../../../base/db/catalogue.ts'
import type { Db } from '../../../base/db/sql.ts'
import type { CheckpointKeys } from '../../../base/signing-keys/checkpoint-keys.ts'
import { type Explanation, type Fault, verifyLedger } from '../../../money/ledger/verify/verify.ts'
import { checkCounters } from './store-counters.ts'
import {
  addCounts,
  checkExplained,
  checkFacts,
  closeCounts,
  openCounts,
} from './store-explained.ts'
import { addFigures, checkFigures, closeFigures, openFigures } from './store-figures.ts'
import { checkFollowed } from './store-followed.ts'

/** Explains each transfer by rows of other rooms. */
const explanation: Explanation = {
  async open(on) {
    await openCounts(on)
    await openFigures(on)
  },
  async explain(on, batches, note) {
    await checkFacts(on, batches, note)
    await checkExplained(on, batches, note)
    await addCounts(on, batches)
    await addFigures(on, batches)
  },
  async compare(on, note) {
    await checkCounters(on, note)
    await checkFigures(on, note)
  },
  follow: checkFollowed,
  async close(on) {
    await closeCounts(on)
    await closeFigures(on)
  },
}

/** Checks the ledger, and in both directions its transfers against the rows of all other tables. Needs no blockchain. */
export const checkBooks = (
  db: Db,
  { keys, rest }: { keys: CheckpointKeys; rest?: () => Promise<void> },
): Promise<{ transfers: number; faults: Fault[] }> =>
  verifyLedger(db, { keys, explanation, ...(rest ? { rest } : {}) })

/** The same as `checkBooks`. Also checks that triggers and constraints are those that the migrations make. */
export async function checkBooksAndSchema(
  db: Db,
  how: { keys: CheckpointKeys; rest?: () => Promise<void> },
): Promise<{ transfers: number; faults: Fault[] }> {
  const { transfers, faults } = await checkBooks(db, how)
  const schema = await db.together(catalogueFaults)
  return { transfers, faults: [...faults, ...schema.map((fault) => ({ check: 'schema', fault }))] }
}
