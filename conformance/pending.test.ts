import { expect, test } from 'vitest'
import { ownWorld } from '../packages/service/test/chain-faults/own-world.ts'
import { TILLS } from './failures.ts'
import { openTill } from './parties/tills.ts'

/** Longer than any request of ours waits for a block. */
const TEST_MS = 900_000

// This chain makes blocks only on request, so no request can see the end of its payment.
test('a payment that no block takes in time is reported as pending, and settles once when one does', {
  timeout: TEST_MS,
}, async () => {
  await using own = await ownWorld()
  const { w, rpcUrl } = own
  const place = { baseUrl: await w.listen(), rpcUrl, seller: await w.user({ treasury: 10 }) }
  const shown = await Promise.all(
    TILLS.map(async (name) => {
      const till = await openTill[name](place)
      return { name, till, signed: await till.sign(await own.payer()) }
    }),
  )
  for (const { name, answer } of await Promise.all(
    shown.map(async ({ name, till, signed }) => ({ name, answer: await till.present(signed) })),
  ))
    expect(answer, name).toMatchObject({ outcome: 'pending' })
  for (const { till, signed } of shown) {
    await own.blocks(1)
    const answer = await own.during(till.present(signed))
    expect(answer.outcome).toBe('settled')
    expect((await till.present(signed)).outcome).not.toBe('pending')
    await till.expectPaid(1)
  }
  expect(await w.faults()).toEqual([])
})
