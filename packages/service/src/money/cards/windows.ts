import { CARD_LIMITS, type Limit, perLimit } from '../../base/kernel/card-limits.ts'
import { type Amount, minus, most, plus, ZERO } from '../../base/kernel/money.ts'

/** A card's limits by window; null for none. */
export type Limits = Record<Limit['field'], Amount | null>
/** The amount that was used in the window of each limit. */
export type WindowUse = Record<Limit['window'], string> & Record<Limit['used'], Amount>
/** The counter of each limit. */
export type LimitCounters = WindowUse & Record<Limit['cap'], Amount | null>

export const NO_LIMITS: Limits = perLimit('field', () => null)

type Counted = LimitCounters & Limits

/** The counters of a new card. */
export const newCounters = (at: Date, limits: Limits): LimitCounters => ({
  ...perLimit('window', ({ windowOf }) => windowOf(at)),
  ...perLimit('used', () => ZERO),
  ...perLimit('cap', ({ field }) => limits[field]),
})

/** Whether the windows that the card counts are those of `at`, or later ones. */
export const isCountedAt = (card: LimitCounters, at: Date): boolean =>
  CARD_LIMITS.every(({ window, windowOf }) => card[window] >= windowOf(at))

/** The card with its counters at `at`. A new window counts from zero, against the whole limit. */
export function countedAt<C extends Counted>(card: C, at: Date): C {
  if (isCountedAt(card, at)) return card
  const counted = { ...card }
  for (const { field, window, used, cap, windowOf } of CARD_LIMITS)
    if (card[window] < windowOf(at)) {
      counted[window] = windowOf(at)
      counted[used] = ZERO
      counted[cap] = card[field]
    }
  return counted
}

/** Whether two states of a card count the same windows. */
export const countSameWindows = (a: LimitCounters, b: LimitCounters): boolean =>
  CARD_LIMITS.every(({ window }) => a[window] === b[window])

/** The counters with an amount more, for a card of `countedAt`. */
export const withUse = (of: LimitCounters, amount: Amount) =>
  perLimit('used', ({ used }) => plus(of[used], amount))

/** The counters after an amount that was set aside at `heldAt` came back. It frees the limits of those windows alone. */
export const withReturn = (of: LimitCounters, amount: Amount, heldAt: Date) =>
  perLimit('used', ({ used, window, windowOf }) =>
    of[window] === windowOf(heldAt) ? minus(of[used], amount) : of[used],
  )

/** The counters under changed limits. A limit below what was used allows nothing more in this window. */
export const capsOf = (of: Counted) =>
  perLimit('cap', ({ field, used }) => {
    const limit = of[field]
    return limit === null ? null : most(limit, of[used])
  })
