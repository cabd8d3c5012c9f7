import { afterAll, beforeAll, expect, test } from 'vitest'
import { cardOf, type Held, issue } from '../../../test/actors/attack-kit.ts'
import { bareServer } from '../../../test/hostile-sellers/sellers-kit.ts'
import { handMadeMppSeller, officialMppSeller } from '../../../test/sellers/mpp-sellers.ts'
import { handMadeSeller } from '../../../test/sellers/x402-sellers.ts'
import { type User, type World, world } from '../../../test/world.ts'
import { EgressError } from '../../base/egress/errors.ts'
import { readAssetBalance } from '../../chain/client/reads.ts'
import { isRealmOf } from './offer/demand.ts'

let w: World
let agent: User
let seller: User
let base: string
beforeAll(async () => {
  w = await world()
  base = await w.listen()
  agent = await w.user({ treasury: 50 })
  seller = await w.user({ treasury: 50 })
})
afterAll(() => w[Symbol.asyncDispose]())

const pay = (card: Held, ask: Record<string, unknown>, key?: string) =>
  agent.post(
    '/api/pay',
    { card_id: card.id, card_token: card.token, ...ask },
    key ? { headers: { 'idempotency-key': key } } : {},
  )

/** Another wallet's link, which anyone can pay at its URL. */
async function shop(link: object = {}) {
  const till = await issue(seller, 1)
  const made = await seller.post('/api/paylinks', { card_id: till.id, amount: 0.5, ...link })
  expect(made.status, made.text).toBe(200)
  const card = await issue(agent, 2)
  const { code } = made.body
  return { till, card, code, url: `${base}/pay/${code}`, method: 'GET' }
}

test.each([false, true])(
  'a card pays a seller of the official package, and card, books and chain agree; with a key of its own in Authorization: %s',
  async (requiresAuth) => {
    await using official = await officialMppSeller({ price: '0.01', requiresAuth })
    const card = await issue(agent, 5)
    const headers = requiresAuth ? { Authorization: 'Bearer of the agent' } : {}
    // The seller offers x402 at the same price.
    const ask = { url: official.url, body: { topic: 'rain' }, headers, protocol: 'mpp' }
    const paid = await pay(card, ask, `official ${requiresAuth}`)
    expect(paid.status, paid.text).toBe(200)
    expect(paid.body).toMatchObject({
      success: true,
      amount_debited: 0.01005,
      merchant_amount: 0.01,
      platform_fee: 0.00005,
      protocol: 'mpp',
      settlement: { status: 'SETTLED', tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
      response: { status: 200, body: { report: 42 } },
      receipt: {
        success: true,
        method: 'evm',
        transaction: paid.body.settlement.tx_hash,
      },
      problem: null,
    })
    expect(official.paid).toHaveLength(1)
    expect(await readAssetBalance(w.chain, official.payTo)).toBe(10_000n)
    expect(await cardOf(agent, card.id)).toMatchObject({ spent: 0.01005, held: 0 })
    const { payments } = (await agent.get(`/api/payments?protocol=mpp&card_id=${card.id}`)).body
    expect(payments).toMatchObject([{ id: paid.body.transaction_id, protocol: 'mpp' }])
    const { payment } = (await agent.get(`/api/payments/${payments[0].id}`)).body
    expect(payment.request).toMatchObject({
      pay_to: official.payTo,
      offer: { method: 'evm', intent: 'charge', realm: '127.0.0.1', request: { amount: '10000' } },
    })
    const settled = payment.timeline.find((fact: any) => fact.type === 'payment.settled')
    expect(settled.data).toMatchObject({ protocol: 'mpp', tx_hash: paid.body.settlement.tx_hash })
    const again = await pay(card, ask, `official ${requiresAuth}`)
    expect(again.body).toEqual(paid.body)
    expect(await w.faults()).toEqual([])
  },
)

test('a retry whose payment is unknown presents the same credential and pays once', async () => {
  let isDown = true
  await using shop = await handMadeMppSeller({
    amount: 100_000n,
    serve: async ({ request, response, settle }) => {
      if (isDown) return void request.socket.destroy()
      await settle()
      response.end('served')
    },
  })
  const card = await issue(agent, 1)
  const first = await pay(card, { url: shop.url }, 'crash by mpp')
  expect(first.status, first.text).toBe(202)
  isDown = false
  const second = await pay(card, { url: shop.url }, 'crash by mpp')
  expect(second.body, second.text).toMatchObject({
    transaction_id: first.body.transaction_id,
    settlement: { status: 'SETTLED' },
    response: { body: 'served' },
  })
  expect(new Set(shop.paid.map(({ credential }) => credential.challenge.id)).size).toBe(1)
  expect(new Set(shop.paid.map(({ signature }) => signature)).size).toBe(1)
  expect(await readAssetBalance(w.chain, shop.payTo)).toBe(100_000n)
})

test('a card pays a link of this service without the chain: the price, and no fee on top of it', async () => {
  const s = await shop({ memo: 'report' })
  const onChain = await w.treasuryOnChain()
  const simulated = await agent.post('/api/pay/simulate', {
    card_id: s.card.id,
    card_token: s.card.token,
    url: s.url,
    method: 'GET',
  })
  expect(simulated.body, simulated.text).toMatchObject({
    allowed: true,
    protocol: 'mpp',
    amount: 0.5,
    offer: { method: 'agentcard' },
  })
  const paid = await pay(s.card, { url: s.url, method: 'GET' }, `link ${s.code}`)
  expect(paid.status, paid.text).toBe(200)
  expect(paid.body).toMatchObject({
    amount_debited: 0.5,
    merchant_amount: 0.4975,
    platform_fee: 0.0025,
    protocol: 'mpp',
    settlement: { status: 'SETTLED', tx_hash: null },
    receipt: { success: true, method: 'agentcard' },
  })
  expect(await w.treasuryOnChain()).toBe(onChain)
  expect(await cardOf(agent, s.card.id)).toMatchObject({ spent: 0.5, held: 0, balance: 1.5 })
  expect(await cardOf(seller, s.till.id)).toMatchObject({ received: 0.4975 })
  const { payment } = (await agent.get(`/api/payments/${paid.body.transaction_id}`)).body
  expect(payment).toMatchObject({
    status: 'SETTLED',
    protocol: 'mpp',
    merchant: s.code,
    request: { url: s.url, pay_to: s.code, response_status: 200, offer: { method: 'agentcard' } },
  })
  const again = await pay(s.card, { url: s.url, method: 'GET' }, `link ${s.code}`)
  expect(again.headers['idempotency-hit']).toBe('true')
  const gone = await pay(s.card, { url: s.url, method: 'GET' })
  expect(gone.body, gone.text).toMatchObject({ amount_debited: 0, response: { status: 410 } })
  expect(await w.faults()).toEqual([])
})

test('agents that race for a link of one use: one pays, and the money of the others comes back', async () => {
  const s = await shop()
  const cards = await Promise.all(Array.from({ length: 6 }, () => issue(agent, 1)))
  const replies = await Promise.all(
    cards.map((card) => pay(card, { url: s.url, method: 'GET', protocol: 'mpp' })),
  )
  const paid = replies.filter(({ body }) => body.amount_debited > 0)
  expect(paid, replies.map(({ text }) => text).join('\n')).toHaveLength(1)
  const shown = await Promise.all(cards.map((card) => cardOf(agent, card.id)))
  expect(shown.reduce((sum, { spent }) => sum + spent, 0)).toBe(0.5)
  expect(shown.map(({ held }) => held)).toEqual([0, 0, 0, 0, 0, 0])
  expect((await cardOf(seller, s.till.id)).received).toBe(0.4975)
  expect(await w.faults()).toEqual([])
})

/** Runs `work` with a hook that runs before the service sends a credential. */
async function between<T>(
  onCredential: (send: () => Promise<unknown>) => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const { egress } = w.services
  const fetch = (request: { headers: Record<string, string> }) => {
    const send = () => egress.fetch(request as never)
    return request.headers.Authorization ? onCredential(send) : send()
  }
  Object.assign(w.services, { egress: { ...egress, fetch } })
  try {
    return await work()
  } finally {
    Object.assign(w.services, { egress })
  }
}
const broken = () => new EgressError('reset', 'The connection broke.', { sent: true })

test('a link that was paid and whose answer was lost is known to be paid', async () => {
  const s = await shop({ max_uses: 5 })
  const paid = await between(
    async (send) => {
      await send()
      throw broken()
    },
    () => pay(s.card, { url: s.url, method: 'GET' }),
  )
  expect(paid.body, paid.text).toMatchObject({
    success: true,
    settlement: { status: 'SETTLED' },
    response: null,
  })
  expect(await cardOf(agent, s.card.id)).toMatchObject({ spent: 0.5, held: 0 })
})

test('a credential that was lost on its way is presented again by the same request, with a key or without', async () => {
  const s = await shop({ max_uses: 5 })
  for (const key of [undefined, `lost ${s.code}`]) {
    const before = (await cardOf(agent, s.card.id)).spent
    const lose = async () => {
      throw broken()
    }
    const lost = await between(lose, () => pay(s.card, { url: s.url, method: 'GET' }, key))
    expect([lost.status, lost.body.code], lost.text).toEqual([202, 'outcome_unknown'])
    const { transaction_id } = lost.body
    expect((await agent.get(`/api/payments/${transaction_id}`)).body.payment.status).toBe('UNKNOWN')
    expect(await cardOf(agent, s.card.id)).toMatchObject({ held: 0.5 })
    const again = await pay(s.card, { url: s.url, method: 'GET' }, key)
    expect(again.body, again.text).toMatchObject({
      transaction_id,
      settlement: { status: 'SETTLED' },
      response: { status: 200 },
    })
    const after = await cardOf(agent, s.card.id)
    expect([after.held, after.spent]).toEqual([0, before + 0.5])
  }
  expect(await w.faults()).toEqual([])
})

test('a token that never was redeemed is back when its challenge is over, and its retry says so', async () => {
  await using own = await world()
  const url = await own.listen()
  const [buyer, shopkeeper] = [await own.user({ treasury: 5 }), await own.user({ treasury: 5 })]
  const [card, till] = [await issue(buyer, 2), await issue(shopkeeper, 1)]
  const link = (await shopkeeper.post('/api/paylinks', { card_id: till.id, amount: 0.5 })).body
  const ask = { card_id: card.id, card_token: card.token, url: `${url}/pay/${link.code}` }
  const { egress } = own.services
  const fetch = async (request: { headers: Record<string, string> }) => {
    if (request.headers.Authorization) throw broken()
    return egress.fetch(request as never)
  }
  Object.assign(own.services, { egress: { ...egress, fetch } })
  const key = { headers: { 'idempotency-key': 'order 1' } }
  const lost = await buyer.post('/api/pay', { ...ask, method: 'GET' }, key)
  expect(lost.status, lost.text).toBe(202)
  await own.advance(301)
  await own.runJobs()
  expect(await cardOf(buyer, card.id)).toMatchObject({ held: 0, spent: 0, balance: 2 })
  const { payment } = (await buyer.get(`/api/payments/${lost.body.transaction_id}`)).body
  expect(payment.status).toBe('FAILED')
  const again = await buyer.post('/api/pay', { ...ask, method: 'GET' }, key)
  expect([again.status, again.body.code]).toEqual([422, 'payment_rejected'])
  expect(again.body.transaction_id).toBe(lost.body.transaction_id)
  // Nobody can take that token any more, so the key is free to buy.
  Object.assign(own.services, { egress })
  const bought = await buyer.post('/api/pay', { ...ask, method: 'GET' }, key)
  expect(bought.body, bought.text).toMatchObject({ outcome: 'paid' })
  expect(bought.body.transaction_id).not.toBe(lost.body.transaction_id)
  expect(await cardOf(buyer, card.id)).toMatchObject({ held: 0, spent: 0.5 })
  expect(await own.faults()).toEqual([])
})

test('a card that its policy stops holds nothing, and the decline is written down', async () => {
  const s = await shop()
  const card = await issue(agent, 2, { max_transaction: 0.4 })
  const denied = await pay(card, { url: s.url, method: 'GET' })
  expect([denied.status, denied.body.code], denied.text).toEqual([403, 'max_transaction_exceeded'])
  const { decisions } = (await agent.get(`/api/cards/${card.id}/decisions`)).body
  expect(decisions).toMatchObject([{ allowed: false, merchant: s.code, amount: 0.5 }])
  expect(await cardOf(agent, card.id)).toMatchObject({ held: 0, spent: 0 })
})

test('a token that is refused when it is presented gives its money back at once', async () => {
  const s = await shop()
  // The seller withdraws the link between its demand and the payment.
  const refused = await between(
    async (send) => {
      await seller.send('DELETE', `/api/paylinks/${s.code}`)
      return send()
    },
    () => pay(s.card, { url: s.url, method: 'GET' }, `refused ${s.code}`),
  )
  expect([refused.status, refused.body.code], refused.text).toEqual([422, 'payment_rejected'])
  expect(await cardOf(agent, s.card.id)).toMatchObject({ held: 0, spent: 0, balance: 2 })
  const { payment } = (await agent.get(`/api/payments/${refused.body.transaction_id}`)).body
  expect(payment).toMatchObject({ status: 'FAILED', request: { response_status: 410 } })
  expect(await w.faults()).toEqual([])
})

test('discover lists every challenge, and whether a card here could pay it', async () => {
  const s = await shop()
  const discover = async (url: string) =>
    (await agent.get(`/api/mpp/discover?url=${encodeURIComponent(url)}`)).body
  expect(await discover(s.url)).toMatchObject({
    supports_mpp: true,
    capabilities: {
      evm: {
        intents: ['charge'],
        payable: true,
        offers: [
          {
            intent: 'charge',
            amount: 0.5,
            amount_atomic: '500000',
            currency: w.chain.asset.contract,
            network: w.chain.network,
            payable: true,
            reason: null,
          },
        ],
      },
      agentcard: { intents: ['charge'], payable: true, offers: [{ currency: 'usdc' }] },
    },
  })
  await using odd = await handMadeMppSeller({
    amount: 1n,
    challenges: (_, again) => [again({ method: 'tempo' }), again({ realm: 'shop.example' })],
    serve: () => undefined,
  })
  const { capabilities } = await discover(odd.url)
  expect(capabilities).toMatchObject({
    tempo: { intents: ['charge'], payable: false, offers: [{ reason: 'unsupported_method' }] },
    evm: { payable: false, offers: [{ payable: false, reason: 'realm_mismatch' }] },
  })
  await using byPost = await bareServer((request, response) => {
    const offers = [{ method: 'evm', intent: 'charge', amount: '20000', currency: '0x', x: 1 }]
    const paths = {
      '/{what}': {
        parameters: [],
        post: { 'x-payment-info': { offers: [...offers, 'junk', {}] } },
      },
      '/paid/more': { post: { 'x-payment-info': { offers } } },
    }
    const isDocument = request.url === '/openapi.json'
    response.writeHead(isDocument ? 200 : 405).end(JSON.stringify(isDocument ? { paths } : {}))
  })
  expect(await discover(byPost.url)).toMatchObject({
    supports_mpp: true,
    capabilities: {
      evm: {
        payable: false,
        offers: [{ amount_atomic: '20000', payable: false, reason: 'advertised_only' }],
      },
    },
  })
  await using x402 = await handMadeSeller({ amount: 1n, serve: () => undefined })
  expect(await discover(x402.url)).toEqual({ supports_mpp: false, capabilities: {} })
})

test.each([
  ['api.shop.example', 'https://api.shop.example/x', true],
  ['API.shop.example', 'https://api.shop.example/x', true],
  ['api.shop.example:8443', 'https://api.shop.example:8443/x', true],
  ['shop.example', 'https://api.shop.example/x', true],
  ['example', 'https://api.shop.example/x', false],
  ['op.example', 'https://api.shop.example/x', false],
  ['api.shop.example', 'https://shop.example/x', false],
  ['evil.example', 'https://api.shop.example/x', false],
  ['', 'https://api.shop.example/x', false],
  ['MPP Payment', 'https://api.shop.example/x', false],
  ['127.0.0.1', 'http://127.0.0.1:80/x', true],
  ['0.0.1', 'http://127.0.0.1/x', false],
])('the realm %s is of %s: %s', (realm, url, isIt) => {
  expect(isRealmOf(realm, new URL(url))).toBe(isIt)
})
