import { availableParallelism } from 'node:os'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { until } from '../../../test/until.ts'
import { createLoadMeter, createSpareCore, type Load } from './spare-core.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('work leaves a busy thread for a free core, stays while that lasts, and is judged once a second', () => {
  let load: Load = { busy: 0.95, idleCores: 0.9 }
  let readings = 0
  const isSpare = createSpareCore(() => {
    readings++
    return load
  })
  const nextSecond = (next: Load) => {
    load = next
    vi.advanceTimersByTime(1_000)
    return isSpare()
  }
  expect(isSpare()).toBe(false)
  expect(readings).toBe(0)
  expect(nextSecond({ busy: 0.79, idleCores: 0.9 })).toBe(false)
  expect(nextSecond({ busy: 0.95, idleCores: 0.3 })).toBe(false)
  expect(nextSecond({ busy: 0.81, idleCores: 0.5 })).toBe(true)
  for (let i = 0; i < 100; i++) expect(isSpare()).toBe(true)
  expect(readings).toBe(3)
  // The work that left has relieved the thread and filled the core.
  expect(nextSecond({ busy: 0.6, idleCores: 0.2 })).toBe(true)
  expect(nextSecond({ busy: 0.6, idleCores: 0.05 })).toBe(false)
  expect(nextSecond({ busy: 0.9, idleCores: 0.2 })).toBe(false)
  expect(nextSecond({ busy: 0.9, idleCores: 0.5 })).toBe(true)
  expect(nextSecond({ busy: 0.4, idleCores: 0.9 })).toBe(false)
})

test('a thread that works without a pause is busy, and no more cores are idle than there are besides it', async () => {
  vi.useRealTimers()
  const read = createLoadMeter()
  const end = performance.now() + 60
  while (performance.now() < end) Math.sqrt(end)
  const { busy, idleCores } = read()
  expect(busy).toBeGreaterThan(0.9)
  expect(idleCores).toBeGreaterThanOrEqual(0)
  expect(idleCores).toBeLessThanOrEqual(availableParallelism() - 1)
  // Files that share the process may keep it busy for a while.
  await until(
    () => read().busy,
    (now) => now < busy,
    { everyMs: 120 },
  )
})
