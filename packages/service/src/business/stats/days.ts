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
