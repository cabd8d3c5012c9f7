import { afterAll, beforeAll, expect, test } from 'vitest'
import { cardOf, issue } from '../../../test/actors/attack-kit.ts'
import { handMadeSeller, type SellerTerms } from '../../../test/sellers/x402-sellers.ts'
import { type Reply, type User, type World, world } from '../../../test/world.ts'
import { readAssetBalance } from '../../chain/client/reads.ts'
import { capturePayment } from './outcome.ts'
import { findPayment } from './store.ts'

let w: World
let user: User
beforeAll(async () => {
  w = await world()
  user = await w.user({ treasury: 50 })
})
afterAll(() => w[Symbol.asyncDispose]())

const GOODS = { report: 42 }

/** A seller that serves at once and takes the money when the test says so, or never. */
async function trustingSeller(terms: Partial<SellerTerms> = {}) {
  const till: { settle?: () => Promise<`0x${string}`> } = {}
  const seller = await handMadeSeller({
    amount: 20_000n,
    serve: ({ response, settle }) => {
      till.settle = settle
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(GOODS))
    },
    ...terms,
  })
  return Object.assign(seller, { take: () => till.settle!() })
}

/** Buys under a key. The first answer has the goods, and no end of the payment. */
async function buyUnsettled(url: string) {
  const card = await issue(user, 1)
  const ask = { card_id: card.id, card_token: card.token, url }
  const keyed = { headers: { 'idempotency-key': `goods ${card.id}` } }
  const again = (by = user) => by.post('/api/pay', ask, keyed)
  const first = await again()
  expect(first, first.text).toMatchObject({
    status: 200,
    body: { outcome: 'unknown', settlement: { status: 'PENDING' }, response: { body: GOODS } },
  })
  return { card, first, again, id: first.body.transaction_id as string }
}

const endedAs = (id: string, state: string) =>
  w.workUntil(
    () => findPayment(w.db.reader, id),
    (payment) => payment?.state === state,
  )

const paidBy = ({ body }: Reply, tx_hash: string) => ({
  ...body,
  outcome: 'paid',
  settlement: { status: 'SETTLED', tx_hash },
})

const expectBack = (repeated: Reply, first: Reply) => {
  expect(repeated, repeated.text).toMatchObject({
    status: 422,
    headers: { 'idempotency-hit': 'true' },
    body: {
      code: 'payment_rejected',
      outcome: 'not_charged',
      transaction_id: first.body.transaction_id,
      response: first.body.response,
    },
  })
}

test('a repetition shows the kept goods with the end of the payment, once the chain shows it', async () => {
  await using seller = await trustingSeller()
  const { card, first, again, id } = await buyUnsettled(seller.url)
  const early = await again()
  expect(early.headers['idempotency-hit']).toBe('true')
  expect(early.body).toEqual(first.body)

  const hash = await seller.take()
  await endedAs(id, 'final')
  const late = await again()
  expect([late.status, late.headers['idempotency-hit']]).toEqual([200, 'true'])
  expect(late.body).toEqual(paidBy(first, hash))
  expect(seller.paid).toHaveLength(1)
  expect(await readAssetBalance(w.chain, seller.payTo)).toBe(20_000n)
  expect(await cardOf(user, card.id)).toMatchObject({ spent: 0.0201, held: 0 })
})

test('a repetition of a payment that was never taken shows the goods, and that nothing was taken', async () => {
  await using seller = await trustingSeller({ maxTimeoutSeconds: 5 })
  const { card, first, again, id } = await buyUnsettled(seller.url)
  await endedAs(id, 'released')
  expectBack(await again(), first)
  expectBack(await again(), first)
  expect(seller.paid).toHaveLength(1)
  expect(await cardOf(user, card.id)).toMatchObject({ spent: 0, held: 0, balance: 1 })
})

test('a repetition follows a payment that a reorganization takes off the chain', async () => {
  await using seller = await trustingSeller({ maxTimeoutSeconds: 5 })
  const { first, again, id } = await buyUnsettled(seller.url)
  const use = { txHash: `0x${'ab'.repeat(32)}` as const, blockNumber: 1n }
  await w.write((tx) => capturePayment(tx, w.now(), { id, asset: w.chain.asset, use }))
  expect((await again()).body).toEqual(paidBy(first, use.txHash))
  await endedAs(id, 'undone')
  expectBack(await again(), first)
})

/** A seller that takes the money, whose answer breaks off in its body the first time. */
const breakingSeller = () => {
  let times = 0
  return handMadeSeller({
    amount: 20_000n,
    serve: async ({ request, response, settle }) => {
      if (times++ > 0) return void response.end('all of it')
      await settle()
      response.writeHead(200, { 'content-length': '100' }).write('half')
      setTimeout(() => request.socket.destroy(), 50)
    },
  })
}

test.each([{ 'idempotency-key': 'whole' }, {}])(
  'an answer that breaks off is no goods: the same request is shown the same payment again, with headers %o',
  async (headers) => {
    await using seller = await breakingSeller()
    const card = await issue(user, 1)
    const ask = { card_id: card.id, card_token: card.token, url: seller.url }
    const buy = () => user.post('/api/pay', ask, { headers })
    const first = await buy()
    expect(first.body, first.text).toMatchObject({ outcome: 'seller_failed', response: null })
    const second = await buy()
    expect(second.body, second.text).toMatchObject({
      outcome: 'paid',
      transaction_id: first.body.transaction_id,
      response: { body: 'all of it' },
    })
    expect(new Set(seller.paid.map(({ authorization }) => authorization.nonce)).size).toBe(1)
    expect(await cardOf(user, card.id)).toMatchObject({ spent: 0.0201, held: 0 })
    // A request that has its goods is another purchase without a key, and the same with one.
    const third = await buy()
    expect(third.body.transaction_id === first.body.transaction_id, third.text).toBe(
      'idempotency-key' in headers,
    )
  },
)

test('repetitions beside the end of the payment hear no end or the whole of it, and never the first again', async () => {
  await using seller = await trustingSeller()
  const { card, first, again, id } = await buyUnsettled(seller.url)
  const hash = await seller.take()
  const wanted = paidBy(first, hash)
  let isOver = false
  const repeatUntilOver = async () => {
    const heard: Reply[] = []
    while (!isOver) heard.push(await again())
    return [...heard, await again()]
  }
  const [all] = await Promise.all([
    Promise.all([repeatUntilOver(), repeatUntilOver(), repeatUntilOver()]),
    endedAs(id, 'final').finally(() => {
      isOver = true
    }),
  ])
  for (const heard of all) {
    const end = heard.findIndex(({ body }) => body.outcome === 'paid')
    for (const [n, { status, body }] of heard.entries())
      expect([status, body]).toEqual([200, n < end ? first.body : wanted])
  }
  expect(seller.paid).toHaveLength(1)
  expect(await cardOf(user, card.id)).toMatchObject({ spent: 0.0201, held: 0 })
})

test('the end is heard from a machine that neither paid nor saw the seller', async () => {
  await using own = await world()
  const payer = await own.user({ treasury: 5 })
  await using seller = await trustingSeller()
  const card = await issue(payer, 1)
  const ask = { card_id: card.id, card_token: card.token, url: seller.url }
  const keyed = { headers: { 'idempotency-key': 'goods' } }
  const machine = await own.machine()
  const first = await machine.as(payer).post('/api/pay', ask, keyed)
  expect(first.body, first.text).toMatchObject({ outcome: 'unknown' })
  // The machine that bought dies with the payment on its way.
  await machine[Symbol.asyncDispose]()
  const hash = await seller.take()
  await own.workUntil(
    () => payer.post('/api/pay', ask, keyed),
    (repeated) => expect(repeated.body).toEqual(paidBy(first, hash)),
  )
  expect(seller.paid).toHaveLength(1)
  expect(await own.faults()).toEqual([])
})

test('a payment by a card token is repeated with the goods and its end too', async () => {
  await using own = await world()
  const base = await own.listen()
  const [buyer, shopkeeper] = [await own.user({ treasury: 5 }), await own.user({ treasury: 5 })]
  const [card, till] = [await issue(buyer, 2), await issue(shopkeeper, 1)]
  const link = (await shopkeeper.post('/api/paylinks', { card_id: till.id, amount: 0.5 })).body
  const ask = { card_id: card.id, card_token: card.token, url: `${base}/pay/${link.code}` }
  const { egress } = own.services
  const fetch = async (request: { headers: Record<string, string>; url: string }) =>
    request.headers.Authorization
      ? { status: 200, headers: {}, url: request.url, body: Buffer.from('goods'), truncated: false }
      : egress.fetch(request as never)
  Object.assign(own.services, { egress: { ...egress, fetch } })
  const keyed = { headers: { 'idempotency-key': 'order 1' } }
  const again = () => buyer.post('/api/pay', { ...ask, method: 'GET' }, keyed)
  const first = await again()
  expect(first.body, first.text).toMatchObject({ outcome: 'unknown', response: { body: 'goods' } })
  await own.advance(301)
  await own.runJobs()
  expectBack(await again(), first)
  expect(await cardOf(buyer, card.id)).toMatchObject({ held: 0, spent: 0, balance: 2 })
})

test('the books agree after all of it', async () => {
  expect(await w.faults()).toEqual([])
})
