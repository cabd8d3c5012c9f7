import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Cadence, nominalDays, periodAt, periodStart } from './periods.ts'

const date = (text: string): Date => new Date(text)
const startsFrom = (anchor: string, cadence: Cadence, count: number): string[] =>
  Array.from({ length: count }, (_, i) =>
    periodStart(date(anchor), cadence, i + 1)
      .toISOString()
      .slice(0, 10),
  )

test('a month without the 31st gives its last day, and the next month has its 31st again', () => {
  expect(startsFrom('2027-12-31T10:00:00Z', { months: 1 }, 6)).toEqual([
    '2027-12-31',
    '2028-01-31',
    '2028-02-29',
    '2028-03-31',
    '2028-04-30',
    '2028-05-31',
  ])
  expect(startsFrom('2026-11-30T00:00:00Z', { months: 3 }, 3)).toEqual([
    '2026-11-30',
    '2027-02-28',
    '2027-05-30',
  ])
})

test('a year from 29 February ends on the 28th, but for leap years', () => {
  expect(startsFrom('2024-02-29T12:00:00Z', { months: 12 }, 5)).toEqual([
    '2024-02-29',
    '2025-02-28',
    '2026-02-28',
    '2027-02-28',
    '2028-02-29',
  ])
})

// A change to summer time in the machine's zone must not move a period by an hour.
test('days are 24 hours and months keep the time of day', () => {
  for (const n of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]) {
    const month = periodStart(date('2026-01-15T02:30:00.123Z'), { months: 1 }, n)
    expect(month.toISOString().slice(10)).toBe('T02:30:00.123Z')
    const week = periodStart(date('2026-01-15T02:30:00.123Z'), { days: 7 }, n * 5)
    expect(week.toISOString().slice(10)).toBe('T02:30:00.123Z')
  }
})

const instant = fc.date({ min: date('2000-01-01'), max: date('2090-01-01'), noInvalidDate: true })
const cadence = fc.oneof(
  fc.integer({ min: 1, max: 366 }).map((days): Cadence => ({ days })),
  fc.integer({ min: 1, max: 12 }).map((months): Cadence => ({ months })),
)

test('every instant is in exactly one period, and periods follow each other', () => {
  fc.assert(
    fc.property(instant, instant, cadence, (anchor, at, every) => {
      const n = periodAt(anchor, every, at)
      const [start, end] = [periodStart(anchor, every, n), periodStart(anchor, every, n + 1)]
      expect(start.getTime()).toBeLessThanOrEqual(at.getTime())
      expect(at.getTime()).toBeLessThan(end.getTime())
      expect(periodAt(anchor, every, anchor)).toBe(1)
      expect(periodAt(anchor, every, start)).toBe(n)
      expect(periodAt(anchor, every, new Date(end.getTime() - 1))).toBe(n)
      expect(periodAt(anchor, every, end)).toBe(n + 1)
    }),
  )
})

test("the day of a month is the anchor's, or the last of its month", () => {
  fc.assert(
    fc.property(
      instant,
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 500 }),
      (anchor, months, n) => {
        const start = periodStart(anchor, { months }, n)
        const nextDay = new Date(start.getTime() + 86_400_000)
        const isLast = nextDay.getUTCMonth() !== start.getUTCMonth()
        expect(
          start.getUTCDate() === anchor.getUTCDate() ||
            (isLast && start.getUTCDate() < anchor.getUTCDate()),
        ).toBe(true)
        const passed =
          (start.getUTCFullYear() - anchor.getUTCFullYear()) * 12 +
          start.getUTCMonth() -
          anchor.getUTCMonth()
        expect(passed).toBe((n - 1) * months)
      },
    ),
  )
})

test('a length is shown in days', () => {
  expect([{ days: 7 }, { months: 1 }, { months: 3 }, { months: 12 }].map(nominalDays)).toEqual([
    7, 30, 90, 365,
  ])
})
