import { expect, test } from 'vitest'
import { LOOKS_MOST, type Rationed } from '../relay/gas/reserve.ts'
import type { Here } from './follow.ts'
import { type Claimed, over, runTransfer, type Seen } from './run.ts'

/** Nothing here is claimed, so nothing of the service is used. */
const NOWHERE = {} as Here

/** Runs a transfer that sees and claims these in turn, and says what it was asked. */
async function run(seen: Seen<string, string>, claims: Claimed<string>[]) {
  const asked: string[] = []
  const outcome = await runTransfer(NOWHERE, {
    async look() {
      asked.push('look')
      return seen
    },
    async claim(good) {
      asked.push(`claim ${good}`)
      return claims.shift() ?? over('too many claims')
    },
    onRationed: ({ code }) => `rationed: ${code}`,
  })
  return { outcome, asked }
}

const GOOD = { kind: 'good', good: 'it' } as const
const rationed = (code: Rationed['code']): Claimed<string> => ({
  kind: 'rationed',
  rationed: { code, retrySeconds: 1 },
})

test('what the chain would refuse is not claimed', async () => {
  expect(await run(over('refused'), [])).toEqual({ outcome: 'refused', asked: ['look'] })
})

test('a claim that ends at once is the outcome', async () => {
  expect((await run(GOOD, [over('known')])).outcome).toBe('known')
})

// A balance that a block is just changing must be read again before it is claimed against.
test('while the money of the payer is moving it is looked at again, each time before it is claimed', async () => {
  const { outcome, asked } = await run(GOOD, [rationed('stale'), over('claimed')])
  expect(outcome).toBe('claimed')
  expect(asked).toEqual(['look', 'claim it', 'look', 'claim it'])
})

test('it is looked at a few times and no more, and then rationed', async () => {
  const claims = Array.from({ length: LOOKS_MOST + 1 }, () => rationed('funds_in_flight'))
  const { outcome, asked } = await run(GOOD, claims)
  expect(outcome).toBe('rationed: funds_in_flight')
  expect(asked).toHaveLength(2 * LOOKS_MOST)
})

test('a wait that no block ends is not waited for', async () => {
  const { outcome, asked } = await run(GOOD, [rationed('payer_waits'), over('claimed')])
  expect(outcome).toBe('rationed: payer_waits')
  expect(asked).toEqual(['look', 'claim it'])
})
