import { utcDay } from '../../base/kernel/clock.ts'
import { type Amount, minus, most, plus, ZERO } from '../../base/kernel/money.ts'
import type { Card } from './card.ts'

/** The counter of a card's daily limit: what left the card on `day`, and the most that may. Days are UTC days. */
export type DayCounter = Pick<Card, 'day' | 'dayUsed' | 'dayCap'>
type Counted = DayCounter & Pick<Card, 'dailyLimit'>

/** The counter of a new card. */
export const firstDay = (at: Date, dailyLimit: Amount | null): DayCounter => ({
  day: utcDay(at),
  dayUsed: ZERO,
  dayCap: dailyLimit,
})

/** The card with the counter at `at`. A new day counts from zero, against the whole daily limit. */
export const withDayOf = <C extends Counted>(card: C, at: Date): C =>
  card.day >= utcDay(at) ? card : { ...card, ...firstDay(at, card.dailyLimit) }

/** The counter with an amount more, for a card of `withDayOf`. */
export const useOfDay = ({ dayUsed }: DayCounter, amount: Amount) => ({
  dayUsed: plus(dayUsed, amount),
})

/** The counter after an amount that was set aside at `heldAt` came back. It frees the limit of that day alone. */
export const returnToDay = ({ day, dayUsed }: DayCounter, amount: Amount, heldAt: Date) => ({
  dayUsed: day === utcDay(heldAt) ? minus(dayUsed, amount) : dayUsed,
})

/** The counter under a changed limit. A limit below what was used today allows nothing more today. */
export const capOfDay = ({ dailyLimit, dayUsed }: Counted) => ({
  dayCap: dailyLimit === null ? null : most(dailyLimit, dayUsed),
})
