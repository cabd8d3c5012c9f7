/** The length of a period. */
export type Cadence = { readonly days: number } | { readonly months: number }

const DAY_MS = 86_400_000

/**
 * The start of period `n`; period 1 starts at the anchor. All in UTC: a period of days is that many times 24 hours, and a
 * month that lacks the anchor's day gives its last day.
 */
export function periodStart(anchor: Date, cadence: Cadence, n: number): Date {
  return 'days' in cadence
    ? new Date(anchor.getTime() + (n - 1) * cadence.days * DAY_MS)
    : plusMonths(anchor, (n - 1) * cadence.months)
}

/** The number of the period that contains `at`: 1 and the whole periods since the anchor. Below 1 before the anchor. */
export function periodAt(anchor: Date, cadence: Cadence, at: Date): number {
  if ('days' in cadence)
    return Math.floor((at.getTime() - anchor.getTime()) / (cadence.days * DAY_MS)) + 1
  const years = at.getUTCFullYear() - anchor.getUTCFullYear()
  const months = years * 12 + at.getUTCMonth() - anchor.getUTCMonth()
  const guess = Math.floor(months / cadence.months) + 1
  return periodStart(anchor, cadence, guess) > at ? guess - 1 : guess
}

/** The length that is shown in days: a month counts 30, twelve months 365. */
export function nominalDays(cadence: Cadence): number {
  if ('days' in cadence) return cadence.days
  return cadence.months === 12 ? 365 : cadence.months * 30
}

function plusMonths(anchor: Date, months: number): Date {
  const [year, month, day] = [anchor.getUTCFullYear(), anchor.getUTCMonth(), anchor.getUTCDate()]
  const lastDay = new Date(Date.UTC(year, month + months + 1, 0)).getUTCDate()
  const midnight = Date.UTC(year, month + months, Math.min(day, lastDay))
  return new Date(midnight + (anchor.getTime() - Date.UTC(year, month, day)))
}
