import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FREQUENCIES } from '../read/constraints.ts'
import {
  nextPeriodStart,
  periodOf,
  periodStart,
  recurrenceRefusal,
  usageRefusal,
} from './recurrence.ts'

const date = (text: string): Date => new Date(text)
const codeAt = (
  recurrence: (typeof FREQUENCIES)[number],
  firstAt: string,
  lastAt: string,
  at: string,
): string =>
  recurrenceRefusal(
    { uses: 1, spent: 0n, firstAt: date(firstAt), lastAt: date(lastAt) },
    { recurrence },
    date(at),
  )?.code ?? 'ok'

test.each([
  ['DAILY', '2026-01-01T10:00:00Z', '2026-01-02T09:59:59Z', 'mandate_too_early'],
  ['DAILY', '2026-01-01T10:00:00Z', '2026-01-02T10:00:00Z', 'ok'],
  ['WEEKLY', '2026-01-01T10:00:00Z', '2026-01-08T09:59:59Z', 'mandate_too_early'],
  ['WEEKLY', '2026-01-01T10:00:00Z', '2026-01-08T10:00:00Z', 'ok'],
  ['BIWEEKLY', '2026-01-01T10:00:00Z', '2026-01-15T09:59:59Z', 'mandate_too_early'],
  ['BIWEEKLY', '2026-01-01T10:00:00Z', '2026-01-15T10:00:00Z', 'ok'],
  ['MONTHLY', '2026-01-31T10:00:00Z', '2026-02-28T09:59:59Z', 'mandate_too_early'],
  ['MONTHLY', '2026-01-31T10:00:00Z', '2026-02-28T10:00:00Z', 'ok'],
  ['QUARTERLY', '2025-11-30T10:00:00Z', '2026-02-28T09:59:59Z', 'mandate_too_early'],
  ['QUARTERLY', '2025-11-30T10:00:00Z', '2026-02-28T10:00:00Z', 'ok'],
  ['ANNUALLY', '2024-02-29T10:00:00Z', '2025-02-28T09:59:59Z', 'mandate_too_early'],
  ['ANNUALLY', '2024-02-29T10:00:00Z', '2025-02-28T10:00:00Z', 'ok'],
  ['ON_DEMAND', '2026-01-01T10:00:00Z', '2026-01-01T10:00:00Z', 'ok'],
] as const)('%s after a first payment at %s: at %s it is %s', (frequency, first, at, code) => {
  expect(codeAt(frequency, first, first, at)).toBe(code)
})

test('a clamped month does not shorten the ones after it: the anchor stays the 31st', () => {
  expect(
    codeAt('MONTHLY', '2026-01-31T10:00:00Z', '2026-02-28T10:00:00Z', '2026-03-28T10:00:00Z'),
  ).toBe('mandate_too_early')
  expect(
    codeAt('MONTHLY', '2026-01-31T10:00:00Z', '2026-02-28T10:00:00Z', '2026-03-31T10:00:00Z'),
  ).toBe('ok')
})

test('late in one period, then early in the next, is one payment in each; a missed period gives none', () => {
  const [first, late] = ['2026-01-01T00:00:00Z', '2026-01-31T23:00:00Z']
  expect(codeAt('MONTHLY', first, late, '2026-02-01T00:00:00Z')).toBe('ok')
  expect(codeAt('MONTHLY', first, '2026-04-02T00:00:00Z', '2026-04-03T00:00:00Z')).toBe(
    'mandate_too_early',
  )
})

test('occurrences, budget and single use', () => {
  const at = date('2026-01-01T00:00:00Z')
  const rules = { openId: 'o', singleUse: false, budgetMax: 100n, maxOccurrences: 2 }
  const usage = { uses: 1, spent: 60n, firstAt: at, lastAt: at }
  expect(usageRefusal(usage, rules, 40n, at)).toBeUndefined()
  expect(usageRefusal(usage, rules, 41n, at)?.code).toBe('mandate_budget_exceeded')
  expect(usageRefusal({ ...usage, uses: 2 }, rules, 1n, at)?.code).toBe(
    'mandate_occurrences_exceeded',
  )
  const once = { openId: 'o', singleUse: true }
  expect(usageRefusal({ uses: 0, spent: 0n }, once, 1n, at)).toBeUndefined()
  expect(usageRefusal(usage, once, 1n, at)?.code).toBe('mandate_already_used')
})

const periodic = FREQUENCIES.filter((one) => one !== 'ON_DEMAND')
const instant = fc.date({ min: date('2000-01-01'), max: date('2090-01-01'), noInvalidDate: true })

test('every instant lies in exactly one period, and the next one begins after it', () => {
  fc.assert(
    fc.property(instant, instant, fc.constantFrom(...periodic), (anchor, at, frequency) => {
      const index = periodOf(anchor, frequency, at)
      const start = periodStart(anchor, frequency, index)
      const end = periodStart(anchor, frequency, index + 1)
      expect(start.getTime()).toBeLessThanOrEqual(at.getTime())
      expect(at.getTime()).toBeLessThan(end.getTime())
      const usage = { uses: 1, spent: 0n, firstAt: anchor, lastAt: at }
      expect(nextPeriodStart(usage, frequency)).toEqual(end)
    }),
  )
})
