import { expect, test } from 'vitest'
import { takeTurns } from './turns.ts'

/** A lane's turns beside so many writers, on a clock that stands until it is moved. */
function turnsBeside(writers: number) {
  let now = 1_000
  let wrote = 0
  const crowd = {
    size: () => writers,
    wrote: () => {
      wrote++
    },
  }
  const turns = takeTurns(crowd, () => now)
  return {
    turns,
    wrote: () => wrote,
    write(ms: number) {
      turns.begin()
      now += ms
      turns.end()
    },
    pass(ms: number) {
      now += ms
    },
  }
}

test('a lane alone never waits', () => {
  const { turns, write } = turnsBeside(1)
  expect(turns.waitMs(1)).toBe(0)
  write(5)
  expect(turns.waitMs(1)).toBe(0)
})

test('beside two other writers it leaves the database to them for as long as their batches take', () => {
  const { turns, write, pass, wrote } = turnsBeside(3)
  expect(turns.waitMs(1)).toBe(0)
  write(4)
  expect(turns.waitMs(1)).toBe(8)
  pass(5)
  expect(turns.waitMs(20)).toBe(3)
  pass(3)
  expect(turns.waitMs(1)).toBe(0)
  expect(wrote()).toBe(1)
})

test('a batch that is large enough does not wait, and none waits longer than 20 ms', () => {
  const { turns, write } = turnsBeside(30)
  write(50)
  expect(turns.waitMs(64)).toBe(0)
  expect(turns.waitMs(63)).toBe(20)
})
