import { expect, test } from 'vitest'
import { daysUntil, inWeeks } from './days.ts'

const until = (day: string, count: number) => daysUntil(new Date(day), count)

test('days are split into whole weeks, and what is left on both sides', () => {
  expect(inWeeks(until('2026-11-24T23:59:59Z', 20), '2020-01-06')).toEqual({
    weeks: ['2026-11-09', '2026-11-16'],
    days: [...until('2026-11-08', 4), '2026-11-23', '2026-11-24'],
  })
  expect(inWeeks(until('2026-11-22', 7), '2020-01-06')).toEqual({ weeks: ['2026-11-16'], days: [] })
})

test('weeks up to the first that counts stay days', () => {
  const days = until('2026-11-22', 21)
  expect(inWeeks(days, '2026-11-09')).toEqual({ weeks: ['2026-11-16'], days: days.slice(0, 14) })
  expect(inWeeks(days, null)).toEqual({ weeks: [], days })
})

test('a week of which a day is missing is days, at both ends', () => {
  const days = until('2026-11-21', 12)
  expect(inWeeks(days, '2020-01-06')).toEqual({ weeks: [], days })
})
