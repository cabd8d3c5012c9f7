import { addSeconds } from '../../../base/kernel/clock.ts'
import { sha256 } from '../../../base/kernel/secrets.ts'

/** How long after each failed attempt the next one is due; the tenth failure is the last. */
const DELAYS_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const
const SPREAD = 0.2
const RETRY_AFTER_MAX_SECONDS = 86_400

/** Failures in a row after which an endpoint gets one probe at a time. */
export const BREAKER_FAILURES = 5
const PROBE_SECONDS = { first: 30, most: 900 }
const DISABLE = { failures: 10, seconds: 5 * 86_400 }

type Failed = {
  /** Names the delivery: its delays are spread by it, so that an endpoint's retries do not all come at once. */
  key: string
  /** How many attempts of the schedule have failed, this one included. */
  step: number
  /** The wait that the endpoint asked for. */
  retryAfterSeconds: number | null
}

/** When the next attempt is due; undefined after the last. */
export function nextAttemptAt(
  at: Date,
  { key, step, retryAfterSeconds }: Failed,
): Date | undefined {
  const delay = DELAYS_SECONDS[step - 1]
  if (delay === undefined) return undefined
  const chance = sha256(`${key} ${step}`).readUInt32BE() / 2 ** 32
  const seconds = delay * (1 - SPREAD + 2 * SPREAD * chance)
  return addSeconds(
    at,
    Math.max(seconds, Math.min(retryAfterSeconds ?? 0, RETRY_AFTER_MAX_SECONDS)),
  )
}

/** How an endpoint has answered lately. */
export type Health = {
  /** In a row, since the last success. */
  failures: number
  failingSince: Date | null
  breakerStep: number
  /** No request before. */
  breakerUntil: Date | null
}
export type Beat = { kind: 'delivered' | 'failed'; at: Date; isProbe: boolean }

const WELL: Health = { failures: 0, failingSince: null, breakerStep: 0, breakerUntil: null }

/** The health after one more attempt. */
export function healthAfter(before: Health, { kind, at, isProbe }: Beat): Health {
  if (kind === 'delivered') return WELL
  const failures = before.failures + 1
  const failingSince = before.failingSince ?? at
  if (failures < BREAKER_FAILURES) return { ...before, failures, failingSince }
  // Requests that were under way when the breaker opened do not lengthen the wait.
  if (before.breakerUntil && !isProbe) return { ...before, failures, failingSince }
  const breakerStep = before.breakerUntil ? before.breakerStep + 1 : 0
  const seconds = Math.min(PROBE_SECONDS.first * 2 ** breakerStep, PROBE_SECONDS.most)
  return { failures, failingSince, breakerStep, breakerUntil: addSeconds(at, seconds) }
}

/** Whether an endpoint has failed so often and so long that nothing is sent to it any more. */
export const isFailing = ({ failures, failingSince }: Health, at: Date): boolean =>
  failures >= DISABLE.failures &&
  failingSince !== null &&
  failingSince <= addSeconds(at, -DISABLE.seconds)
