import type { Address } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  accountWhoseToken,
  type MarketKit,
  marketKit,
  TOKEN,
} from '../../../../test/actors/markets/market-kit.ts'
import { type World, world } from '../../../../test/world.ts'
import { DEV_SWAP_ROUTER } from '../../../run/embedded/dev/markets.ts'

let w: World
let kit: MarketKit
let usdc: Address
beforeAll(async () => {
  w = await world()
  kit = marketKit(w)
  usdc = w.chain.asset.contract
})
afterAll(() => w[Symbol.asyncDispose]())

const quoteOf = (token: string, side: string, amount: number | string) =>
  w.call('GET', `/api/crt-markets/${token}/quote?side=${side}&amount=${amount}`)
const detailOf = (token: string, query = '') => w.call('GET', `/api/crt-markets/${token}${query}`)
/** Answers of the chain are kept for up to two seconds. */
const later = () => w.advance(3)

test.each(['first', 'second'] as const)(
  'a quote is what the next swap pays, to the base unit, if the token sorts %s',
  async (order) => {
    const user = await w.user({ account: accountWhoseToken(w, order) })
    const { token, prepared } = await kit.launch(user)
    const key = kit.keyOf(prepared)
    const trader = await kit.trader(token)
    const swap = async (paid: Address, got: Address, amount: bigint) => {
      const before = await kit.balanceOf(got, trader.address)
      const data = kit.swapData(key, { in: paid, amount })
      await kit.send(trader, { to: DEV_SWAP_ROUTER, data })
      return (await kit.balanceOf(got, trader.address)) - before
    }
    for (const dollars of ['0.000101', '1.5', '321.123456']) {
      await later()
      const { body } = await quoteOf(token, 'buy', dollars)
      const got = await swap(usdc, token, BigInt(body.amount_in_atomic))
      expect([dollars, body.amount_out_atomic]).toEqual([dollars, String(got)])
    }
    await later()
    const { body } = await quoteOf(token, 'sell', '1234.000000000000000001')
    const got = await swap(token, usdc, BigInt(body.amount_in_atomic))
    expect(body).toMatchObject({ side: 'sell', amount_out_atomic: String(got) })
    expect(body.price).toBeCloseTo(Number(got) / 1e6 / 1234, 12)
  },
)

test('swaps make candles, the spot price follows at once and the average slowly', async () => {
  const { token, prepared, market } = await kit.launch(await w.user())
  const trader = await kit.trader(token)
  const fresh = await detailOf(token)
  expect(fresh.status).toBe(200)
  expect(fresh.body).toMatchObject({ chainId: 84532, market, vesting: null, candles: [] })
  const { value: start } = fresh.body.spot
  // The first step of the pool's prices at or above a thousandth of a dollar.
  expect(start).toBeGreaterThanOrEqual(0.001)
  expect(start).toBeLessThan(0.00102 + 1e-9)
  expect(Math.abs(fresh.body.average.value / start - 1)).toBeLessThan(0.0002)

  const buy = async (dollars: bigint) => {
    const data = kit.swapData(kit.keyOf(prepared), { in: usdc, amount: dollars * 1_000_000n })
    await kit.send(trader, { to: DEV_SWAP_ROUTER, data })
  }
  await buy(100n)
  await buy(200n)
  await w.safe()
  await later()
  await w.runJobs()
  const { body } = await detailOf(token, '?interval=1m')
  expect(body.spot.source).toBe('spot')
  expect(body.average.source).toBe('time_weighted')
  // 297 dollars went in, over 900 dollars of tokens at the start: (1 + 0.33)^2.
  expect(body.spot.value / start).toBeGreaterThan(1.7)
  expect(body.average.value / start).toBeLessThan(1.02)
  const sum = (name: string) => body.candles.reduce((all: number, one: any) => all + one[name], 0)
  expect([sum('swaps'), sum('volume')]).toEqual([2, 300])
  expect(body.candles.at(-1).open).toBeCloseTo(start, 12)
  expect(body.candles[0].close).toBeCloseTo(body.spot.value, 12)
  expect(body.liquidity.usdc).toBeCloseTo(297, 3)
  expect(body.liquidity.tokens).toBeLessThan(900_000)
})

test('who holds the liquidity is said, and that the kept part is not locked', async () => {
  const { token, market } = await kit.launch(await w.user())
  const { body } = await detailOf(token)
  expect(body.liquidity).toMatchObject({ held_by: market.creator, held_by_creator: true })
  expect(body.warnings).toEqual([
    "The token is no claim on the card's income.",
    'The creator holds the liquidity, and can take it out of the pool at any time.',
    'The creator has kept 10% of the tokens, and has not shown that they are locked.',
  ])
})

test('a quote for more than the pool can pay, or for nothing, is refused', async () => {
  const { token } = await kit.launch(await w.user())
  for (const [side, amount, status, code] of [
    ['sell', '1', 422, 'quote_unavailable'],
    ['sell', '1000001', 400, 'invalid_amount'],
    ['buy', '0', 400, 'invalid_amount'],
    ['buy', '0.0000001', 400, 'invalid_amount'],
    ['lend', '1', 400, 'invalid_field'],
  ] as const) {
    const reply = await quoteOf(token, side, amount)
    expect([side, amount, reply.status, reply.body.code]).toEqual([side, amount, status, code])
  }
  expect((await quoteOf(usdc, 'buy', 1)).body.code).toBe('not_found')
  expect((await detailOf('x')).body.code).toBe('not_found')
})

test('a caller asks the chain five times a second, all together twenty, and half of these stay for the others', async () => {
  const { token } = await kit.launch(await w.user())
  await later()
  const ask = (amount: number, from: string) =>
    w.call('GET', `/api/crt-markets/${token}/quote?side=buy&amount=${amount}`, undefined, { from })
  const begun = Date.now()
  // Ten machines, each with many addresses of its network, and each amount a question of its own.
  const replies = await Promise.all(
    Array.from({ length: 100 }, (_, i) => ask(i + 1, `2001:db8:0:${i % 10}::${i + 1}`)),
  )
  const others = await Promise.all(
    Array.from({ length: 5 }, (_, i) => ask(200 + i, `203.0.113.${i}`)),
  )
  const seconds = Math.ceil((Date.now() - begun) / 1000) + 1
  const answered = replies.filter(({ status }) => status === 200)
  expect(answered.length).toBeGreaterThanOrEqual(10)
  expect(answered.length).toBeLessThanOrEqual(20 * seconds)
  expect(others.map(({ status }) => status)).toEqual(Array(5).fill(200))
  const limited = replies.filter(({ status }) => status === 429)
  expect(limited.length).toBe(100 - answered.length)
  for (const { body, headers } of limited)
    expect([body.code, headers['retry-after']]).toEqual(['rate_limited', '1'])
  await later()
  const aloneFrom = Date.now()
  const alone = await Promise.all(Array.from({ length: 30 }, (_, i) => ask(300 + i, '192.0.2.1')))
  const own = alone.filter(({ status }) => status === 200).length
  const most = 5 * (Math.ceil((Date.now() - aloneFrom) / 1000) + 1)
  expect([own >= 5, own <= most]).toEqual([true, true])
  await later()
  const same = await Promise.all(Array.from({ length: 30 }, () => quoteOf(token, 'buy', '7')))
  expect(new Set(same.map(({ text }) => text)).size).toBe(1)
})

test('each refusal of the list names the chain', async () => {
  for (const query of ['limit=0', 'after=x', 'x=1']) {
    const { status, body } = await w.call('GET', `/api/crt-markets?${query}`)
    expect([query, status, body.chainId]).toEqual([query, 400, w.chain.chainId])
  }
})

test('the list pages by token without gaps', async () => {
  for (let i = 0; i < 3; i++) await kit.launch(await w.user(), { keep_bps: 0 })
  const all = (await w.call('GET', '/api/crt-markets?limit=100')).body.markets
  const seen: string[] = []
  for (let after = ''; ; after = `&after=${seen.at(-1)}`) {
    const { body } = await w.call('GET', `/api/crt-markets?limit=2${after}`)
    seen.push(...body.markets.map(({ token }: { token: string }) => token))
    if (!body.has_more) break
  }
  expect(seen).toEqual(all.map(({ token }: { token: string }) => token))
  const wrong = await w.call('GET', `/api/crt-markets?after=${usdc}`)
  expect([wrong.status, wrong.body.param]).toEqual([400, 'after'])
  expect(BigInt(all[0].supply) * TOKEN).toBeGreaterThan(0n)
})
