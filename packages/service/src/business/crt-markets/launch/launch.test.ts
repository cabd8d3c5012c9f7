import { decodeFunctionData, encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  accountWhoseToken,
  type MarketKit,
  marketKit,
  pathOf,
  TERMS,
  TOKEN,
} from '../../../../test/actors/markets/market-kit.ts'
import { until } from '../../../../test/until.ts'
import { type Card, type World, world } from '../../../../test/world.ts'
import { positionManagerAbi } from '../../../base/protocols/uniswap/abi.ts'
import { v4Of } from '../../../chain/client/markets/contracts.ts'

let w: World
let kit: MarketKit
beforeAll(async () => {
  w = await world()
  kit = marketKit(w)
})
afterAll(() => w[Symbol.asyncDispose]())

test.each(['first', 'second'] as const)(
  'a token whose address sorts %s is made, vested and listed as prepared, and bought',
  async (order) => {
    const user = await w.user({ account: accountWhoseToken(w, order) })
    const card = await user.card()
    const prepared = await kit.prepare(user, card)
    expect(prepared.transactions.map(({ step }) => step)).toEqual([
      'deploy',
      'vest',
      'approve',
      'list',
    ])
    const hashes = await kit.sendAll(user, prepared)
    const early = await user.get(pathOf(card))
    expect(early.body.market.status).toBe('PREPARED')
    await w.safe()
    const reply = await kit.confirm(user, card, hashes)
    expect([reply.status, reply.body.code ?? '']).toEqual([200, ''])
    expect(reply.body.market).toMatchObject({
      cardId: card.id,
      token: prepared.token,
      symbol: TERMS.symbol,
      supply: TERMS.supply,
      decimals: 18,
      poolId: prepared.pool_id,
      creator: user.wallet,
      status: 'LIVE',
    })
    // Everything that was not kept is in the pool, but for less than a billionth of a token.
    expect(await kit.balanceOf(prepared.token, user.account.address)).toBeLessThan(
      TOKEN / 10n ** 9n,
    )
    expect((await kit.confirm(user, card, hashes)).body).toEqual(reply.body)
    const { markets } = (await w.call('GET', '/api/crt-markets')).body
    expect(markets).toContainEqual(reply.body.market)

    const trader = await kit.trader(prepared.token)
    const usdc = w.chain.asset.contract
    const data = kit.swapData(kit.keyOf(prepared), { in: usdc, amount: 1_000_000n })
    await kit.send(trader, { to: '0x5075727365720000000000000000000000000006', data })
    const bought = await kit.balanceOf(prepared.token, trader.address)
    // A dollar, less one percent, at a thousandth of a dollar and somewhat more.
    expect(Number(bought / TOKEN)).toBeGreaterThan(950)
    expect(Number(bought / TOKEN)).toBeLessThan(991)
  },
)

test('a card has one market: what is prepared anew replaces what was, and nothing replaces a live one', async () => {
  const user = await w.user()
  const card = await user.card()
  await kit.prepare(user, card)
  const prepared = await kit.prepare(user, card, { symbol: 'OTHER', keep_bps: 0 })
  expect(prepared.transactions.map(({ step }) => step)).toEqual(['deploy', 'approve', 'list'])
  expect((await user.get(pathOf(card))).body.market).toMatchObject({ symbol: 'OTHER', keepBps: 0 })
  const hashes = await kit.sendAll(user, prepared)
  await w.safe()
  expect((await kit.confirm(user, card, hashes)).status).toBe(200)
  for (const reply of [
    await user.post(pathOf(card, '/prepare'), TERMS),
    await kit.confirm(user, card, { ...hashes, list: hashes.approve }),
  ])
    expect([reply.status, reply.body.code]).toEqual([409, 'market_already_live'])
})

test('ten confirmations at once make one market and one event', async () => {
  const user = await w.user()
  const card = await user.card()
  const hashes = await kit.sendAll(user, await kit.prepare(user, card))
  await w.safe()
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => kit.confirm(user, card, hashes)),
  )
  expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(replies[0]!.status).toBe(200)
  const { events } = (await user.get('/api/events?type=market.listed')).body
  expect(events.map(({ data }: any) => data.list_tx)).toEqual([hashes.list])
})

test('two cards that are listed by one transaction are two markets, with an event each', async () => {
  const user = await w.user()
  const lists: Hex[] = []
  const launches: { card: Card; hashes: Awaited<ReturnType<typeof kit.sendAll>> }[] = []
  for (const symbol of ['ACME', 'BOLT']) {
    const card = await user.card()
    const prepared = await kit.prepare(user, card, { symbol, keep_bps: 0 })
    const transactions = prepared.transactions.filter(({ step }) => step !== 'list')
    const hashes = await kit.sendAll(user, { ...prepared, transactions })
    lists.push(...callsOf(prepared.transactions.at(-1)!.data))
    launches.push({ card, hashes })
  }
  const { positionManager } = v4Of(w.chain.chainId)!
  const data = encodeFunctionData({
    abi: positionManagerAbi,
    functionName: 'multicall',
    args: [lists],
  })
  const list = await kit.send(user.account, { to: positionManager, data })
  await w.safe()
  for (const { card, hashes } of launches)
    expect((await kit.confirm(user, card, { ...hashes, list })).status).toBe(200)
  await until(
    async () =>
      (await user.get('/api/events?type=market.listed')).body.events.map(
        ({ data: { card_id } }: any) => card_id,
      ),
    (seen: string[]) => expect(seen).toEqual(launches.map(({ card }) => card.id)),
  )
})

// Its bytes name the card.
test('one token is no market of two cards, though both were prepared for its nonce', async () => {
  const user = await w.user()
  const cards = [await user.card(), await user.card()]
  const [first, second] = [await kit.prepare(user, cards[0]!), await kit.prepare(user, cards[1]!)]
  expect(second.token).toBe(first.token)
  const hashes = await kit.sendAll(user, first)
  await w.safe()
  const replies = await Promise.all(cards.map((card) => kit.confirm(user, card, hashes)))
  expect(replies.map(({ status, body }) => `${status} ${body.code}`).sort()).toEqual([
    '200 undefined',
    '422 token_mismatch',
  ])
  const { markets } = (await w.call('GET', '/api/crt-markets')).body
  expect(markets.filter(({ token }: any) => token === first.token)).toHaveLength(1)
})

const callsOf = (data: Hex): readonly Hex[] => {
  const { args } = decodeFunctionData({ abi: positionManagerAbi, data })
  return args?.[0] as readonly Hex[]
}

test('a market is confirmed at the safe block, by what was prepared and nothing else', async () => {
  const user = await w.user()
  const card = await user.card()
  const unknown = `0x${'5'.repeat(64)}` as const
  const nothing = { deploy: unknown, vest: unknown, approve: unknown, list: unknown }
  const refusal = async (hashes: typeof nothing) => {
    const { status, body } = await kit.confirm(user, card, hashes)
    return [status, body.code]
  }
  expect(await refusal(nothing)).toEqual([409, 'market_not_prepared'])
  const prepared = await kit.prepare(user, card)
  expect(await refusal(nothing)).toEqual([404, 'transaction_not_found'])
  const hashes = await kit.sendAll(user, prepared)
  await w.safe()
  const other = await kit.launch(await w.user())
  expect(await refusal({ ...hashes, deploy: other.hashes.deploy })).toEqual([422, 'token_mismatch'])
  expect(await refusal({ ...hashes, deploy: hashes.list })).toEqual([422, 'token_mismatch'])
  expect(await refusal({ ...hashes, list: other.hashes.list })).toEqual([422, 'listing_mismatch'])
  expect(await refusal({ ...hashes, list: hashes.approve })).toEqual([422, 'listing_mismatch'])
  expect(await refusal(hashes)).toEqual([200, undefined])
})

// The same code, and a balance that no supply counts: a constructor of another contract could leave both.
test('a token made by other bytes is not the one that was prepared, whatever code they leave', async () => {
  const user = await w.user()
  const card = await user.card()
  const prepared = await kit.prepare(user, card)
  const [deploy, ...rest] = prepared.transactions
  const more = (BigInt(TERMS.supply) * TOKEN).toString(16).padStart(64, '0')
  const twice = (2n * BigInt(TERMS.supply) * TOKEN).toString(16).padStart(64, '0')
  expect(deploy!.data).toContain(more)
  const data = deploy!.data.replace(more, twice) as `0x${string}`
  const hashes = await kit.sendAll(user, {
    ...prepared,
    transactions: [{ ...deploy!, data }, ...rest],
  })
  await w.safe()
  const reply = await kit.confirm(user, card, hashes)
  expect([reply.status, reply.body.code]).toEqual([422, 'token_mismatch'])
})

test('a nonce that another transaction has used is named, and the market is prepared anew', async () => {
  const user = await w.user()
  const card = await user.card()
  const prepared = await kit.prepare(user, card)
  await kit.send(user.account, { to: user.account.address, data: '0x', nonce: prepared.nonce })
  const [deploy] = prepared.transactions
  const unsent = `0x${'6'.repeat(64)}` as const
  const moved = await kit.send(user.account, deploy!)
  await w.safe()
  for (const hash of [moved, unsent]) {
    const reply = await kit.confirm(user, card, {
      deploy: hash,
      vest: hash,
      approve: hash,
      list: hash,
    })
    expect([reply.status, reply.body.code]).toEqual([409, 'nonce_moved'])
    expect(reply.body.error).toContain(`nonce ${prepared.nonce}`)
  }
  const again = await kit.prepare(user, card)
  expect(again.nonce).toBe(prepared.nonce + 2)
  const hashes = await kit.sendAll(user, again)
  await w.safe()
  expect((await kit.confirm(user, card, hashes)).status).toBe(200)
})

test.each([
  [{ symbol: 'USDC' }, 'symbol'],
  [{ symbol: 'acme' }, 'symbol'],
  [{ symbol: 'A' }, 'symbol'],
  [{ name: '<b>x</b>' }, 'name'],
  [{ supply: 0 }, 'supply'],
  [{ supply: 1.5 }, 'supply'],
  [{ supply: 1e13 }, 'supply'],
  [{ keep_bps: 9_001 }, 'keep_bps'],
  [{ start_price: 0 }, 'start_price'],
  [{ start_price: 2e6 }, 'start_price'],
  [{ start_price: '0.0000000000000000001' }, 'start_price'],
])('the terms %j are a clear 400 of %s', async (terms, param) => {
  const user = await w.user()
  const card = await user.card()
  const reply = await user.post(pathOf(card, '/prepare'), { ...TERMS, ...terms })
  expect([reply.status, reply.body.param]).toEqual([400, param])
})

test.each([
  [{ supply: 1, start_price: '0.000000000001', keep_bps: 9_000, name: '天'.repeat(64) }],
  [{ supply: 1_000_000_000_000, start_price: 1_000_000, keep_bps: 0 }],
])('the ends of all terms can be launched: %j', async (terms) => {
  for (const order of ['first', 'second'] as const) {
    const user = await w.user({ account: accountWhoseToken(w, order) })
    const { market } = await kit.launch(user, terms)
    const { supply, name } = { ...TERMS, ...terms }
    expect(market).toMatchObject({ supply, name })
  }
})
