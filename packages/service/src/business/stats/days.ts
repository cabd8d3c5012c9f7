import { Type } from 'typebox'
import { addHours, utcDay } from '../../base/kernel/clock.ts'

export const DAYS_DEFAULT = 30
const DAYS_MAX = 366

/** The query of figures by day. */
export const DaysQuery = {
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: DAYS_MAX,
      description: `Today and the days before it; ${DAYS_DEFAULT} without it`,
    }),
  ),
}

/** So many UTC days, the last of them that of `at`, the oldest first. */
export const daysUntil = (at: Date, count = DAYS_DEFAULT): string[] =>
  Array.from({ length: count }, (_, i) => utcDay(addHours(at, 24 * (i + 1 - count))))

const WEEK = 7
const isMonday = (day: string): boolean => new Date(day).getUTCDay() === 1

/** Splits days that follow each other into whole weeks, each named by its Monday, and the days that are left. Weeks up to `first` stay days. */
export function inWeeks(
  days: readonly string[],
  first: string | null,
): { weeks: string[]; days: string[] } {
  const [weeks, rest]: [string[], string[]] = [[], []]
  let i = 0
  for (let day = days[i]; day !== undefined; day = days[i]) {
    const isWhole = first !== null && day > first && isMonday(day) && i + WEEK <= days.length
    ;(isWhole ? weeks : rest).push(day)
    i += isWhole ? WEEK : 1
  }
  return { weeks, days: rest }
}
