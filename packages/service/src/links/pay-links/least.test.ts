/** A link whose payer chooses the amount may name the least: every view shows it, and every way to pay holds to it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { open, report } from '../../../test/actors/attack-kit.ts'
import { issueFor, monthly, prepare } from '../../../test/billing/kit.ts'
import { freshAccount } from '../../../test/world/chain.ts'
import { type Card, type User, type World, world } from '../../../test/world.ts'
import { sql } from '../../base/db/sql.ts'

let w: World
let seller: User
let payer: User
let till: Card
let card: Card
beforeAll(async () => {
  w = await world()
  await w.withGas()
  ;[seller, payer] = await Promise.all([w.user({ treasury: 10 }), w.user({ treasury: 50 })])
  till = await issueFor(seller, 1)
  card = await issueFor(payer, 50)
})
afterAll(async () => {
  expect(await w.faults()).toEqual([])
  await w[Symbol.asyncDispose]()
})

const LEAST = { amount: null, min_amount: '0.50', type: 'RECURRING', max_uses: 0 }
const payByCard = (code: string, amount: number) =>
  w.call('POST', `/api/pay/${code}/settle`, {
    ...{ payer_card_id: card.id, payer_card_token: card.token, amount },
  })

test('every view of the link shows it, and a link without one has no such field', async () => {
  const made = (await seller.post('/api/paylinks', { card_id: till.id, ...LEAST })).body
  const { code } = made
  const listed = (await seller.get('/api/paylinks')).body.links.find(
    (one: any) => one.code === code,
  )
  const prepared = (await w.call('GET', `/api/pay/${code}/prepare`)).body.payment
  const demanded = (await w.call('GET', `/pay/${code}`)).body.pay_link
  const views = [
    ...[made, made.pay_link, listed, prepared, demanded],
    (await w.call('GET', `/api/paylinks/${code}`)).body,
    (await w.call('GET', `/api/pay/${code}/resolve`)).body,
  ]
  expect(views.map((view) => view.min_amount)).toEqual(views.map(() => '0.5'))
  const page = await w.call('GET', `/pay/${code}`, undefined, { headers: { accept: 'text/html' } })
  expect(page.text).toContain('0.50 USDC or more')
  expect(page.text).toContain('At least 0.50')
  const without = (await seller.post('/api/paylinks', { card_id: till.id })).body
  expect(without).not.toHaveProperty('min_amount')
})

test.each([
  [{ amount: 1, min_amount: 0.5 }, 'invalid_field'],
  [{ min_amount: 0 }, 'invalid_amount'],
  [{ min_amount: '-1' }, 'invalid_amount'],
  [{ min_amount: '0.0000001' }, 'invalid_amount'],
])('%j is refused', async (body, code) => {
  const reply = await seller.post('/api/paylinks', { card_id: till.id, ...body })
  expect([reply.status, reply.body.code]).toEqual([400, code])
})

test('less is refused by every way to pay that asks first', async () => {
  const { code } = await open(seller, till, LEAST)
  const less = await payByCard(code, 0.499999)
  expect([less.status, less.body.code, less.body.minimum]).toEqual([
    422,
    'amount_below_minimum',
    '500000',
  ])
  const chosen = await w.call('GET', `/pay/${code}?amount=0.499999`)
  expect([chosen.status, chosen.body.code]).toEqual([422, 'amount_below_minimum'])
  const page = await w.call('GET', `/pay/${code}?amount=0.1`, undefined, {
    headers: { accept: 'text/html' },
  })
  expect(page.text).toContain('takes 0.5 USDC or more')
  const recurring = await prepare(payer, monthly(code, { payer_card_id: card.id, amount: 0.4 }))
  expect([recurring.status, recurring.body.code]).toEqual([422, 'amount_below_minimum'])
  expect((await w.call('GET', `/api/paylinks/${code}`)).body.uses).toBe(0)
  expect((await payByCard(code, 0.5)).status).toBe(200)
  expect((await w.call('GET', `/pay/${code}?amount=0.5`)).status).toBe(402)
})

test('less that arrives on chain is an exception that the seller can refund', async () => {
  const link = await open(seller, till, LEAST)
  const sender = await freshAccount({ usdc: 5_000_000n })
  for (const [value, status] of [
    [499_999n, 422],
    [500_000n, 200],
  ] as const) {
    const hash = await w.transfer(sender, link.deposit_address, value)
    await w.safe()
    expect((await report(w, link.code, hash)).status).toBe(status)
  }
  const { exceptions } = (await seller.get(`/api/exceptions?pay_link_code=${link.code}`)).body
  expect(exceptions).toMatchObject([{ reason: 'short', status: 'OPEN', amount: 0.499999 }])
  expect((await w.call('GET', `/api/paylinks/${link.code}`)).body.uses).toBe(1)
})

// A receiver adds up its list to see what was sent to it.
test('a payment whose fee takes all of it stands in the list of its receiver, by every way', async () => {
  const shop = await issueFor(seller, 1)
  const dust = { amount: '0.000001', max_uses: 0, type: 'RECURRING' }
  const { code, deposit_address: address } = await open(seller, shop, dust)
  expect((await payByCard(code, 0.000001)).status).toBe(200)
  const asked = await w.call('GET', `/pay/${code}`)
  const token = await w.call('POST', '/api/mpp/agentcard', {
    ...{ card_id: card.id, card_token: card.token },
    challenge: [asked.headers['www-authenticate']].flat().join(', '),
  })
  expect(token.status, token.text).toBe(200)
  const authorization = token.body.credential
  expect(
    (await w.call('GET', `/pay/${code}`, undefined, { headers: { authorization } })).status,
  ).toBe(200)
  const hash = await w.transfer(await freshAccount({ usdc: 1n }), address, 1n)
  await w.safe()
  expect((await report(w, code, hash)).status).toBe(200)
  const named = { card_id: card.id, card_token: card.token }
  const terms = { ...named, budget: '0.000001', tick_amount: '0.000001' }
  const stream = await payer.post('/api/mpp/stream/open', { ...terms, receiver_card_id: shop.id })
  expect(stream.status, stream.text).toBe(200)
  await payer.post('/api/mpp/stream/tick', { ...named, stream_id: stream.body.id })
  await payer.post('/api/mpp/stream/close', { stream_id: stream.body.id })

  const { payments } = (await seller.get(`/api/payments?card_id=${shop.id}`)).body
  const row = { direction: 'received', status: 'SETTLED', amount: 0, fee: 0.000001 }
  expect(payments).toMatchObject([row, row, row, row])
  expect(payments.map(({ protocol }: { protocol: string }) => protocol)).toEqual([
    'mpp',
    'onchain',
    'mpp',
    'card',
  ])
  const { events } = (await seller.get('/api/events?type=payment.settled&limit=100')).body
  const inEvents = events.map(({ data }: any) => data.transaction_id)
  expect(inEvents).toEqual(expect.arrayContaining(payments.map(({ id }: { id: string }) => id)))
  for (const { id } of payments) {
    const refund = await seller.post(`/api/payments/${id}/refund`)
    expect([refund.status, refund.body.code]).toEqual([409, 'invalid_state'])
  }
})

test('the database keeps the least as the link was made', async () => {
  const { code } = await open(seller, till, LEAST)
  for (const change of [
    sql`update pay_links set min_amount = 1 where code = ${code}`,
    sql`update pay_links set amount = 1 where code = ${code}`,
  ])
    await expect(w.write((tx) => change.execute(tx))).rejects.toThrow()
})
