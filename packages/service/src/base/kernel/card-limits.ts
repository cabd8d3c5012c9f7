import { utcDay } from './clock.ts'

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

/**
 * The limits of a card by window, each named here and in the migration `011-cards` (`card-limits.test.ts` compares them).
 * Its line here gives the rest of the code what it needs of a limit.
 */
export const CARD_LIMITS = [
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
] as const satisfies readonly CardLimit[]

export type Limit = (typeof CARD_LIMITS)[number]
export type LimitCode = Limit['code']
export type LimitName = Limit['name']

type Key = 'field' | 'name' | 'window' | 'used' | 'usedName' | 'cap' | 'code'
/** A value for each limit, keyed by its name of one kind. */
export const perLimit = <K extends Key, V>(key: K, of: (limit: Limit) => V): Record<Limit[K], V> =>
  Object.fromEntries(CARD_LIMITS.map((limit) => [limit[key], of(limit)])) as Record<Limit[K], V>
