import { afterEach, expect, test } from 'vitest'
import { dayOf, startOf } from './days.ts'

const before = process.env.TZ
afterEach(() => {
  if (before === undefined) delete process.env.TZ
  else process.env.TZ = before
})

test.each(['Pacific/Kiritimati', 'America/Los_Angeles', 'UTC', 'Asia/Kolkata'])(
  'the day of a time begins no later than it, in %s',
  (zone) => {
    process.env.TZ = zone
    for (let hour = 0; hour < 24; hour++) {
      const at = `2026-11-28T${String(hour).padStart(2, '0')}:30:00.000Z`
      const day = dayOf(at)
      expect(startOf(day) <= at, `${day} begins at ${startOf(day)}`).toBe(true)
      expect(at < startOf(day, 1)).toBe(true)
    }
  },
)
