import { afterAll, beforeAll, expect, test } from 'vitest'
import { unixSeconds } from '../../src/base/kernel/clock.ts'
import { cardOf, issue } from '../actors/attack-kit.ts'
import { ownWorld } from '../chain-faults/own-world.ts'
import { handMadeSeller, paymentResponse } from '../sellers/x402-sellers.ts'
import { bareServer, expectChainDecides, market, PRICE, stall } from './sellers-kit.ts'

let m: Awaited<ReturnType<typeof market>>
beforeAll(async () => {
  m = await market()
})
afterAll(() => m[Symbol.asyncDispose]())

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')
const demand = (accepts: unknown[]) => ({ x402Version: 2, resource: { url: 'http://x/' }, accepts })
const honest = (amount: bigint, payTo: string) => ({
  scheme: 'exact',
  network: m.w.chain.network,
  asset: m.w.chain.asset.contract,
  payTo,
  amount: String(amount),
  maxTimeoutSeconds: 60,
  extra: { name: 'USDC', version: '2' },
})
const SHOP = '0x52908400098527886E0F7030069857D2E4169EE7'

test.concurrent('a hundred offers in one demand: the cheapest of those that are read is paid, once', async () => {
  const p = await stall(m, {
    offers: (offer) =>
      Array.from({ length: 100 }, (_, i) => ({
        ...offer,
        amount: String(PRICE + BigInt((i * 7) % 100)),
      })),
    serve: async ({ response, settle }) => {
      await settle()
      response.end('served')
    },
  })
  await using _seller = p.seller
  const paid = await p.buy()
  expect(paid.body, paid.text).toMatchObject({ merchant_amount: 0.02 })
  await expectChainDecides(m, p, true)
})

test.concurrent('a hundred demands in one answer are no demand that could be misread: nothing is paid twice', async () => {
  await using server = await bareServer((_, response) => {
    const header = encoded(demand([honest(PRICE, SHOP)]))
    response.writeHead(402, Array.from({ length: 100 }, () => ['payment-required', header]).flat())
    response.end('{}')
  })
  const card = await issue(m.user, 1)
  const ask = { card_id: card.id, card_token: card.token, url: server.url }
  const reply = await m.user.post('/api/pay', ask)
  expect([422, 502], reply.text).toContain(reply.status)
  expect(await cardOf(m.user, card.id)).toMatchObject({ held: 0, spent: 0 })
  expect(server.seen.filter((headers) => headers['payment-signature'])).toEqual([])
})

test.concurrent('the price that is paid is the one that was asked for when the card was charged, whatever comes after', async () => {
  let asked = 0
  await using server = await bareServer((request, response) => {
    asked++
    const price = asked === 1 ? PRICE : PRICE * 20n
    // Once it has the payment, it asks for twenty times as much.
    response.writeHead(402, { 'payment-required': encoded(demand([honest(price, SHOP)])) })
    response.end(request.headers['payment-signature'] ? 'more' : '{}')
  })
  const card = await issue(m.user, 1)
  const ask = { card_id: card.id, card_token: card.token, url: server.url }
  const first = await m.user.post('/api/pay', ask)
  expect([first.status, first.body.code], first.text).toEqual([202, 'outcome_unknown'])
  // The same call again means the same payment: the new price is ignored.
  const second = await m.user.post('/api/pay', ask)
  expect(second.body.transaction_id).toBe(first.body.transaction_id)
  const headers = server.seen.flatMap((seen) => seen['payment-signature'] ?? [])
  expect([headers.length, new Set(headers).size]).toEqual([2, 1])
  expect(await cardOf(m.user, card.id)).toMatchObject({ held: 0.0201, spent: 0 })
})

test.concurrent('a price that rises between two calls is held to max_amount', async () => {
  let price = PRICE
  await using server = await bareServer((_, response) => {
    price *= 2n
    response.writeHead(402, { 'payment-required': encoded(demand([honest(price, SHOP)])) }).end()
  })
  const card = await issue(m.user, 1)
  const ask = { card_id: card.id, card_token: card.token, max_amount: '0.03', url: server.url }
  const refused = await m.user.post('/api/pay', ask)
  expect([refused.status, refused.body.code]).toEqual([422, 'no_payable_option'])
  expect(await cardOf(m.user, card.id)).toMatchObject({ held: 0, spent: 0 })
})

test.concurrent('a seller that asks for a longer validity gets two minutes', async () => {
  const p = await stall(m, {
    maxTimeoutSeconds: 10 ** 9,
    serve: ({ response }) => void response.writeHead(402).end(),
  })
  await using _seller = p.seller
  await p.buy()
  const latest = await m.w.chain.rpc.getBlock()
  const { validBefore } = p.seller.paid[0]!.authorization
  expect(validBefore).toBeLessThanOrEqual(latest.timestamp + 120n)
  expect(validBefore).toBeGreaterThan(BigInt(unixSeconds(m.w.now())) - 60n)
})

test.concurrent("a receipt that names another's transaction settles nothing, though that one is real", async () => {
  const real = await stall(m, {
    serve: async ({ response, settle }) => {
      await settle()
      response.end('served')
    },
  })
  await using _real = real.seller
  const { settlement } = (await real.buy()).body
  const p = await stall(m, {
    serve: ({ response }) => {
      const receipt = paymentResponse(settlement.tx_hash)
      response.writeHead(200, { 'payment-response': receipt }).end('served')
    },
  })
  await using _seller = p.seller
  const paid = await p.buy()
  expect(paid.body.settlement.status, paid.text).toBe('PENDING')
  await expectChainDecides(m, p, false)
  await expectChainDecides(m, real, true)
})

test.concurrent('a seller that takes the money in secret and claims failure is paid, and the answer says so', async () => {
  const p = await stall(m, {
    serve: async ({ response, settle }) => {
      await settle()
      const claim = {
        success: false,
        errorReason: 'insufficient_funds',
        transaction: '',
        network: m.w.chain.network,
      }
      response.writeHead(402, { 'payment-response': encoded(claim) }).end()
    },
  })
  await using _seller = p.seller
  const paid = await p.buy()
  expect(paid.body, paid.text).toMatchObject({
    settlement: { status: 'SETTLED' },
    receipt: { success: false },
    response: { status: 402 },
  })
  await expectChainDecides(m, p, true)
})

test.concurrent.each([
  ['a seller that settles an hour later comes too late', 3_600],
  ['a seller that never settles keeps nothing', 300],
])('%s: the money is back on the card, and stays', async (_, seconds) => {
  await using own = await ownWorld()
  const user = await own.w.user({ treasury: 2 })
  const card = await issue(user, 1)
  await using seller = await handMadeSeller({
    amount: PRICE,
    rpcUrl: own.rpcUrl,
    serve: ({ response }) => void response.end('served, and paid for later'),
  })
  const ask = { card_id: card.id, card_token: card.token, url: seller.url }
  const paid = await own.during(user.post('/api/pay', ask), { always: true })
  expect(paid.body.settlement.status, paid.text).toBe('PENDING')
  await own.call('evm_increaseTime', seconds)
  await own.blocks(6)
  if (seconds === 3_600)
    await expect(own.carry(seller.paid[0]!)).rejects.toThrow(/authorization is expired/)
  await own.until(async () => (await cardOf(user, card.id)).held === 0, 5)
  expect(await cardOf(user, card.id)).toMatchObject({ spent: 0, balance: 1 })
  expect(await own.usdcOf(seller.payTo)).toBe(0n)
  await own.expectBooksToMatch()
})

test.concurrent('a name that turns private between demand and payment is not handed the payment', async () => {
  let turns = 0
  await using server = await bareServer((_, response) => {
    response.writeHead(402, { 'payment-required': encoded(demand([honest(PRICE, SHOP)])) }).end()
  })
  await using other = await market({
    resolver: async (host) => {
      if (host !== 'rebind.test') return [{ address: '127.0.0.1', family: 4 }]
      turns++
      return [{ address: '10.0.0.1', family: 4 }]
    },
  })
  const card = await issue(other.user, 1)
  const ask = { card_id: card.id, card_token: card.token }
  for (const url of [
    'https://rebind.test/paid',
    `http://10.0.0.1:${server.port}/`,
    'http://[::1]/',
  ]) {
    const reply = await other.user.post('/api/pay', { ...ask, url })
    expect([reply.status, reply.body.code], reply.text).toEqual([400, 'url_not_allowed'])
  }
  expect(turns).toBe(1)
  expect(server.seen).toEqual([])
  expect(await cardOf(other.user, card.id)).toMatchObject({ held: 0, spent: 0 })
})
