import { expect, test } from 'vitest'
import { until } from './until.ts'

const counter = () => {
  const state = { looks: 0 }
  return { state, look: () => ++state.looks }
}

test('a wait looks again until an assertion holds or a condition is true, and returns what it saw', async () => {
  const { look } = counter()
  expect(await until(look, (seen) => expect(seen).toBeGreaterThan(2), { everyMs: 1 })).toBe(3)
  expect(await until(look, (seen) => seen === 5, { everyMs: 1 })).toBe(5)
  expect(await until(async () => look() > 6 && 'yes')).toBe('yes')
})

test('a wait that ends in vain says what it saw last, and which assertion failed', async () => {
  const waiting = until(
    () => ({ status: 'PENDING' }),
    ({ status }) => expect(status).toBe('PAID'),
    { everyMs: 1, longestMs: 20 },
  )
  const error: Error = await waiting.then(
    () => new Error('it was so'),
    (failure) => failure,
  )
  expect(error.message).toBe("it was not so within 0.02 s; last seen: { status: 'PENDING' }")
  expect(String(error.cause)).toContain("expected 'PENDING' to be 'PAID'")
})

test('what can never come to be so ends a wait at once: an error of the look, or of the condition', async () => {
  const { state, look } = counter()
  const broken = () => Promise.reject(new Error('it is gone'))
  await expect(until(broken)).rejects.toThrow('it is gone')
  const ended = () => {
    throw new TypeError('it ended')
  }
  await expect(until(look, ended)).rejects.toThrow('it ended')
  expect(state.looks).toBe(1)
})
