import { expect, test } from 'vitest'
import { addSeconds } from '../../../base/kernel/clock.ts'
import { grant } from './grant.ts'
import type { HostRow } from './store.ts'

const AT = new Date('2026-07-16T12:00:00Z')
const row = (provenSecondsAgo: number | null): HostRow => ({
  name: 'a.example',
  provenAt: provenSecondsAgo === null ? null : addSeconds(AT, -provenSecondsAgo),
  nextAt: AT,
})
const day = 86_400

test('a host that has not answered 2xx for a week gets one request in ten seconds', () => {
  for (const proven of [null, 7 * day + 1]) {
    const host = row(proven)
    const took: number[] = []
    for (let second = 0; second < 60; second++)
      if (grant(addSeconds(AT, second), [host], { wanted: 50, rate: 2_000 }).granted > 0)
        took.push(second)
    expect(took).toEqual([0, 10, 20, 30, 40, 50])
  }
})

test('a proven host gets its rate, however often and for how many it is asked', () => {
  const host = row(60)
  let granted = 0
  for (let ms = 0; ms < 10_000; ms += 20)
    granted += grant(new Date(AT.getTime() + ms), [host], { wanted: 300, rate: 1_500 }).granted
  expect(granted).toBeGreaterThan(15_000)
  expect(granted).toBeLessThan(1_500 * 11 + 10)
})

test('a proven name at an unproven address is an unproven host', () => {
  const [name, address] = [row(60), { ...row(null), name: '192.0.2.1' }]
  expect(grant(AT, [name, address], { wanted: 50, rate: 2_000 })).toMatchObject({
    granted: 1,
    isUnproven: true,
    nextAt: addSeconds(AT, 10),
  })
  expect(grant(AT, [name, address], { wanted: 50, rate: 2_000 }).granted).toBe(0)
})
