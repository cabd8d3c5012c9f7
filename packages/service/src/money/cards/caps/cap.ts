import { CARD_LIMITS, perLimit } from '../../../base/kernel/card-limits.ts'
import { addHours } from '../../../base/kernel/clock.ts'
import { type Amount, minusOrZero, plus, ZERO } from '../../../base/kernel/money.ts'
import type { CardWithMoney } from '../card.ts'
import { type Limits, later, tells, type WindowUse } from '../windows.ts'

/** The limits of a cap; null for none. Amounts are in base units of the cap's asset. */
export type CapLimits = Limits & {
  /** The most that may leave within thirty days, today included. */
  rollingLimit: Amount | null
  maxPaymentsPerMinute: number | null
}
/** The limits of a wallet, an API key or a card over all cards that are under it, with the amounts that were used. */
export type Cap = CapLimits &
  WindowUse & {
    /** The wallet's address, the key's hash (hex) or the card's id. */
    subject: string
    /** The amounts that left on the thirty days that end with `day`, the last day first. */
    days: readonly Amount[]
    minute: string
    minutePayments: number
  }

/** The reasons for which a cap refuses a spend, by its kind. A card's windows have codes of their own. */
export const CAP_DECLINES = [
  'wallet_cap_exceeded',
  'key_cap_exceeded',
  'rolling_30d_limit_exceeded',
  'payment_rate_exceeded',
] as const
export type CapRefusal = {
  rule: (typeof CAP_DECLINES)[number]
  message: string
  passesAt: Date | null
}

const DAYS = 30
export const minuteOf = (at: Date): string => at.toISOString().slice(0, 16)

/** The subjects of the caps that a card is under: its own, and those of the cards above it. */
export const capsAbove = (family: readonly Pick<CardWithMoney, 'caps'>[]): string[] => [
  ...new Set(family.flatMap(({ caps }) => caps)),
]

/** The caps of a card and those above it, out of rows that hold them. */
export const capsOf = (
  family: readonly Pick<CardWithMoney, 'caps'>[],
  caps: ReadonlyMap<string, Cap>,
): Cap[] =>
  capsAbove(family).flatMap((subject) => {
    const cap = caps.get(subject)
    return cap ? [cap] : []
  })

/** Whether the counters tell what was used in the windows of `at`, as `tells` has it, and if it matters in its minute. */
export const capTells = (cap: Cap, at: Date): boolean =>
  tells(cap, at) &&
  (cap.maxPaymentsPerMinute === null ||
    cap.minute === minuteOf(at) ||
    (cap.countedTo ?? '') < minuteOf(at))

/** The cap with its counters at `at`, if they tell them. */
export function capAt(cap: Cap, at: Date): Cap {
  const counted = { ...cap, countedTo: later(cap.countedTo, minuteOf(at)) }
  for (const { window, used, windowOf } of CARD_LIMITS)
    if (cap[window] !== windowOf(at)) {
      counted[window] = windowOf(at)
      counted[used] = ZERO
    }
  const passed = daysBetween(cap.day, counted.day)
  if (passed > 0)
    counted.days = [...Array<Amount>(Math.min(passed, DAYS)).fill(ZERO), ...cap.days].slice(0, DAYS)
  if (cap.minute !== minuteOf(at)) {
    counted.minute = minuteOf(at)
    counted.minutePayments = 0
  }
  return counted
}

const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)

/** The amount that left within the thirty days of a cap of `capAt`. */
export const rollingUsed = ({ days }: Pick<Cap, 'days'>): Amount =>
  days.reduce((sum, day) => plus(sum, day), ZERO)

/** The cap with one payment more. The database counts the same from the card's counters. */
export function withPayment(cap: Cap, amount: Amount, at: Date): Cap {
  const counted = capAt(cap, at)
  const [today = ZERO, ...before] = counted.days
  return {
    ...counted,
    ...perLimit('used', ({ used }) => plus(counted[used], amount)),
    days: [plus(today, amount), ...before],
    minutePayments: counted.minutePayments + 1,
  }
}

/** The refusal by one of the caps; undefined if the amount is within all. No grant of the owner waives a cap. */
export function capRefusal(caps: readonly Cap[], amount: Amount, at: Date): CapRefusal | undefined {
  for (const cap of caps) {
    const refused = refusalOf(capAt(cap, at), amount, at)
    if (refused) return refused
  }
  return undefined
}

function refusalOf(cap: Cap, amount: Amount, at: Date): CapRefusal | undefined {
  const [rule, holder, means] = nameOf(cap.subject)
  for (const { field, name, used, endOf } of CARD_LIMITS) {
    const limit = cap[field]
    if (limit !== null && amount > minusOrZero(limit, cap[used]))
      return {
        rule,
        message: `The amount is above what is left of the ${name} of ${holder}. ${means}`,
        passesAt: endOf(at),
      }
  }
  if (cap.rollingLimit !== null && amount > minusOrZero(cap.rollingLimit, rollingUsed(cap)))
    return {
      rule: isCard(cap) ? 'rolling_30d_limit_exceeded' : rule,
      message: `The amount is above what is left of the rolling_30d_limit of ${holder}. ${means}`,
      passesAt: firstFree(cap, amount),
    }
  if (cap.maxPaymentsPerMinute !== null && cap.minutePayments >= cap.maxPaymentsPerMinute)
    return {
      rule: isCard(cap) ? 'payment_rate_exceeded' : rule,
      message: `The max_payments_per_minute of ${holder} is reached. Wait for the next full minute.`,
      passesAt: new Date(Date.parse(`${cap.minute}Z`) + 60_000),
    }
  return undefined
}

const isCard = ({ subject }: Cap): boolean => subject.startsWith('card_')

function nameOf(subject: string): [rule: CapRefusal['rule'], holder: string, means: string] {
  if (subject.startsWith('card_'))
    return ['rolling_30d_limit_exceeded', 'the card', 'It counts today and the 29 days before.']
  return subject.startsWith('0x')
    ? ['wallet_cap_exceeded', 'the wallet', 'It counts what leaves all its cards.']
    : ['key_cap_exceeded', 'the API key', 'It counts what leaves all cards that the key may use.']
}

/** The first day on which so much of the thirty days is over that the amount fits; null if it never does. */
function firstFree(cap: Cap, amount: Amount): Date | null {
  if (cap.rollingLimit === null || amount > cap.rollingLimit) return null
  for (let later = 1; later <= DAYS; later++) {
    const left = rollingUsed({ days: cap.days.slice(0, DAYS - later) })
    if (plus(left, amount) <= cap.rollingLimit)
      return addHours(new Date(`${cap.day}T00:00:00Z`), 24 * later)
  }
  return null
}

/** The windows at a moment, in the order of the database's functions. */
export const windowsAt = (at: Date): string[] => CARD_LIMITS.map(({ windowOf }) => windowOf(at))
