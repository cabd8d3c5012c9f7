import { expect, test } from 'vitest'
import { issue } from '../../../test/actors/attack-kit.ts'
import { ask, NETWORK, newAddress, PRICE } from '../../../test/actors/facilitator-kit.ts'
import { freshAccount } from '../../../test/world/chain.ts'
import { type User, type World, world } from '../../../test/world.ts'
import { sql } from '../../base/db/sql.ts'
import { amount } from '../../base/kernel/money.ts'
import { randomToken } from '../../base/kernel/secrets.ts'
import { readAssetBalance } from '../../chain/client/reads.ts'

const RESOURCE = 'https://shop.example/report'

/** A seller, a payer, and a payment of the payer to the seller's wallet. */
async function stage(w: World, usdc = 1_000_000n) {
  await w.withGas()
  const seller = await w.user({ treasury: 10 })
  const payer = await freshAccount({ usdc })
  const x402 = await ask(payer, seller.account.address)
  const paid = () => readAssetBalance(w.chain, seller.account.address)
  return { seller, payer, x402, paid }
}
const claim = (seller: User, x402: object, more: object = {}) =>
  seller.post('/api/paywall/payments', {
    ...{ attempt: randomToken(), resource: RESOURCE, request: 'one', x402 },
    ...more,
  })
const settle = (seller: User, id: string, body: object) =>
  seller.post(`/api/paywall/payments/${id}/settle`, body)
const rows = (w: World) =>
  sql<{ state: string }>`select state from paywall_payments`.execute(w.db.reader)

test('ten calls at once open one link, on the card that can receive, and all get the same terms', async () => {
  await using w = await world()
  const { seller } = await stage(w)
  expect((await seller.post('/api/paywall', {})).body.card_link).toBeNull()
  const card = await issue(seller, 1)
  const calls = Array.from({ length: 10 }, () => seller.post('/api/paywall', {}))
  const all = (await Promise.all(calls)).map(({ body }) => body)
  expect(new Set(all.map((body) => JSON.stringify(body))).size).toBe(1)
  expect(all[0]).toMatchObject({
    wallet_address: seller.account.address,
    network: NETWORK,
    network_v1: 'base-sepolia',
    is_on_chain: true,
    card_link: expect.stringMatching(/^PL_/),
    challenge_key: expect.stringMatching(/^[\w-]{43}$/),
  })
  const { links } = (await seller.get('/api/paylinks')).body
  expect(links).toMatchObject([{ card_id: card.id, code: all[0].card_link }])
  const stranger = await w.user()
  expect((await stranger.post('/api/paywall', {})).body.challenge_key).not.toBe(
    all[0].challenge_key,
  )
  const foreign = await stranger.post('/api/paywall', { card_id: card.id })
  expect([foreign.status, foreign.body.code]).toEqual([404, 'not_found'])
  // A link that its owner has closed is replaced.
  await seller.send('DELETE', `/api/paylinks/${all[0].card_link}`)
  const next = (await seller.post('/api/paywall', { card_id: card.id })).body.card_link
  expect(next).toMatch(/^PL_/)
  expect(next).not.toBe(all[0].card_link)
})

test('of ten claims at once, on two machines, one serves', async () => {
  await using w = await world()
  await using other = await w.machine()
  const { seller, x402 } = await stage(w)
  const there = other.as(seller)
  const all = await Promise.all(
    Array.from({ length: 10 }, (_, i) => claim(i % 2 ? seller : there, x402)),
  )
  const states = all.map(({ body }) => body.status).toSorted()
  expect(states).toEqual([...Array(9).fill('busy'), 'claimed'])
})

test('a repeated call of one attempt gets its claim again', async () => {
  await using w = await world()
  const { seller, x402 } = await stage(w)
  const attempt = randomToken()
  const [first, again] = [
    await claim(seller, x402, { attempt }),
    await claim(seller, x402, { attempt }),
  ]
  expect(first.body.status).toBe('claimed')
  expect(again.body).toEqual(first.body)
})

test('what would not settle leaves no row', async () => {
  await using w = await world()
  const { seller, x402, payer } = await stage(w, 1n)
  const poor = await claim(seller, x402)
  expect(poor.body).toMatchObject({
    status: 'refused',
    id: null,
    reason: 'invalid_exact_evm_insufficient_balance',
  })
  const elsewhere = await claim(seller, await ask(payer, newAddress()))
  expect(elsewhere.body).toMatchObject({ reason: 'invalid_payment_requirements' })
  const none = await seller.post('/api/paywall/payments', {
    ...{ attempt: randomToken(), resource: RESOURCE, request: 'one' },
  })
  expect([none.status, none.body.code]).toEqual([400, 'invalid_payment'])
  expect((await rows(w)).rows).toEqual([])
})

test('a payment is settled by the attempt that claimed it, and by nobody else', async () => {
  await using w = await world()
  const { seller, x402, paid } = await stage(w)
  const attempt = randomToken()
  const { id } = (await claim(seller, x402, { attempt })).body
  const foreign = await settle(seller, id, { attempt: randomToken(), x402 })
  expect([foreign.status, foreign.body.code]).toEqual([409, 'invalid_state'])
  const other = await ask(await freshAccount({ usdc: PRICE }), seller.account.address)
  const swapped = await settle(seller, id, { attempt, x402: other })
  expect([swapped.status, swapped.body.code]).toEqual([409, 'invalid_state'])
  const stranger = await w.user()
  expect((await settle(stranger, id, { attempt, x402 })).status).toBe(404)
  expect(await paid()).toBe(0n)
  const answer = Buffer.from('sealed').toString('base64')
  const calls = Array.from({ length: 5 }, () => settle(seller, id, { attempt, x402, answer }))
  const all = (await Promise.all(calls)).map(({ body }) => body)
  // The answer to any of them may be lost, so each says that this attempt gives the goods.
  expect(all.every(({ status, is_first }) => status === 'settled' && is_first)).toBe(true)
  expect(await paid()).toBe(PRICE)
  const used = await claim(seller, x402)
  // Its bytes can be made from what the chain shows, so the answer is given to nobody again.
  expect(used.body).toMatchObject({ status: 'used', answer: null, receipt: { amount: '10000' } })
})

test('an attempt whose payment has to wait for gas keeps its claim, and takes the money by a later call', async () => {
  const gas = { minimum: amount(1n), sellerPerDay: 1n as bigint | null }
  await using w = await world({ settings: { gas } })
  const { seller, x402, paid } = await stage(w)
  const attempt = randomToken()
  const { id } = (await claim(seller, x402, { attempt })).body
  for (const _ of [1, 2]) {
    const held = await settle(seller, id, { attempt, x402 })
    expect([held.status, held.body.code], held.text).toEqual([429, 'gas_budget_spent'])
  }
  expect((await claim(seller, x402)).body.status).toBe('busy')
  expect(await paid()).toBe(0n)
  gas.sellerPerDay = null
  const taken = await settle(seller, id, { attempt, x402 })
  expect(taken.body, taken.text).toMatchObject({ status: 'settled', is_first: true })
  expect(await paid()).toBe(PRICE)
})

test('a lease that is over lets the same payment be served again, and its late first attempt gives nothing', async () => {
  await using w = await world()
  const { seller, x402, paid } = await stage(w)
  const [slow, quick] = [randomToken(), randomToken()]
  const { id } = (await claim(seller, x402, { attempt: slow, lease_seconds: 5 })).body
  await w.advance(6)
  expect((await claim(seller, x402, { attempt: quick, request: 'other' })).body.status).toBe('used')
  const next = await claim(seller, x402, { attempt: quick })
  expect(next.body).toMatchObject({ status: 'claimed', id })
  expect((await settle(seller, id, { attempt: slow, x402 })).status).toBe(409)
  expect((await settle(seller, id, { attempt: quick, x402 })).body).toMatchObject({
    is_first: true,
  })
  expect(await paid()).toBe(PRICE)
})

test('an attempt that died after it sent the payment is gone on with: one transfer, one answer', async () => {
  await using w = await world()
  const { seller, x402, paid } = await stage(w)
  await claim(seller, x402, { lease_seconds: 5 })
  // The process dies between the facilitator's commit and the row of the paywall.
  const { nonce, from } = x402.paymentPayload.payload.authorization as Record<string, string>
  const { asset } = x402.paymentRequirements
  const key = `paywall:x402:${NETWORK}:${asset}:${from}:${nonce}`
  const sent = await seller.post('/api/x402/settle', x402, { headers: { 'idempotency-key': key } })
  expect(sent.body).toMatchObject({ success: true })
  await w.advance(6)
  const attempt = randomToken()
  const next = await claim(seller, x402, { attempt })
  expect(next.body).toMatchObject({ status: 'claimed' })
  const end = await settle(seller, next.body.id, { attempt, x402 })
  expect(end.body).toMatchObject({
    ...{ status: 'settled', is_first: true },
    receipt: { transaction: sent.body.transaction },
  })
  expect(await paid()).toBe(PRICE)
})

test('a payment that is given back may be presented again, for another request too', async () => {
  await using w = await world()
  const { seller, x402, paid } = await stage(w)
  const attempt = randomToken()
  const { id } = (await claim(seller, x402, { attempt })).body
  const foreign = await seller.post(`/api/paywall/payments/${id}/release`, {
    attempt: randomToken(),
  })
  expect(foreign.status).toBe(200)
  expect((await claim(seller, x402)).body.status).toBe('busy')
  await seller.post(`/api/paywall/payments/${id}/release`, { attempt })
  expect((await claim(seller, x402, { request: 'two' })).body.status).toBe('claimed')
  expect(await paid()).toBe(0n)
})

test('money that is taken first buys the goods until they are given, and once', async () => {
  await using w = await world()
  const { seller, x402, paid } = await stage(w)
  const [first, second] = [randomToken(), randomToken()]
  const { id } = (await claim(seller, x402, { attempt: first })).body
  const taken = await settle(seller, id, { attempt: first, x402, serve_after: true })
  expect(taken.body).toMatchObject({ status: 'settled', is_first: true })
  expect((await claim(seller, x402)).body.status).toBe('busy')
  await seller.post(`/api/paywall/payments/${id}/release`, { attempt: first })
  expect((await claim(seller, x402, { attempt: second })).body.status).toBe('paid')
  expect((await settle(seller, id, { attempt: first, x402 })).body.is_first).toBe(false)
  const third = randomToken()
  for (const attempt of [second, third]) {
    for (const _ of [1, 2])
      expect((await settle(seller, id, { attempt, x402 })).body.is_first).toBe(true)
    expect((await claim(seller, x402)).body.status).toBe('used')
    expect((await settle(seller, id, { attempt: first, x402 })).body.is_first).toBe(false)
    // An attempt that gave nothing after all, since it never heard that it was to.
    await seller.post(`/api/paywall/payments/${id}/release`, { attempt })
    if (attempt === second)
      expect((await claim(seller, x402, { attempt: third })).body.status).toBe('paid')
  }
  const late = await claim(seller, x402, { attempt: second })
  expect(late.body.status).toBe('paid')
  expect(await paid()).toBe(PRICE)
})

test('rows are forgotten after two days, and what they paid buys nothing more', async () => {
  await using w = await world()
  const { seller, x402 } = await stage(w)
  const attempt = randomToken()
  const { id } = (await claim(seller, x402, { attempt })).body
  await settle(seller, id, { attempt, x402 })
  await w.advance(49 * 3_600)
  await w.runJobs()
  expect((await rows(w)).rows).toEqual([])
  expect((await claim(seller, x402)).body).toMatchObject({ status: 'refused' })
})
