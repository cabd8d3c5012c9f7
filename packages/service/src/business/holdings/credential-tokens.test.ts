import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type MarketKit,
  marketKit,
  pathOf,
  TERMS,
  TOKEN,
} from '../../../test/actors/markets/market-kit.ts'
import { type World, world } from '../../../test/world.ts'

let w: World
let kit: MarketKit
beforeAll(async () => {
  w = await world()
  kit = marketKit(w)
})
afterAll(() => w[Symbol.asyncDispose]())

type Line = { where: string; contract: string; amount_atomic: string; ref: string }

test('a card’s token counts in the wallet and in its stream, at the price of its pool; links lead to pages', async () => {
  const user = await w.user()
  const market = await kit.launch(user)
  const body = { vestingTx: market.hashes.vest, keepBps: TERMS.keep_bps }
  const vested = await user.post(pathOf(market.card, '/vesting-confirm'), body)
  expect(vested.status, vested.text).toBe(200)
  const answer = (await user.get('/api/holdings')).body
  const lines: Line[] = answer.holdings.filter(({ contract }: Line) => contract === market.token)
  const kept = (BigInt(TERMS.supply) * TOKEN * BigInt(TERMS.keep_bps)) / 10_000n
  const stream = lines.find(({ where }) => where === 'vesting')
  expect(stream).toMatchObject({
    symbol: TERMS.symbol,
    amount_atomic: kept.toString(),
    price_source: 'pool_twap',
    price_at: expect.any(String),
    ref: vested.body.vesting.streamId,
  })
  const { value_usdc: value, amount } = stream as unknown as { value_usdc: number; amount: number }
  expect(value / amount).toBeCloseTo(Number(TERMS.start_price), 5)
  const sum = answer.holdings.reduce((s: number, l: any) => s + (l.value_usdc ?? 0), 0)
  expect(answer.total_value_usdc).toBeCloseTo(sum, 5)

  const { streamUrl } = vested.body.vesting
  const page = await w.call('GET', new URL(streamUrl).pathname)
  expect(page.status).toBe(200)
  for (const part of [TERMS.symbol, user.wallet, 'Can be withdrawn now'])
    expect(page.text).toContain(part)
  for (const id of ['999999999', '01', 'x', '9'.repeat(78)])
    expect((await w.call('GET', `/explorer/streams/${id}`)).status).toBe(404)
  const token = await w.call('GET', `/explorer/token/${market.token}`)
  for (const part of [TERMS.symbol, market.card.id, 'Pool']) expect(token.text).toContain(part)
})

test('a page shows no more of others’ streams than the chain does', async () => {
  const [user, other] = [await w.user(), await w.user()]
  const market = await kit.launch(user)
  const lines: Line[] = (await other.get('/api/holdings')).body.holdings
  expect(lines.filter(({ contract }) => contract === market.token)).toEqual([])
})
