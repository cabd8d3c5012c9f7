import { expect, test } from 'vitest'
import { freshAccount } from '../../test/chain.ts'
import { type World, world } from '../../test/world.ts'
import { compareCustody } from './compare.ts'

const compare = async (w: World, isEmbedded = true) => {
  const found = await compareCustody({ db: w.db, chain: w.chain, at: w.now(), isEmbedded })
  if ('why' in found) throw new Error(found.why)
  return found
}

test('money that arrives, waits, is credited or stays nobody’s is explained to the unit at every block', async () => {
  await using w = await world()
  await w.runJobs()
  const u = await w.user({ treasury: 5, usdc: 9 })
  const stranger = await freshAccount({ usdc: 3_000_000n })
  for (const isEmbedded of [true, false]) expect((await compare(w, isEmbedded)).difference).toBe(0n)
  await w.transfer(u.account, w.chain.treasury.address, 2_000_000n)
  await w.transfer(stranger, w.chain.treasury.address, 1_500_000n)
  expect(await compare(w)).toMatchObject({
    difference: 0n,
    awaited: 3_500_000n,
    onChain: 8_500_000n,
  })
  expect((await compare(w, false)).difference).toBe(0n)
  await w.safe()
  await w.runJobs()
  for (const isEmbedded of [true, false])
    expect(await compare(w, isEmbedded)).toMatchObject({
      difference: 0n,
      awaited: 0n,
      owed: 7_000_000n,
      unclaimed: 1_500_000n,
      unclaimedTransfers: 1n,
    })
})
