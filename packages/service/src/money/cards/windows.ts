import { CARD_LIMITS, type Limit, perLimit } from '../../base/kernel/card-limits.ts'
import { type Amount, minusOrZero, most, plus, ZERO } from '../../base/kernel/money.ts'

const [{ windowOf: hourOf }] = CARD_LIMITS

/** A card's limits by window; null for none. */
export type Limits = Record<Limit['field'], Amount | null>
/** The amount that was used in the window of each limit. All windows are those of one hour. */
export type WindowUse = Record<Limit['window'], string> &
  Record<Limit['used'], Amount> & {
    /** The newest hour with a payment, or its minute. Null: the counters must be made anew from the facts. */
    countedTo: string | null
  }
/** The counter of each limit. */
export type LimitCounters = WindowUse & Record<Limit['cap'], Amount | null>

export const NO_LIMITS: Limits = perLimit('field', () => null)

type Counted = LimitCounters & Limits

/** The counters of a new card. */
export const newCounters = (at: Date, limits: Limits): LimitCounters => ({
  ...perLimit('window', ({ windowOf }) => windowOf(at)),
  ...perLimit('used', () => ZERO),
  ...perLimit('cap', ({ field }) => limits[field]),
  countedTo: hourOf(at),
})

/** Whether the card counts the windows of `at`. */
export const isCountedAt = (card: WindowUse, at: Date): boolean =>
  card.countedTo !== null && card.hour === hourOf(at)

/**
 * Whether the counters tell what was used in the windows of `at`: these, or new ones. They do not tell windows that a clock has
 * left backwards, or comes back to: those are counted anew from the facts.
 */
export const tells = ({ hour, countedTo }: WindowUse, at: Date): boolean => {
  const asked = hourOf(at)
  return (
    countedTo !== null &&
    (asked === hour || (asked > hour && hour === countedTo.slice(0, hour.length)))
  )
}

/** The card with its counters at `at`, if they tell them. A new window counts from zero, against the whole limit. */
export function countedAt<C extends Counted>(card: C, at: Date): C {
  if (card.hour === hourOf(at)) return card
  const counted = { ...card, countedTo: later(card.countedTo, hourOf(at)) }
  for (const { field, window, used, cap, windowOf } of CARD_LIMITS)
    if (card[window] !== windowOf(at)) {
      counted[window] = windowOf(at)
      counted[used] = ZERO
      counted[cap] = card[field]
    }
  return counted
}

/** The later of the two; null stays. */
export const later = (countedTo: string | null, at: string): string | null =>
  countedTo !== null && countedTo < at ? at : countedTo

/** Whether two states of a card count the same windows. */
export const countSameWindows = (a: LimitCounters, b: LimitCounters): boolean => a.hour === b.hour

/** The counters with an amount more, for a card of `countedAt`. */
export const withUse = (of: LimitCounters, amount: Amount) =>
  perLimit('used', ({ used }) => plus(of[used], amount))

/** The counters after an amount that was set aside at `heldAt` came back. It frees the limits of those windows alone. */
export const withReturn = (of: LimitCounters, amount: Amount, heldAt: Date) =>
  perLimit('used', ({ used, window, windowOf }) =>
    of[window] === windowOf(heldAt) ? minusOrZero(of[used], amount) : of[used],
  )

/** The counters under changed limits. A limit below what was used allows nothing more in this window. */
export const capsOf = (of: Counted) =>
  perLimit('cap', ({ field, used }) => {
    const limit = of[field]
    return limit === null ? null : most(limit, of[used])
  })
