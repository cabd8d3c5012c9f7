/** How far below the newest block a reorganization may move a known transaction. */
export const REORGANIZATION_BLOCKS = 32n

/** The first block to search for a transfer: `back` blocks below the newest one. */
export const searchFrom = (newest: bigint, back = REORGANIZATION_BLOCKS): bigint =>
  newest > back ? newest - back : 0n

/**
 * How far below the newest block to search for a transfer that someone else submitted: two hours of Base. Authorizations
 * seldom last longer.
 */
export const OTHERS_BLOCKS = 3_600n

const LOOK_FIRST_SECONDS = 3
const LOOK_LAST_SECONDS = 60

/**
 * Seconds until a job reads the chain again, by the number of reads so far. Each wait is longer: `safe` is minutes
 * behind on Base.
 */
export const secondsToNextLook = (looks: number): number =>
  Math.min(LOOK_FIRST_SECONDS * (looks + 1), LOOK_LAST_SECONDS)

/** Seconds until a job looks again at many transfers at once, or at one that no block holds yet. */
export const LOOK_AGAIN_SECONDS = LOOK_FIRST_SECONDS
