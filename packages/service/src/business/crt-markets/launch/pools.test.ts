import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  accountWhoseToken,
  type MarketKit,
  marketKit,
  pathOf,
} from '../../../../test/actors/markets/market-kit.ts'
import { freshAccount } from '../../../../test/world/chain.ts'
import { type World, world } from '../../../../test/world.ts'
import { sql } from '../../../base/db/sql.ts'
import { poolIdOf } from '../../../base/protocols/uniswap/pool-key.ts'
import { DEV_SWAP_ROUTER } from '../../../run/embedded/dev/markets.ts'

let w: World
let kit: MarketKit
beforeAll(async () => {
  w = await world()
  kit = marketKit(w)
})
afterAll(() => w[Symbol.asyncDispose]())

/** A prepared launch, and ticks at which its token would start dearer and cheaper than asked. */
async function prepared(order: 'first' | 'second') {
  const user = await w.user({ account: accountWhoseToken(w, order) })
  const card = await user.card()
  const launch = await kit.prepare(user, card)
  const { rows } = await sql<{ startTick: number }>`select start_tick from crt_markets
    where card_id = ${card.id}`.execute(w.db.reader)
  const { startTick } = rows[0]!
  const up = order === 'first' ? 20_000 : -20_000
  const key = kit.keyOf(launch)
  return { user, card, launch, key, dearer: startTick + up, cheaper: startTick - up }
}

test.each(['first', 'second'] as const)(
  'a pool that somebody made before is seen, and another is chosen (token %s)',
  async (order) => {
    const { user, card, key, launch, dearer } = await prepared(order)
    await kit.occupy(await freshAccount(), key, dearer)
    const again = await user.post(pathOf(card, '/prepare'), {
      ...{ symbol: 'ACME', name: 'Acme', supply: 1_000, keep_bps: 0, start_price: 1 },
    })
    expect(again.body.note).toMatch(/Somebody has made the usual pool/)
    expect(again.body.token).toBe(launch.token)
    expect(again.body.pool_id).not.toBe(launch.pool_id)
    const hashes = await kit.sendAll(user, again.body)
    await w.safe()
    expect((await kit.confirm(user, card, hashes)).status).toBe(200)
  },
)

test.each(['first', 'second'] as const)(
  'a pool made at a higher price after the preparation takes no USDC: the listing reverts (token %s)',
  async (order) => {
    const { user, card, key, launch, dearer } = await prepared(order)
    await kit.occupy(await freshAccount(), key, dearer)
    const usdc = w.chain.asset.contract
    const before = await kit.balanceOf(usdc, user.account.address)
    const hashes = await kit.sendAll(user, launch)
    await w.safe()
    const reply = await kit.confirm(user, card, hashes)
    expect([reply.status, reply.body.code]).toEqual([422, 'transaction_reverted'])
    expect(await kit.balanceOf(usdc, user.account.address)).toBe(before)
    const again = await kit.prepare(user, card)
    const next = await kit.sendAll(user, again)
    await w.safe()
    expect((await kit.confirm(user, card, next)).status).toBe(200)
  },
)

// A hook may take what it likes of each swap. This one, without code, stands for any: its address alone asks for calls.
const HOOK = `0x${'0'.repeat(38)}80` as const

test('a listing in a pool with hooks is none, and such a pool beside ours changes no price', async () => {
  const { user, card, key, launch } = await prepared('first')
  const word = (value: number) => value.toString(16).padStart(64, '0')
  const plain = `${word(key.fee)}${word(key.tickSpacing)}${word(0)}`
  const [list] = launch.transactions.slice(-1)
  expect(list!.data.split(plain)).toHaveLength(3)
  const data = list!.data.replaceAll(plain, `${plain.slice(0, -2)}80`) as `0x${string}`
  const other = await prepared('second')
  await kit.occupy(await freshAccount(), { ...other.key, hooks: HOOK }, other.dearer)

  const steps = [...launch.transactions.slice(0, -1), { ...list!, data }]
  const hashes = await kit.sendAll(user, { ...launch, transactions: steps })
  await w.safe()
  const reply = await kit.confirm(user, card, hashes)
  expect([reply.status, reply.body.code]).toEqual([422, 'listing_mismatch'])
  expect((await w.call('GET', `/api/crt-markets/${launch.token}`)).status).toBe(404)
  expect(poolIdOf({ ...key, hooks: HOOK })).not.toBe(launch.pool_id)

  const own = await kit.sendAll(other.user, other.launch)
  await w.safe()
  expect((await kit.confirm(other.user, other.card, own)).status).toBe(200)
  const { body } = await w.call('GET', `/api/crt-markets/${other.launch.token}`)
  expect(body.spot.value).toBeLessThan(0.00102 + 1e-9)
})

test.each(['first', 'second'] as const)(
  'a pool made at a lower price after the preparation changes nothing: the first buyer pays the start (token %s)',
  async (order) => {
    const { user, card, key, launch, cheaper } = await prepared(order)
    await kit.occupy(await freshAccount(), key, cheaper)
    const hashes = await kit.sendAll(user, launch)
    await w.safe()
    const reply = await kit.confirm(user, card, hashes)
    expect([reply.status, reply.body.code ?? '']).toEqual([200, ''])
    const buy = async (token: typeof launch.token, data: `0x${string}`) => {
      const trader = await kit.trader(token)
      await kit.send(trader, { to: DEV_SWAP_ROUTER, data })
      return kit.balanceOf(token, trader.address)
    }
    const usdc = w.chain.asset.contract
    const got = await buy(launch.token, kit.swapData(key, { in: usdc, amount: 1_000_000n }))
    const undisturbed = await prepared(order)
    const own = await kit.sendAll(undisturbed.user, undisturbed.launch)
    await w.safe()
    expect((await kit.confirm(undisturbed.user, undisturbed.card, own)).status).toBe(200)
    const { launch: other, key: otherKey } = undisturbed
    const usual = await buy(other.token, kit.swapData(otherKey, { in: usdc, amount: 1_000_000n }))
    expect(got).toBe(usual)
  },
)
