import { expect, test } from 'vitest'
import {
  handMadeSeller,
  officialSeller,
  paymentResponse,
} from '../../../test/sellers/x402-sellers.ts'
import { type User, type World, world } from '../../../test/world.ts'
import { readAssetBalance } from '../../chain/client/reads.ts'

type IssuedCard = { id: string; token: string }

async function issueCard(
  user: User,
  limit: number,
  controls: Record<string, unknown> = {},
): Promise<IssuedCard> {
  const made = await user.post('/api/issue', { purpose: 'test', limit_amount: limit, ...controls })
  expect(made.status, made.text).toBe(200)
  return made.body.card
}

const pay = (user: User, card: IssuedCard, ask: Record<string, unknown>, key?: string) =>
  user.post(
    '/api/pay',
    { card_id: card.id, card_token: card.token, ...ask },
    key ? { headers: { 'idempotency-key': key } } : {},
  )

const cardOf = async (user: User, card: IssuedCard) =>
  (await user.get(`/api/cards/${card.id}`)).body.card

/** Runs the payments' jobs until the transaction has the given status. */
const untilStatus = (w: World, user: User, id: string, status: string) =>
  w.workUntil(
    async () => (await user.get(`/api/payments/${id}`)).body.payment,
    (payment) => payment.status === status,
  )

const untilFinal = (w: World, user: User, id: string) =>
  w.workUntil(
    async () => (await user.get(`/api/payments/${id}`)).body.payment.timeline,
    (timeline: { type: string }[]) => timeline.some(({ type }) => type === 'chain.final'),
  )

const custody = async (w: World): Promise<bigint> => {
  const { readLiabilities } = await import('../../money/ledger/verify/verify.ts')
  return (await readLiabilities(w.db.reader))[0]?.custody ?? 0n
}

test.concurrent('a card pays a seller of the official packages, and card, books and chain agree to the unit', async () => {
  await using w = await world()
  await using seller = await officialSeller({ price: '$0.01' })
  const user = await w.user({ treasury: 10 })
  const card = await issueCard(user, 5)
  const before = await readAssetBalance(w.chain, w.chain.treasury.address)

  const paid = await pay(user, card, { url: seller.url, body: { topic: 'rain' } })

  expect(paid.status, paid.text).toBe(200)
  expect(paid.body).toMatchObject({
    success: true,
    amount_debited: 0.01005,
    merchant_amount: 0.01,
    platform_fee: 0.00005,
    token: 'USDC',
    network: w.chain.network,
    protocol: 'x402',
    settlement: { status: 'SETTLED', tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    response: { status: 200, body: { report: 42 }, body_encoding: 'json', truncated: false },
    receipt: { success: true, transaction: paid.body.settlement.tx_hash },
  })
  expect(await readAssetBalance(w.chain, seller.payTo)).toBe(10_000n)
  expect(await readAssetBalance(w.chain, w.chain.treasury.address)).toBe(before - 10_000n)
  expect(await cardOf(user, card)).toMatchObject({ balance: 4.98995, spent: 0.01005, held: 0 })
  const id = paid.body.transaction_id
  expect((await user.get(`/api/settlement/status/${id}`)).body).toMatchObject({
    transaction_id: id,
    status: 'SETTLED',
    fee_amount: 0.00005,
    settlement: { status: 'SETTLED', tx_hash: paid.body.settlement.tx_hash },
  })
  await untilFinal(w, user, id)
  expect(await custody(w)).toBe(10_000_000n - 10_000n)
  expect(seller.paid).toHaveLength(1)
  expect(await w.faults()).toEqual([])
})

test.concurrent('a URL that needs no payment returns its answer and costs nothing', async () => {
  await using w = await world()
  await using seller = await officialSeller({ price: '$0.01' })
  const user = await w.user({ treasury: 1 })
  const card = await issueCard(user, 1)
  const answer = await pay(user, card, { url: seller.url.replace('/paid', '/none'), method: 'GET' })
  expect(answer.body).toMatchObject({
    success: true,
    transaction_id: null,
    amount_debited: 0,
    response: { status: 404 },
  })
  expect((await cardOf(user, card)).balance).toBe(1)
})

test.concurrent('the card of another wallet looks nonexistent, a wrong token is refused, and nothing is fetched', async () => {
  await using w = await world()
  await using seller = await officialSeller({ price: '$0.01' })
  const [user, other] = [await w.user({ treasury: 1 }), await w.user()]
  const card = await issueCard(user, 1)
  const foreign = await pay(other, card, { url: seller.url })
  expect([foreign.status, foreign.body.code]).toEqual([404, 'not_found'])
  const wrong = await pay(
    user,
    { id: card.id, token: `tok_${'A'.repeat(43)}` },
    { url: seller.url },
  )
  expect([wrong.status, wrong.body.code]).toEqual([401, 'invalid_card_token'])
  const inside = await pay(user, card, { url: 'http://169.254.169.254/latest' })
  expect([inside.status, inside.body.code]).toEqual([400, 'url_not_allowed'])
  expect(seller.paid).toHaveLength(0)
})

test.concurrent('a seller that settles and then fails is paid once, and the agent sees its failure', async () => {
  await using w = await world()
  await using seller = await handMadeSeller({
    amount: 20_000n,
    serve: async ({ response, settle }) => {
      await settle()
      response.writeHead(500).end('out of order')
    },
  })
  const user = await w.user({ treasury: 1 })
  const card = await issueCard(user, 1)
  const paid = await pay(user, card, { url: seller.url })
  expect(paid.status, paid.text).toBe(200)
  expect(paid.body).toMatchObject({
    settlement: { status: 'SETTLED' },
    response: { status: 500, body: 'out of order', body_encoding: 'text' },
    receipt: null,
  })
  expect(await cardOf(user, card)).toMatchObject({ spent: 0.0201, held: 0 })
  expect(seller.paid).toHaveLength(1)
})

test.concurrent('a seller that takes the payment and drops the connection leaves a hold until the chain tells', async () => {
  await using w = await world()
  const takings: { settle?: () => Promise<unknown> } = {}
  await using seller = await handMadeSeller({
    amount: 20_000n,
    serve: ({ request, settle }) => {
      takings.settle = settle
      request.socket.destroy()
    },
  })
  const user = await w.user({ treasury: 1 })
  const card = await issueCard(user, 1)
  const lost = await pay(user, card, { url: seller.url })
  expect(lost.status, lost.text).toBe(202)
  expect(lost.body).toMatchObject({
    success: false,
    code: 'outcome_unknown',
    settlement: { status: 'PENDING', tx_hash: null },
    response: null,
  })
  expect(await cardOf(user, card)).toMatchObject({ spent: 0, held: 0.0201, balance: 0.9799 })
  const id = lost.body.transaction_id
  expect((await user.get(`/api/payments/${id}`)).body.payment.status).toBe('UNKNOWN')
  expect((await user.get(`/api/settlement/status/${id}`)).body.status).toBe('PENDING')

  await takings.settle?.()
  await untilStatus(w, user, id, 'SETTLED')
  expect(await cardOf(user, card)).toMatchObject({ spent: 0.0201, held: 0, balance: 0.9799 })
  await untilFinal(w, user, id)
  expect(await w.faults()).toEqual([])
})

test.concurrent('a payment that nobody settles goes back to the card once the chain is past its end', async () => {
  await using w = await world()
  await using seller = await handMadeSeller({
    amount: 20_000n,
    maxTimeoutSeconds: 5,
    serve: ({ response }) => void response.writeHead(402).end('not good enough'),
  })
  const user = await w.user({ treasury: 1 })
  const card = await issueCard(user, 1, { daily_limit: 0.5 })
  const kept = await pay(user, card, { url: seller.url })
  expect(kept.status, kept.text).toBe(202)
  expect(kept.body).toMatchObject({ code: 'outcome_unknown', response: { status: 402 } })
  await w.advance(3600)
  await w.runJobs()
  const { held } = await cardOf(user, card)
  // On a busy machine the chain may be past its end already.
  const { timestamp } = await w.chain.rpc.getBlock()
  if (timestamp < seller.paid[0]!.authorization.validBefore) expect(held).toBe(0.0201)

  await untilStatus(w, user, kept.body.transaction_id, 'FAILED')
  expect(await cardOf(user, card)).toMatchObject({ spent: 0, held: 0, balance: 1 })
  const status = await user.get(`/api/settlement/status/${kept.body.transaction_id}`)
  expect(status.body.status).toBe('FAILED')
  expect(await readAssetBalance(w.chain, seller.payTo)).toBe(0n)
  expect(await w.faults()).toEqual([])
})

test.concurrent('a forged PAYMENT-RESPONSE settles nothing', async () => {
  await using w = await world()
  const forged = `0x${'ab'.repeat(32)}`
  await using seller = await handMadeSeller({
    amount: 20_000n,
    serve: ({ response }) =>
      void response.writeHead(200, { 'payment-response': paymentResponse(forged) }).end('served'),
  })
  const user = await w.user({ treasury: 1 })
  const card = await issueCard(user, 1)
  const paid = await pay(user, card, { url: seller.url })
  expect(paid.status, paid.text).toBe(200)
  expect(paid.body).toMatchObject({
    settlement: { status: 'PENDING', tx_hash: forged },
    receipt: { success: true, transaction: forged },
    response: { status: 200, body: 'served' },
  })
  const { payment } = (await user.get(`/api/payments/${paid.body.transaction_id}`)).body
  expect(payment).toMatchObject({ status: 'PENDING', tx_hash: null })
  expect(await cardOf(user, card)).toMatchObject({ spent: 0, held: 0.0201 })
})

test.concurrent('max_amount caps all that leaves the card, fee included', async () => {
  await using w = await world()
  await using seller = await officialSeller({ price: '$0.01' })
  const user = await w.user({ treasury: 1 })
  const card = await issueCard(user, 1)
  const refused = await pay(user, card, { url: seller.url, max_amount: '0.01' })
  expect([refused.status, refused.body.code]).toEqual([422, 'no_payable_option'])
  expect(refused.body.challenge.offers).toMatchObject([
    { reason: 'above_max_amount', offer: { amount: '10000' } },
  ])
  expect(seller.paid).toHaveLength(0)
  const paid = await pay(user, card, { url: seller.url, max_amount: '0.01005' })
  expect(paid.status, paid.text).toBe(200)
})

test.concurrent('a seller of x402 version 1 is paid by its own header', async () => {
  await using w = await world()
  await using seller = await handMadeSeller({
    amount: 20_000n,
    version: 1,
    serve: async ({ response, settle }) => {
      await settle()
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"old":true}')
    },
  })
  const user = await w.user({ treasury: 1 })
  const card = await issueCard(user, 1)
  const paid = await pay(user, card, { url: seller.url, method: 'GET' })
  expect(paid.body).toMatchObject({
    settlement: { status: 'SETTLED' },
    response: { body: { old: true } },
  })
  expect(seller.paid).toMatchObject([{ x402Version: 1 }])
})

test.concurrent('only the cheapest honest offer is paid: no other token, chain, or payee of ours', async () => {
  await using w = await world()
  await using seller = await handMadeSeller({
    amount: 20_000n,
    offers: (honest) => [
      { ...honest, amount: '1', asset: `0x${'11'.repeat(20)}` },
      { ...honest, amount: '2', network: 'eip155:1' },
      { ...honest, amount: '3', payTo: w.chain.treasury.address },
      { ...honest, amount: '4', payTo: w.chain.asset.contract },
      { ...honest, amount: '30000' },
      honest,
    ],
    serve: async ({ response, settle }) => {
      await settle()
      response.end('thanks')
    },
  })
  const user = await w.user({ treasury: 1 })
  const card = await issueCard(user, 1)
  const paid = await pay(user, card, { url: seller.url })
  expect(paid.body).toMatchObject({ merchant_amount: 0.02, settlement: { status: 'SETTLED' } })
})

test.concurrent('a redirect is never handed the payment', async () => {
  await using w = await world()
  await using thief = await handMadeSeller({
    amount: 1n,
    serve: ({ response }) => void response.end(),
  })
  await using seller = await handMadeSeller({
    amount: 20_000n,
    serve: ({ response }) => void response.writeHead(307, { location: thief.url }).end(),
  })
  const user = await w.user({ treasury: 1 })
  const card = await issueCard(user, 1)
  const paid = await pay(user, card, { url: seller.url })
  expect(paid.status, paid.text).toBe(202)
  expect(paid.body.response).toMatchObject({ status: 307, headers: { location: thief.url } })
  expect(seller.paid).toHaveLength(1)
  expect(thief.paid).toHaveLength(0)
})

test.concurrent('a seller that cannot be reached with the payment gives it back at once', async () => {
  await using w = await world()
  const seller = await handMadeSeller({ amount: 20_000n, serve: () => undefined })
  const user = await w.user({ treasury: 1 })
  const card = await issueCard(user, 1)
  const { signTypedData } = w.chain.treasury
  // The shop closes between its demand and our payment, while the treasury signs.
  Object.assign(w.chain.treasury, {
    signTypedData: async (typed: Parameters<typeof signTypedData>[0]) => {
      await seller[Symbol.asyncDispose]()
      return signTypedData(typed)
    },
  })
  const failed = await pay(user, card, { url: seller.url }, 'unreachable')
  expect([failed.status, failed.body.code], failed.text).toEqual([502, 'upstream_failed'])
  expect(await cardOf(user, card)).toMatchObject({ spent: 0, held: 0, balance: 1 })
  const again = await pay(user, card, { url: seller.url }, 'unreachable')
  expect([again.status, again.body.code]).toEqual([422, 'payment_rejected'])
  expect(again.body.transaction_id).toBe(failed.body.transaction_id)
})

test.concurrent('simulate tells the price and the decision, and moves nothing', async () => {
  await using w = await world()
  await using seller = await officialSeller({ price: '$0.50' })
  const user = await w.user({ treasury: 1 })
  const card = await issueCard(user, 1, { daily_limit: 0.4 })
  const ask = { card_id: card.id, card_token: card.token, url: seller.url }
  const denied = await user.post('/api/pay/simulate', ask)
  expect(denied.body).toMatchObject({
    allowed: false,
    rule: 'daily_limit_exceeded',
    passes_at: expect.any(String),
    amount: 0.5025,
    platform_fee: 0.0025,
    counters: { daily_limit: 0.4, day_used: 0, balance: 1 },
    offer: { amount: '500000' },
  })
  await user.send('PATCH', `/api/cards/${card.id}/controls`, { daily_limit: 0.6 })
  expect((await user.post('/api/pay/simulate', ask)).body).toMatchObject({
    allowed: true,
    rule: 'within_limits',
  })
  expect(seller.paid).toHaveLength(0)
  expect((await user.get('/api/payments')).body.payments).toEqual([])
})

test.concurrent('discover reads a price without paying; the old operations say where to go', async () => {
  await using w = await world()
  await using seller = await officialSeller({ price: '$0.01' })
  const user = await w.user()
  const found = await user.get(`/api/x402/discover?url=${encodeURIComponent(seller.url)}`)
  expect(found.body).toMatchObject({
    supports_x402: true,
    payment_address: seller.payTo,
    amount: 0.01,
    asset: 'USDC',
    network: w.chain.network,
    accepts: [{ scheme: 'exact' }],
  })
  for (const path of ['/api/x402/pay', '/api/mpp/pay']) {
    const gone = await user.post(path, { any: 'thing' })
    expect(gone.status).toBe(410)
    expect(gone.body).toMatchObject({ code: 'gone', migrate_to: '/api/pay' })
  }
})
