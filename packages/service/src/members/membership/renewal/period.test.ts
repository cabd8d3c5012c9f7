import fc from 'fast-check'
import { expect, test } from 'vitest'
import { periodAt, periodStart } from '../../agreements/periods.ts'
import type { Membership } from '../membership.ts'
import { type BillingPeriod, monthsOf } from '../plan.ts'
import { nextPeriod, numberOf } from './period.ts'

const instant = fc.date({
  min: new Date('2023-12-01'),
  max: new Date('2033-01-01'),
  noInvalidDate: true,
})
/** Moments about the ends of months, where two anchors an hour apart count months differently. */
const monthEnd = fc
  .tuple(fc.integer({ min: 0, max: 107 }), fc.integer({ min: -96, max: 96 }))
  .map(([month, hours]) => new Date(Date.UTC(2024, month + 1, 0, 12) + hours * 3_600_000))
const moment = fc.oneof(instant, monthEnd)
const length = fc.constantFrom<BillingPeriod>('month', 'year')

type Paid = Pick<Membership, 'anchor' | 'months' | 'billingPeriod'>

/** One period after the other: renewed by the agreement, paid by hand at any length, or missed for some months. */
type Step = { by: 'agreement' | 'hand'; hand: BillingPeriod; late: number }
const step = fc.record<Step>({
  by: fc.constantFrom('agreement', 'agreement', 'agreement', 'hand'),
  hand: length,
  late: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 900 })),
})

const life = fc.record({
  subscribedAt: moment,
  first: length,
  renewed: length,
  firstMonth: fc.integer({ min: 0, max: 30 }),
  steps: fc.array(step, { minLength: 1, maxLength: 30 }),
})

// An intent on the evening of the 30th and a subscription on the morning of the 31st gave two periods one number: the second
// was never charged, and the membership stayed ACTIVE for ever.
test('each period that an agreement pays has its own number, and the number gives the period back', () => {
  fc.assert(
    fc.property(life, ({ subscribedAt, first, renewed, firstMonth, steps }) => {
      let paid: Paid = { anchor: subscribedAt, months: 0, billingPeriod: first }
      const before = firstMonth > monthsOf(first) ? 0 : firstMonth
      const agreement = { firstMonth: before, periodMonths: monthsOf(renewed) }
      const numbers: number[] = []
      for (const { by, hand, late } of steps) {
        const billingPeriod = by === 'hand' ? hand : renewed
        const end = periodStart(
          paid.anchor,
          { months: 1 },
          paid.months + monthsOf(paid.billingPeriod) + 1,
        )
        const at = new Date(end.getTime() + late * 86_400_000)
        const next = nextPeriod(paid as Membership, billingPeriod, at)
        expect(next.start.getTime()).toBeGreaterThanOrEqual(end.getTime())
        expect(next.end.getTime()).toBeGreaterThan(at.getTime())
        expect(periodAt(subscribedAt, { months: 1 }, next.start) - 1).toBe(next.months)
        if (by === 'agreement') numbers.push(numberOf(agreement, next))
        paid = { anchor: next.anchor, months: next.months, billingPeriod }
      }
      expect(numbers.every((one, i) => one > (numbers[i - 1] ?? 0))).toBe(true)
    }),
    { numRuns: 500 },
  )
})
