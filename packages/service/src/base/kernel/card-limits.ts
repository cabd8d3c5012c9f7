import { addHours, utcDay } from './clock.ts'

/** A limit on what may leave a card within a window of time. Windows are in UTC, and their names sort as text. */
type CardLimit = {
  /** The field of the card, and its name in the API and in the database. */
  readonly field: string
  readonly name: string
  /** The field and the column that name the window being counted; one word, also in the API. */
  readonly window: string
  /** The sum that left the card in that window, and its name in the API and in the database. */
  readonly used: string
  readonly usedName: string
  /** The most that may leave it: a limit lowered below what was used becomes what was used. */
  readonly cap: string
  readonly windowOf: (at: Date) => string
  /** `windowOf` as a format of `to_char`. */
  readonly format: string
  /** The first moment of the next window. */
  readonly endOf: (at: Date) => Date
  readonly code: string
  readonly refusal: string
  readonly description: string
  /** The same of the command line's option. */
  readonly option: string
}

const addDays = (at: Date, days: number): Date => addHours(at, 24 * days)

/** The start of the week that the moment is in. Weeks begin on Monday, as ISO 8601 has them. */
const mondayOf = (at: Date): Date =>
  addDays(new Date(new Date(at).setUTCHours(0, 0, 0, 0)), -((at.getUTCDay() + 6) % 7))

/** The week of ISO 8601, as `2026-W48`: that of a year's first Thursday is its first. */
function isoWeek(at: Date): string {
  const thursday = addDays(mondayOf(at), 3)
  const year = thursday.getUTCFullYear()
  const days = (thursday.getTime() - Date.UTC(year, 0, 1)) / 86_400_000
  return `${year}-W${String(Math.floor(days / 7) + 1).padStart(2, '0')}`
}

/**
 * The limits of a card by window, each named here and in the migration `011-cards` (`card-limits.test.ts` compares them).
 * Its line here gives the rest of the code what it needs of a limit.
 */
export const CARD_LIMITS = [
  {
    field: 'hourlyLimit',
    name: 'hourly_limit',
    window: 'hour',
    used: 'hourUsed',
    usedName: 'hour_used',
    cap: 'hourCap',
    windowOf: (at: Date) => at.toISOString().slice(0, 13),
    format: 'YYYY-MM-DD"T"HH24',
    endOf: (at: Date) => new Date(new Date(at).setUTCMinutes(60, 0, 0)),
    code: 'hourly_limit_exceeded',
    refusal: 'The card reached its hourly limit. The limit resets at the next full hour.',
    description:
      'The most that may leave the card in an hour (from the full hour); null for no limit',
    option: 'the most that it may spend in one hour, from the full hour on',
  },
  {
    field: 'dailyLimit',
    name: 'daily_limit',
    window: 'day',
    used: 'dayUsed',
    usedName: 'day_used',
    cap: 'dayCap',
    windowOf: utcDay,
    format: 'YYYY-MM-DD',
    endOf: (at: Date) => new Date(new Date(at).setUTCHours(24, 0, 0, 0)),
    code: 'daily_limit_exceeded',
    refusal: 'The card reached its daily limit. The limit resets at midnight UTC.',
    description: 'The most that may leave the card in a day (UTC); null for no limit',
    option: 'the most that it may spend in one UTC day',
  },
  {
    field: 'weeklyLimit',
    name: 'weekly_limit',
    window: 'week',
    used: 'weekUsed',
    usedName: 'week_used',
    cap: 'weekCap',
    windowOf: isoWeek,
    format: 'IYYY-"W"IW',
    endOf: (at: Date) => addDays(mondayOf(at), 7),
    code: 'weekly_limit_exceeded',
    refusal: 'The card reached its weekly limit. The limit resets on Monday at midnight UTC.',
    description: 'The most that may leave the card in a week (from Monday, UTC); null for no limit',
    option: 'the most that it may spend in one week, from Monday on',
  },
  {
    field: 'monthlyLimit',
    name: 'monthly_limit',
    window: 'month',
    used: 'monthUsed',
    usedName: 'month_used',
    cap: 'monthCap',
    windowOf: (at: Date) => at.toISOString().slice(0, 7),
    format: 'YYYY-MM',
    endOf: (at: Date) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1)),
    code: 'monthly_limit_exceeded',
    refusal:
      'The card reached its monthly limit. The limit resets on the first of the next month, UTC.',
    description: 'The most that may leave the card in a calendar month (UTC); null for no limit',
    option: 'the most that it may spend in one calendar month',
  },
] as const satisfies readonly CardLimit[]

export type Limit = (typeof CARD_LIMITS)[number]
export type LimitCode = Limit['code']
export type LimitName = Limit['name']

type Key = 'field' | 'name' | 'window' | 'used' | 'usedName' | 'cap' | 'code'
/** A value for each limit, keyed by its name of one kind. */
export const perLimit = <K extends Key, V>(key: K, of: (limit: Limit) => V): Record<Limit[K], V> =>
  Object.fromEntries(CARD_LIMITS.map((limit) => [limit[key], of(limit)])) as Record<Limit[K], V>
