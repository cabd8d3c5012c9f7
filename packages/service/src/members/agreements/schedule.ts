import { type Agreement, countOf } from './agreement.ts'
import { periodAt, periodStart } from './periods.ts'
import { isLive } from './states.ts'

const DAY_MS = 86_400_000
/** Days from the first failure to each retry. After the last one the agreement is cancelled. */
export const RETRY_DAYS = [1, 3, 5, 7] as const

/** The number of the period that `at` is in, or the last charged one if the clock was set back before it. */
export function currentPeriod(agreement: Agreement, at: Date): number {
  const count = countOf(agreement)
  if (!count) return agreement.chargesMade + 1
  return Math.max(periodAt(count.anchor, count.cadence, at), lastPeriod(agreement) ?? 1, 1)
}

/** The number of the period that was charged last; undefined if none was, and for a threshold. */
export function lastPeriod(agreement: Agreement): number | undefined {
  const count = countOf(agreement)
  const { lastChargeAt } = agreement
  return count && lastChargeAt ? periodAt(count.anchor, count.cadence, lastChargeAt) : undefined
}

/** The start of the period after the current one; undefined for a threshold. */
export function nextPeriodStart(agreement: Agreement, at: Date): Date | undefined {
  const count = countOf(agreement)
  return count && periodStart(count.anchor, count.cadence, currentPeriod(agreement, at) + 1)
}

/** The first retry after `at`; undefined if the last one has been made. A retry that was missed is not made up for. */
export const nextRetry = (firstFailedAt: Date, at: Date): Date | undefined =>
  RETRY_DAYS.map((days) => new Date(firstFailedAt.getTime() + days * DAY_MS)).find(
    (retry) => retry > at,
  )

/**
 * The agreement with the dates that follow from its status: the next charge, and when a job looks at it next. If all retries
 * passed while it was paused, the last one is made now.
 */
export function scheduled(agreement: Agreement, at: Date): Agreement {
  const { status, endsAt, firstFailedAt } = agreement
  const isCharged = isLive(agreement) && status !== 'PAUSED' && endsAt === null
  const nextChargeAt = isCharged ? (nextPeriodStart(agreement, at) ?? null) : null
  const retry = firstFailedAt && (nextRetry(firstFailedAt, at) ?? at)
  const nextAttemptAt = status === 'PAST_DUE' ? retry : nextChargeAt
  return {
    ...agreement,
    nextChargeAt,
    nextAttemptAt: isLive(agreement) ? earlier(nextAttemptAt, endsAt) : null,
    updatedAt: at,
  }
}

const earlier = (a: Date | null, b: Date | null): Date | null =>
  a && b ? (a < b ? a : b) : (a ?? b)
