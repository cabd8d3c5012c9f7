import { changedBy } from './changed.ts'

/** Figures that follow the books are asked for again so often until they have followed. */
const AGAIN_MS = 2_000

/** When the newest event that changes such figures was past, by the service's clock. */
let changedAt = Number.NEGATIVE_INFINITY

/** `created` is in whole seconds: the event was within the second that begins with it. */
export function noteEvent({ type, created }: { type: string; created: number }): void {
  if (changedBy(type)?.includes('spending') ?? true)
    changedAt = Math.max(changedAt, 1_000 * (created + 1))
}

/** How soon to ask again for figures that are as of this time; false if they have counted all that the page heard of. */
export const untilCounted = (asOf: string | null | undefined): number | false =>
  asOf !== undefined && (asOf === null ? Number.NEGATIVE_INFINITY : Date.parse(asOf)) < changedAt
    ? AGAIN_MS
    : false
