/** Blocks below the newest one that a reorganization may bring a known transaction into. */
export const REORGANIZATION_BLOCKS = 32n

/** The block from which the logs are searched for a transfer: `back` blocks below the newest one. */
export const searchFrom = (newest: bigint, back = REORGANIZATION_BLOCKS): bigint =>
  newest > back ? newest - back : 0n

const LOOK_FIRST_SECONDS = 3
const LOOK_LAST_SECONDS = 60

/** Seconds until a job looks at the chain again, after so many looks. Each wait is longer: `safe` is minutes old on Base. */
export const secondsToNextLook = (looks: number): number =>
  Math.min(LOOK_FIRST_SECONDS * (looks + 1), LOOK_LAST_SECONDS)

/** Seconds until one job looks at many transfers at once. */
export const LOOK_MANY_SECONDS = LOOK_FIRST_SECONDS
