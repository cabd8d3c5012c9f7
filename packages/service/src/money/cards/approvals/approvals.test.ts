import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  directMandate,
  openShop,
  settleBody,
  settleWith,
  termsFor,
} from '../../../../test/actors/ap2/shop.ts'
import { open, payWith } from '../../../../test/actors/attack-kit.ts'
import { eventsOf } from '../../../../test/events-of.ts'
import { officialSeller, type Seller } from '../../../../test/sellers/x402-sellers.ts'
import { type Card, type Reply, type User, type World, world } from '../../../../test/world.ts'
import { run, sql } from '../../../base/db/sql.ts'

let w: World
let seller: Seller
let shop: User
beforeAll(async () => {
  w = await world()
  seller = await officialSeller({ price: '$0.01' })
  shop = await w.user({ treasury: 10 })
})
afterAll(async () => {
  await seller[Symbol.asyncDispose]()
  await w[Symbol.asyncDispose]()
})

const pay = (user: User, card: Card, more: object = {}, key?: string): Promise<Reply> =>
  user.post(
    '/api/pay',
    { card_id: card.id, card_token: card.token, url: seller.url, body: { topic: 'rain' }, ...more },
    key ? { headers: { 'idempotency-key': key } } : {},
  )
const approve = (user: User, id: string) => user.post(`/api/approvals/${id}/approve`)
const deny = (user: User, id: string) => user.post(`/api/approvals/${id}/deny`)
const cardOf = async (user: User, { id }: Card) => (await user.get(`/api/cards/${id}`)).body.card
const approvalOf = async (user: User, id: string) =>
  (await user.get(`/api/approvals/${id}`)).body.approval
const linkOf = async (link: object = {}) => {
  const till = await shop.card({ limit: 1 })
  return (await open(shop, till, { max_uses: 0, ...link })).code
}
const restrictedKey = async (user: User, scopes: string[], more: object = {}): Promise<string> =>
  (await user.post('/api/keys/restricted', { name: 'agent', scopes, ...more })).body.api_key

test('a payment above the amount waits, holds nothing, and is made once after the owner approves it', async () => {
  const user = await w.user()
  const card = await user.card({ approval_above: 0.005 })
  const paidBefore = seller.paid.length

  const asked = await pay(user, card, {}, 'report-1')
  expect(asked.status, asked.text).toBe(202)
  expect(asked.body).toMatchObject({
    success: false,
    code: 'approval_required',
    approval_id: expect.stringMatching(/^apr_/),
    expires_at: expect.any(String),
  })
  const { approval_id: id, approve_url: url } = asked.body
  expect(await cardOf(user, card)).toMatchObject({ held: 0, spent: 0, balance: 5 })
  expect(await approvalOf(user, id)).toMatchObject({
    card_id: card.id,
    status: 'PENDING',
    reason: 'above_amount',
    amount: 0.01005,
    merchants: ['127.0.0.1', seller.payTo],
    protocol: 'x402',
    approve_url: url,
  })
  // The agent may ask as often as it likes: it is one question, and the owner hears of it once.
  expect((await pay(user, card, {}, 'report-1')).body.approval_id).toBe(id)
  expect((await pay(user, card)).body.approval_id).toBe(id)
  const { decisions } = (await user.get(`/api/cards/${card.id}/decisions`)).body
  expect(decisions).toHaveLength(1)

  const approved = await approve(user, id)
  expect(approved.body, approved.text).toMatchObject({
    success: true,
    approval: { id, status: 'APPROVED' },
  })
  const paid = await pay(user, card, {}, 'report-1')
  expect(paid.status, paid.text).toBe(200)
  expect(paid.body).toMatchObject({ outcome: 'paid', amount_debited: 0.01005 })
  expect(await approvalOf(user, id)).toMatchObject({
    status: 'USED',
    used_by: paid.body.transaction_id,
  })
  // The same key has its answer, and the same purchase under a new key is another purchase.
  expect((await pay(user, card, {}, 'report-1')).body.transaction_id).toBe(paid.body.transaction_id)
  const another = await pay(user, card, {}, 'report-2')
  expect(another.status).toBe(202)
  expect(another.body.approval_id).not.toBe(id)
  expect(seller.paid.length).toBe(paidBefore + 1)
  const types = (await eventsOf(w.db.reader, id)).map(({ type }) => type)
  expect(types).toEqual(['approval.requested', 'approval.approved'])
  expect(await w.faults()).toEqual([])
})

test('the page that approve_url names shows the payment, and approves nothing', async () => {
  const user = await w.user()
  const card = await user.card({ approval_above: 0 })
  const { approval_id: id, approve_url: url } = (await pay(user, card)).body
  expect(url).toBe(`${w.services.settings.publicUrl}/approvals/${id}`)
  const page = await w.call('GET', `/approvals/${id}`)
  expect(page.status).toBe(200)
  expect(page.text).toContain('0.01005 USDC to 127.0.0.1')
  expect(page.text).toContain(`npx purser approvals approve ${id}`)
  expect((await w.call('GET', '/approvals/apr_unknown')).status).toBe(404)
})

test('only the owner answers: neither another wallet, nor a key without the scope, the card or the amount', async () => {
  const [user, stranger] = [await w.user(), await w.user()]
  const [card, other] = [await user.card({ approval_above: 0 }), await user.card()]
  const { approval_id: id } = (await pay(user, card)).body
  expect((await approve(stranger, id)).status).toBe(404)
  expect((await stranger.get(`/api/approvals/${id}`)).status).toBe(404)
  expect((await stranger.get('/api/approvals')).body.approvals).toEqual([])
  const answers: [scopes: string[], more: object, code: string][] = [
    [['payments:write', 'cards:write', 'controls:write'], {}, 'forbidden_scope'],
    [['approvals:read'], {}, 'forbidden_scope'],
    [['approvals:write'], { card_ids: [other.id] }, 'not_found'],
    [['approvals:write'], { max_amount: 0.001 }, 'forbidden_scope'],
  ]
  for (const [scopes, more, code] of answers) {
    const key = await restrictedKey(user, scopes, more)
    const refused = await user.post(`/api/approvals/${id}/approve`, undefined, { key })
    expect(refused.body.code, JSON.stringify(more)).toBe(code)
  }
  // The token of the card pays, and answers nothing.
  const byToken = await user.post(`/api/approvals/${id}/approve`, undefined, { key: card.token })
  expect(byToken.status).toBe(403)
  expect((await approvalOf(user, id)).status).toBe('PENDING')
  const key = await restrictedKey(user, ['approvals:write'], { card_ids: [card.id] })
  expect((await user.post(`/api/approvals/${id}/approve`, undefined, { key })).status).toBe(200)
  expect((await approve(user, id)).body.approval.status).toBe('APPROVED')
})

test('a grant is for its card, payee, amount, rail and request, and for ten minutes', async () => {
  const user = await w.user()
  const card = await user.card({ approval_above: 0 })
  const twin = await user.card({ approval_above: 0 })
  const [code, otherCode] = [await linkOf({ amount: null }), await linkOf({ amount: null })]
  const byCard = (one: Card, more: object = {}, link = code) =>
    w.call('POST', `/api/pay/${link}/settle`, {
      payer_card_id: one.id,
      payer_card_token: one.token,
      amount: 1,
      ...more,
    })
  const asked = await byCard(card)
  expect(asked.status).toBe(403)
  expect(asked.body).toMatchObject({ code: 'approval_required', success: false })
  const { approval_id: id } = asked.body
  await approve(user, id)
  const travels = {
    card: await byCard(twin),
    payee: await byCard(card, {}, otherCode),
    amount: await byCard(card, { amount: 1.000001 }),
    rail: await byCard(card, { protocol: 'mpp' }),
    request: await pay(user, card, { approval_id: id }),
  }
  for (const [name, refused] of Object.entries(travels)) {
    expect(refused.body.code, name).toBe('approval_required')
    expect(refused.body.approval_id, name).not.toBe(id)
  }
  expect(await cardOf(user, card)).toMatchObject({ spent: 0, held: 0 })
  await w.advance(601)
  const late = await byCard(card)
  expect(late.body.code).toBe('approval_required')
  expect(late.body.approval_id).not.toBe(id)
  expect((await approvalOf(user, id)).status).toBe('EXPIRED')
  await w.runJobs()
  expect((await eventsOf(w.db.reader, id)).at(-1)?.type).toBe('approval.expired')
  // Less than was approved is within the grant.
  await approve(user, late.body.approval_id)
  expect((await byCard(card, { amount: 0.5 })).status).toBe(200)
  expect((await byCard(card, { amount: 0.5 })).body.code).toBe('approval_required')
  expect(await cardOf(user, card)).toMatchObject({ spent: 0.5 })
})

test('approval_id names the only grant that is used', async () => {
  const user = await w.user()
  const card = await user.card({ approval_above: 0 })
  const { approval_id: id } = (await pay(user, card)).body
  await approve(user, id)
  const wrong = await pay(user, card, { approval_id: 'apr_00000000000000000000000000' })
  expect(wrong.status).toBe(202)
  const right = await pay(user, card, { approval_id: id })
  expect(right.status, right.text).toBe(200)
})

test('a grant is used once by a thousand tries on two machines', async () => {
  const user = await w.user()
  const card = await user.card({ limit: 2_000, approval_above: 0 })
  const code = await linkOf()
  await using other = await w.machine()
  const { approval_id: id } = (await payWith(w, code, card)).body
  await approve(user, id)
  for (let round = 0; round < 10; round++) {
    const tries = await Promise.all(
      Array.from({ length: 100 }, (_, i) => payWith(i % 2 ? w : other, code, card)),
    )
    const paid = tries.filter(({ status }) => status === 200)
    const others = tries.filter(({ body }) => body.code === 'approval_required')
    expect(paid).toHaveLength(round === 0 ? 1 : 0)
    expect(paid.length + others.length).toBe(100)
    // All who come too late ask one question.
    expect(new Set(others.map(({ body }) => body.approval_id)).size).toBe(1)
  }
  expect(await cardOf(user, card)).toMatchObject({ spent: 1 })
  expect((await user.get(`/api/approvals?card_id=${card.id}`)).body.approvals).toHaveLength(2)
  expect(await w.faults()).toEqual([])
})

test('an answer on one machine counts at once on another, also after a restart', async () => {
  const user = await w.user()
  const card = await user.card({ approval_above: 0 })
  const { approval_id: id } = (await pay(user, card, {}, 'k')).body
  {
    await using other = await w.machine()
    expect((await approve(other.as(user), id)).status).toBe(200)
  }
  await using restarted = await w.machine()
  const paid = await pay(restarted.as(user), card, {}, 'k')
  expect(paid.status, paid.text).toBe(200)
})

test('a refused payment stays refused, and a grant can be taken back', async () => {
  const user = await w.user()
  const card = await user.card({ approval_above: 0 })
  const code = await linkOf()
  const { approval_id: id } = (await payWith(w, code, card)).body
  await approve(user, id)
  expect((await deny(user, id)).body.approval.status).toBe('DENIED')
  const refused = await payWith(w, code, card)
  expect(refused.body).toMatchObject({ code: 'approval_denied' })
  expect((await approve(user, id)).body.code).toBe('invalid_state')
  await w.advance(86_401)
  expect((await payWith(w, code, card)).body.code).toBe('approval_required')
})

test('asking is free, so twenty payments of a card wait at most', async () => {
  const user = await w.user()
  const card = await user.card({ approval_above: 0 })
  const code = await linkOf({ amount: null })
  const ask = (amount: number) =>
    w.call('POST', `/api/pay/${code}/settle`, {
      payer_card_id: card.id,
      payer_card_token: card.token,
      amount,
    })
  const tries = await Promise.all(Array.from({ length: 40 }, (_, i) => ask((100 + i) / 100)))
  const codes = tries.map(({ status, body }) => `${status} ${body.code}`)
  expect([...new Set(codes)].sort()).toEqual(['403 approval_required', '429 approvals_wait'])
  // A payment for less than one that waits is the same question.
  expect(new Set(tries.flatMap(({ body }) => body.approval_id ?? [])).size).toBe(20)
  const page = (await user.get('/api/approvals?status=PENDING&limit=30')).body
  expect(page.approvals).toHaveLength(20)
  await deny(user, page.approvals[0].id)
  expect((await ask(3)).body.code).toBe('approval_required')
})

test('the first payment to each payee waits, and a payee is known once it was approved', async () => {
  const user = await w.user()
  const card = await user.card({ approval_first_merchant: true })
  const [code, another] = [await linkOf(), await linkOf()]
  const asked = await payWith(w, code, card)
  expect(asked.body.code).toBe('approval_required')
  expect(await approvalOf(user, asked.body.approval_id)).toMatchObject({
    reason: 'first_merchant',
    payee: shop.wallet,
  })
  await approve(user, asked.body.approval_id)
  expect((await payWith(w, code, card)).status).toBe(200)
  // Another link of the same wallet pays the same payee.
  expect((await payWith(w, another, card)).status).toBe(200)
  expect((await pay(user, card)).status).toBe(202)
})

test('an AP2 settlement is refused with the approval, and the same mandate settles after it', async () => {
  const ap2 = await openShop(w)
  const { payer, card, link, userKey } = ap2
  const controls = { approval_above: 20 }
  await payer.send('PATCH', `/api/cards/${card.id}/controls`, controls)
  const body = settleBody(ap2, await directMandate(termsFor(w, link, card), userKey))
  const refused = await settleWith(payer, body)
  expect(refused.status).toBe(422)
  expect(refused.body).toMatchObject({
    code: 'approval_required',
    approve_url: expect.stringContaining('/approvals/apr_'),
    receipt: expect.any(String),
  })
  await approve(payer, refused.body.approval_id)
  expect((await settleWith(payer, body)).status).toBe(201)
  const again = await ap2.openLink()
  const mandate = await directMandate(termsFor(w, again, card), userKey)
  const second = settleBody(ap2, mandate, { pay_link_code: again.code })
  expect((await settleWith(payer, second)).body.code).toBe('approval_required')
})

test('a stream and a card token wait too', async () => {
  const user = await w.user()
  const card = await user.card({ approval_above: 0.5 })
  const receiver = await shop.card({ limit: 1 })
  const stream = { card_id: card.id, card_token: card.token, budget: 2, tick_amount: 0.1 }
  const openIt = () =>
    user.post('/api/mpp/stream/open', { ...stream, receiver_card_id: receiver.id })
  const asked = await openIt()
  expect(asked.status).toBe(202)
  await approve(user, asked.body.approval_id)
  const opened = await openIt()
  expect(opened.status, opened.text).toBe(200)
  expect((await approvalOf(user, asked.body.approval_id)).used_by).toBe(opened.body.id)
  const code = await linkOf()
  const demand = await w.call('GET', `/pay/${code}`)
  const challenge = String(demand.headers['www-authenticate'])
  const token = await w.call('POST', '/api/mpp/agentcard', {
    card_id: card.id,
    card_token: card.token,
    challenge,
  })
  expect(token.status, token.text).toBe(202)
  expect(token.body.code).toBe('approval_required')
})

test('no grant survives a change of hands', async () => {
  const [user, buyer] = [await w.user(), await w.user()]
  const card = await user.card({ approval_above: 0 })
  const code = await linkOf()
  const { approval_id: id } = (await payWith(w, code, card)).body
  await approve(user, id)
  const to = { to_wallet: buyer.wallet }
  expect((await user.post(`/api/cards/${card.id}/transfer`, to)).status).toBe(200)
  const { token } = (await buyer.post(`/api/cards/${card.id}/rotate-token`)).body.card
  const tried = await payWith(w, code, { ...card, token })
  expect(tried.body.code).toBe('approval_required')
  expect(tried.body.approval_id).not.toBe(id)
  expect((await buyer.get(`/api/approvals/${id}`)).status).toBe(404)
  expect((await approve(user, tried.body.approval_id)).status).toBe(404)
})

test('the database lets no grant be used twice, late, or changed', async () => {
  const user = await w.user()
  const card = await user.card({ approval_above: 0 })
  const { approval_id: id } = (await payWith(w, await linkOf(), card)).body
  const set = (change: ReturnType<typeof sql>) =>
    w.write((tx) => run(tx, sql`update card_approvals set ${change} where id = ${id}`))
  await expect(set(sql`amount = 5`)).rejects.toThrow()
  await expect(
    set(sql`status = 'USED', used_at = now(), used_by = 'stl_1', decided_at = now()`),
  ).rejects.toThrow()
  await approve(user, id)
  await expect(set(sql`status = 'USED', used_at = expires_at, used_by = 'stl_1'`)).rejects.toThrow(
    'used_in_time',
  )
  await set(sql`status = 'DENIED'`)
  await expect(set(sql`status = 'APPROVED'`)).rejects.toThrow()
})
