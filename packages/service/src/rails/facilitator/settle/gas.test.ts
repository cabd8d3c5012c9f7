import { expect, test } from 'vitest'
import { ask, PRICE, settle, shop } from '../../../../test/actors/facilitator-kit.ts'
import { carriedBy } from '../../../../test/relay/gas-kit.ts'
import { freshAccount } from '../../../../test/world/chain.ts'
import { world } from '../../../../test/world.ts'

// Each authorization is good alone, so that no question about one of them shows that the others take its money.
test('200 authorizations over a balance that covers one cost the relayers one transaction', async () => {
  await using w = await world()
  const { seller, payTo, paid } = await shop(w)
  const payer = await freshAccount({ usdc: PRICE })
  const bodies = await Promise.all(Array.from({ length: 200 }, () => ask(payer, payTo)))
  const carried = await carriedBy(w)
  const replies = await Promise.all(bodies.map((body) => settle(seller, body)))
  expect(replies.filter(({ body }) => body.success)).toHaveLength(1)
  expect(await paid()).toBe(PRICE)
  expect(await carried()).toEqual({ transactions: 1, failed: 0 })
})
