import { stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { followedClock, within } from './clock.ts'

const HOUR = 3_600_000

/** A machine with a clock that is set, beside a database whose clock is right. */
function machine(aheadMs: number) {
  const state = { trueMs: 1_000_000_000_000, aheadMs, databaseAheadMs: 0 }
  const clock = followedClock(
    () => state.trueMs + state.aheadMs,
    () => state.trueMs,
  )
  const compare = (tookMs = 0) =>
    clock.compare(async () => {
      const answer = state.trueMs + tookMs / 2 + state.databaseAheadMs
      state.trueMs += tookMs
      return answer
    })
  const apart = () => clock.now().getTime() - state.trueMs - state.databaseAheadMs
  return { state, clock, compare, apart }
}

// Timers are called before sockets are read.
test('an answer that came while the process was held up is in time', async () => {
  const answer = within<unknown>(stat('/'), 20, () => 'late')
  const end = performance.now() + 200
  while (performance.now() < end);
  expect(await answer).not.toBe('late')
})

test.each([
  ['ahead', HOUR],
  ['behind', -HOUR],
  ['ahead by little', 40],
])('a machine whose clock is %s goes by the database', async (_, aheadMs) => {
  const { clock, compare, apart } = machine(aheadMs)
  await compare()
  expect(Math.abs(apart())).toBeLessThanOrEqual(1)
  expect(Math.abs(clock.aheadMs() - aheadMs)).toBeLessThanOrEqual(1)
})

// Otherwise each slow answer would move the time of a machine that is right.
test('two clocks that agree stay one, however slowly the database answers', async () => {
  const { clock, compare, apart } = machine(0)
  for (const tookMs of [0, 5, 4_000]) await compare(tookMs)
  expect([apart(), clock.aheadMs()]).toEqual([0, 0])
})

test('a clock that is set goes on steadily until it is compared, ahead and back', async () => {
  const { state, compare, apart } = machine(0)
  await compare()
  for (const aheadMs of [HOUR, 0, -HOUR]) {
    state.aheadMs = aheadMs
    state.trueMs += 60_000
    expect(Math.abs(apart())).toBeLessThanOrEqual(1)
    await compare()
    expect(Math.abs(apart())).toBeLessThanOrEqual(1)
  }
})

test('where the clock of the database is set the machine follows it', async () => {
  const { state, clock, compare, apart } = machine(0)
  await compare()
  state.databaseAheadMs = HOUR
  await compare()
  expect(Math.abs(apart())).toBeLessThanOrEqual(1)
  expect(Math.abs(clock.aheadMs() + HOUR)).toBeLessThanOrEqual(1)
})
