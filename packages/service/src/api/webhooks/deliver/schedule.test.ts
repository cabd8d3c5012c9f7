import { expect, test } from 'vitest'
import { addSeconds } from '../../../base/kernel/clock.ts'
import { type Health, healthAfter, isFailing, nextAttemptAt } from './schedule.ts'

const AT = new Date('2026-07-16T12:00:00Z')
const WELL: Health = { failures: 0, failingSince: null, breakerStep: 0, breakerUntil: null }
const secondsTo = (date: Date | null | undefined): number =>
  ((date?.getTime() ?? Number.NaN) - AT.getTime()) / 1000

test('nine retries are spread by a fifth around the schedule, and there is no eleventh attempt', () => {
  const delays = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
  for (const [i, delay] of delays.entries()) {
    const found = Array.from({ length: 200 }, (_, n) =>
      secondsTo(nextAttemptAt(AT, { key: `wh_${n}`, step: i + 1, retryAfterSeconds: null })),
    )
    expect(Math.min(...found)).toBeGreaterThanOrEqual(delay * 0.8)
    expect(Math.max(...found)).toBeLessThanOrEqual(delay * 1.2)
    expect(Math.max(...found) - Math.min(...found)).toBeGreaterThan(delay * 0.3)
  }
  expect(nextAttemptAt(AT, { key: 'x', step: 10, retryAfterSeconds: null })).toBeUndefined()
})

test('Retry-After delays further, never less, and a day at most', () => {
  const after = (retryAfterSeconds: number) =>
    secondsTo(nextAttemptAt(AT, { key: 'x', step: 1, retryAfterSeconds }))
  expect(after(60)).toBe(60)
  expect(after(0)).toBeGreaterThanOrEqual(4)
  expect(after(10_000_000)).toBe(86_400)
})

test('after five failures there is one probe at a time, after 30 s, doubling to 15 min', () => {
  let health = WELL
  const waits: number[] = []
  for (let i = 1; i <= 12; i++) {
    health = healthAfter(health, { kind: 'failed', at: AT, isProbe: i > 5 })
    waits.push(health.breakerUntil ? secondsTo(health.breakerUntil) : 0)
  }
  expect(waits).toEqual([0, 0, 0, 0, 30, 60, 120, 240, 480, 900, 900, 900])
  // Requests that were under way when it opened do not count as probes.
  const opened = { ...WELL, failures: 5, failingSince: AT, breakerUntil: addSeconds(AT, 30) }
  const later = healthAfter(opened, { kind: 'failed', at: AT, isProbe: false })
  expect([later.failures, secondsTo(later.breakerUntil)]).toEqual([6, 30])
  expect(healthAfter(health, { kind: 'delivered', at: AT, isProbe: true })).toEqual(WELL)
})

test('an endpoint fails for good after ten failures and five days, not after either alone', () => {
  const day = 86_400
  const health = (failures: number, seconds: number) => ({
    ...WELL,
    failures,
    failingSince: addSeconds(AT, -seconds),
  })
  expect(isFailing(health(10, 5 * day), AT)).toBe(true)
  expect(isFailing(health(9, 50 * day), AT)).toBe(false)
  expect(isFailing(health(500, 5 * day - 1), AT)).toBe(false)
  expect(isFailing(WELL, AT)).toBe(false)
})
