import { steadyNow } from '../../kernel/clock.ts'

/**
 * Says how many processes write batches to the same database as often as this one, itself included: lanes of several machines
 * take turns. `wrote` is called for each batch of this process.
 */
export type Crowd = { size(): number; wrote(): void }

export const ALONE: Crowd = { size: () => 1, wrote: () => undefined }

/** A batch of so many costs hardly less for each if it waits for more. */
const ENOUGH = 64
/** The longest that a lane leaves the database to others. A payment waits half of it on average. */
const REST_MAX_MS = 20

export type Turns = {
  /** Milliseconds until a batch of so many may begin; 0 if it may now. */
  waitMs(size: number): number
  begin(): void
  end(): void
}

/**
 * The turns of one lane. A batch costs the same besides its rows, however few it has; so while other processes write as often
 * as this one, it rests after a batch for as long as theirs take, and its next batch is as large as if there were one
 * process. Alone it never rests; nor does a lane wait whose last batch is longer ago.
 */
export function takeTurns(crowd: Crowd, now = steadyNow): Turns {
  let begun = 0
  let restsUntil = 0
  return {
    waitMs: (size) => (size >= ENOUGH ? 0 : Math.max(0, restsUntil - now())),
    begin() {
      begun = now()
    },
    end() {
      crowd.wrote()
      const ended = now()
      restsUntil = ended + Math.min((crowd.size() - 1) * (ended - begun), REST_MAX_MS)
    },
  }
}
