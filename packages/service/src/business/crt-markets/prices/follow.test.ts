import type { Address, PrivateKeyAccount } from 'viem'
import { expect, test } from 'vitest'
import { type MarketKit, marketKit, TOKEN } from '../../../../test/actors/markets/market-kit.ts'
import { type OwnWorld, ownWorld, SAFE_BLOCKS } from '../../../../test/chain-faults/own-world.ts'
import { DEV_SWAP_ROUTER } from '../../../run/embedded/dev/markets.ts'
import { readTokenPrices } from './average.ts'
import { followPool } from './jobs.ts'

type Market = Awaited<ReturnType<typeof listed>>

/** A live market on a chain of its own, and a trader. */
async function listed(own: OwnWorld) {
  const { w } = own
  const kit = marketKit(w)
  const user = await w.user()
  const card = await user.card()
  const prepared = await kit.prepare(user, card, { keep_bps: 0 })
  const hashes = await kit.sendAll(user, prepared)
  await own.blocks(SAFE_BLOCKS)
  const reply = await kit.confirm(user, card, hashes)
  if (reply.status !== 200) throw new Error(reply.text)
  const trader = await kit.trader(prepared.token, 100_000n)
  return { kit, prepared, trader, token: prepared.token, poolId: prepared.pool_id }
}

const nonceOf = async ({ w }: OwnWorld, { address }: PrivateKeyAccount) =>
  w.chain.rpc.getTransactionCount({ address })

/** Swaps that share one block. The tokens of the first go back with the second. */
async function inOneBlock(own: OwnWorld, m: Market, swaps: { in: Address; amount: bigint }[]) {
  const first = await nonceOf(own, m.trader)
  for (const [i, swap] of swaps.entries()) {
    const data = m.kit.swapData(m.kit.keyOf(m.prepared), swap)
    await m.kit.submit(m.trader, { to: DEV_SWAP_ROUTER, data, nonce: first + i })
  }
  await own.blocks(1)
}

async function pass(own: OwnWorld, seconds: number): Promise<void> {
  await own.call('evm_increaseTime', seconds)
  await own.blocks(1)
}

async function followed({ w, blocks }: OwnWorld, { poolId, token }: Market) {
  await blocks(SAFE_BLOCKS)
  await followPool(w.services, w.now(), poolId)
  const { network } = w.chain
  const prices = await readTokenPrices(w.db.reader, { network, tokens: [token] })
  return prices.get(token)!
}

const ratio = (a: bigint, b: bigint): number => Number((a * 1_000_000n) / b) / 1_000_000

test('a price that stands for one block hardly moves the average, and one that comes and goes within it not at all', async () => {
  await using own = await ownWorld()
  const m = await listed(own)
  const usdc = own.w.chain.asset.contract
  await pass(own, 3_600)
  const before = await followed(own, m)

  // Up to a hundred times the price and back, in one block.
  const quoted = await own.w.call('GET', `/api/crt-markets/${m.token}/quote?side=buy&amount=9000`)
  await inOneBlock(own, m, [
    { in: usdc, amount: 9_000_000_000n },
    { in: m.token, amount: BigInt(quoted.body.amount_out_atomic) },
  ])
  expect(await m.kit.balanceOf(m.token, m.trader.address)).toBe(0n)
  await pass(own, 60)
  const within = await followed(own, m)
  expect(ratio(within.price, before.price)).toBeLessThan(1.02)

  // The same for one block of two seconds.
  const calm = await followed(own, m)
  await inOneBlock(own, m, [{ in: usdc, amount: 9_000_000_000n }])
  const high = await m.kit.balanceOf(m.token, m.trader.address)
  await pass(own, 2)
  await inOneBlock(own, m, [{ in: m.token, amount: high - TOKEN }])
  await pass(own, 1)
  const after = await followed(own, m)
  expect(ratio(after.price, calm.price)).toBeLessThan(1.05)

  // A price that stays does count, once it has stood for the whole time.
  await inOneBlock(own, m, [{ in: usdc, amount: 9_000_000_000n }])
  await pass(own, 3_600)
  const stayed = await followed(own, m)
  expect(ratio(stayed.price, after.price)).toBeGreaterThan(50)
})

test('a swap counts once, at the safe block, and one that a reorganization takes never', async () => {
  await using own = await ownWorld()
  const m = await listed(own)
  const { w } = own
  const usdc = w.chain.asset.contract
  const candles = async () => {
    await w.advance(3)
    const { body } = await w.call('GET', `/api/crt-markets/${m.token}?interval=1d`)
    return body.candles.map(({ swaps, volume }: any) => [swaps, volume])
  }
  await inOneBlock(own, m, [{ in: usdc, amount: 1_000_000n }])
  await followPool(w.services, w.now(), m.poolId)
  expect(await candles()).toEqual([])
  await own.reorg(1)
  await own.blocks(SAFE_BLOCKS)
  await followPool(w.services, w.now(), m.poolId)
  expect(await candles()).toEqual([])
  await inOneBlock(own, m, [{ in: usdc, amount: 2_000_000n }])
  await own.blocks(SAFE_BLOCKS)
  await Promise.all(Array.from({ length: 8 }, () => followPool(w.services, w.now(), m.poolId)))
  await followPool(w.services, w.now(), m.poolId)
  expect(await candles()).toEqual([[1, 2]])
})

test('a launch that a reorganization takes is not confirmed, and is once it is mined again', async () => {
  await using own = await ownWorld()
  const { w } = own
  const kit: MarketKit = marketKit(w)
  const user = await w.user()
  const card = await user.card()
  const prepared = await kit.prepare(user, card, { keep_bps: 0 })
  const hashes = await kit.sendAll(user, prepared)
  const early = await kit.confirm(user, card, hashes)
  expect([early.status, early.body.code]).toEqual([409, 'transaction_pending'])
  expect(early.headers['retry-after']).toBe('2')
  // The listing alone: what is safe stays.
  await own.reorg(SAFE_BLOCKS - 1)
  const gone = await kit.confirm(user, card, hashes)
  expect([gone.status, gone.body.code]).toEqual([404, 'transaction_not_found'])
  const left = Number(await nonceOf(own, user.account)) - prepared.nonce
  const rest = { nonce: prepared.nonce + left, transactions: prepared.transactions.slice(left) }
  const again = await kit.sendAll(user, { ...prepared, ...rest })
  await own.blocks(SAFE_BLOCKS)
  expect((await kit.confirm(user, card, { ...hashes, ...again })).status).toBe(200)
})
