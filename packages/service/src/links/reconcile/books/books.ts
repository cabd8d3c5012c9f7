import { catalogueFaults } from '../../../base/db/catalogue.ts'
import type { Db } from '../../../base/db/sql.ts'
import type { CheckpointKeys } from '../../../base/signing-keys/checkpoint-keys.ts'
import {
  type Checked,
  type Explanation,
  type How,
  verifyLedger,
} from '../../../money/ledger/verify/verify.ts'
import { checkCounters, checkTopUps } from './store-counters.ts'
import { addCounts, checkExplained, checkFacts, USES, WINDOWS } from './store-explained.ts'
import { addFigures, areCounted, checkFigures, FIGURES, PAYERS } from './store-figures.ts'
import { FOLLOWS } from './store-followed.ts'

/** Explains each transfer by rows of other rooms. */
export const explanation: Explanation = {
  tallies: [USES, WINDOWS, FIGURES, PAYERS],
  isSettled: areCounted,
  async explain(on, batches, note) {
    await checkFacts(on, batches, note)
    await checkExplained(on, batches, note)
    await checkTopUps(on, batches, note)
    await addCounts(on, batches)
    await addFigures(on, batches)
  },
  async compare(on, note) {
    await checkCounters(on, note)
    await checkFigures(on, note)
  },
  follow: FOLLOWS,
}

type Asked = How & { keys: CheckpointKeys }

/** Checks the ledger, and in both directions its transfers against the rows of all other tables. Needs no blockchain. */
export const checkBooks = (db: Db, how: Asked): Promise<Checked> =>
  verifyLedger(db, { ...how, explanation })

/** The same as `checkBooks`. Also checks that triggers and constraints are those that the migrations make. */
export async function checkBooksAndSchema(db: Db, how: Asked): Promise<Checked> {
  const checked = await checkBooks(db, how)
  const schema = await db.together(catalogueFaults)
  const found = schema.map((fault) => ({ check: 'schema', fault }))
  return { ...checked, faults: [...checked.faults, ...found] }
}
