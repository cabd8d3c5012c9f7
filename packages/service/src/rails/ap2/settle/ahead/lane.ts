import type { Ahead } from '../../../../base/db/lanes/ahead.ts'
import type { Lane } from '../../../../base/db/lanes/lane.ts'
import { type MandateIntent, type MandateOutcome, settleMandates } from '../settle.ts'
import { planMandates } from './plan.ts'
import { Shelf } from './shelf.ts'

/** The lane of `POST /api/ap2/settle`. */
export const ap2Lane: Lane<MandateIntent, MandateOutcome> = {
  name: 'AP2 settle',
  run: settleMandates,
  createAhead,
}

function createAhead(now: () => Date): Ahead<MandateIntent, MandateOutcome> {
  const shelf = new Shelf(now)
  return {
    plan: (at, intents) => planMandates(shelf, at, intents),
    read: (db, intents) => shelf.read(db, intents),
    forget: (intents) => (intents ? shelf.forget(intents) : shelf.forgetAll()),
  }
}
