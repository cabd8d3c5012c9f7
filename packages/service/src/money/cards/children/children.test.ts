import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addKey,
  directMandate,
  openShop,
  settleBody,
  settleWith,
  termsFor,
} from '../../../../test/actors/ap2/shop.ts'
import { open, payWith } from '../../../../test/actors/attack-kit.ts'
import { officialSeller } from '../../../../test/sellers/x402-sellers.ts'
import { type Card, type User, type World, world } from '../../../../test/world.ts'
import { run, sql } from '../../../base/db/sql.ts'

let w: World
let shop: User
let till: Card
beforeAll(async () => {
  w = await world()
  shop = await w.user({ treasury: 10 })
  till = await shop.card({ limit: 1 })
})
afterAll(() => w[Symbol.asyncDispose]())

const linkOf = async (link: object = {}) => (await open(shop, till, { max_uses: 0, ...link })).code
const slice = (user: User, { id }: Card, order: object = {}, options?: { key: string }) =>
  user.post(`/api/cards/${id}/children`, { purpose: 'slice', limit_amount: 2, ...order }, options)
const childOf = async (user: User, card: Card, order: object = {}): Promise<Card> => {
  const made = await slice(user, card, order)
  if (made.status !== 200) throw new Error(made.text)
  return made.body.card
}
const cardOf = async (user: User, { id }: Card) => (await user.get(`/api/cards/${id}`)).body.card
const controls = (user: User, { id }: Card, change: object) =>
  user.send('PATCH', `/api/cards/${id}/controls`, change)

test('a child has a part of the money, and what it spends counts on every card above', async () => {
  const user = await w.user()
  const root = await user.card({ limit: 10, daily_limit: 8, max_transaction: 3 })
  const made = await slice(user, root, { limit_amount: 4 })
  expect(made.status, made.text).toBe(200)
  expect(made.body.card).toMatchObject({
    parent_card_id: root.id,
    balance: 4,
    remaining: 4,
    token: expect.stringMatching(/^tok_/),
  })
  const child = made.body.card
  const grandchild = await childOf(user, child, { limit_amount: 1.5 })
  const code = await linkOf()
  expect((await payWith(w, code, child)).status).toBe(200)
  expect((await payWith(w, code, grandchild)).status).toBe(200)
  expect(await cardOf(user, root)).toMatchObject({ balance: 6, spent: 0, delegated: 2 })
  expect(await cardOf(user, child)).toMatchObject({ balance: 1.5, spent: 1, delegated: 1 })
  expect(await cardOf(user, grandchild)).toMatchObject({ balance: 0.5, spent: 1 })
  const children = (await user.get(`/api/cards/${root.id}/children`)).body.cards
  expect(children).toMatchObject([{ id: child.id, parent_card_id: root.id }])
  expect(await w.faults()).toEqual([])
})

test('a child is issued within the card above: money, limits, end and depth', async () => {
  const user = await w.user()
  const root = await user.card({ limit: 5, max_transaction: 1, daily_limit: 3, expires_in: 10 })
  const refusals: [order: object, code: string][] = [
    [{ limit_amount: 5.000001 }, 'insufficient_funds'],
    [{ max_transaction: 2 }, 'invalid_field'],
    [{ daily_limit: 4 }, 'invalid_field'],
    [{ expires_in: 11 }, 'invalid_field'],
    [{ settlement_mode: 'DIRECT' }, 'invalid_field'],
  ]
  for (const [order, code] of refusals)
    expect((await slice(user, root, order)).body.code, JSON.stringify(order)).toBe(code)
  const child = await childOf(user, root)
  expect((await cardOf(user, child)).expires_at).toBe((await cardOf(user, root)).expires_at)
  const third = await childOf(user, await childOf(user, child, { limit_amount: 1.5 }), {
    limit_amount: 1,
  })
  expect((await slice(user, third, { limit_amount: 0.5 })).body.code).toBe('invalid_state')
  const single = await user.card({ single_use: true })
  expect((await slice(user, single)).body.code).toBe('invalid_state')
  const fund = await user.post(`/api/cards/${child.id}/fund`, { amount: 1 })
  expect(fund.status).toBe(409)
})

test('limits that are lowered after the hand-over hold for the next payment of the child', async () => {
  const user = await w.user()
  const root = await user.card({ limit: 10 })
  const child = await childOf(user, root, { limit_amount: 5 })
  const code = await linkOf()
  expect((await payWith(w, code, child)).status).toBe(200)
  for (const [change, refusal] of [
    [{ max_transaction: 0.5 }, 'max_transaction_exceeded'],
    [{ max_transaction: null, daily_limit: 1.5 }, 'daily_limit_exceeded'],
    [{ daily_limit: null, hourly_limit: 1.5 }, 'hourly_limit_exceeded'],
    [{ hourly_limit: null, weekly_limit: 1.5 }, 'weekly_limit_exceeded'],
    [{ weekly_limit: null, monthly_limit: 1.5 }, 'monthly_limit_exceeded'],
    [{ monthly_limit: null, allowed_merchants: ['api.example'] }, 'merchant_not_allowed'],
    [{ allowed_merchants: [], mcc_locks: '5734' }, 'mcc_blocked'],
    [{ mcc_locks: '', approval_above: 0.5 }, 'approval_required'],
  ] as const) {
    await controls(user, root, change)
    expect((await payWith(w, code, child)).body.code, refusal).toBe(refusal)
  }
  // The owner's grant is for the child, and the rule of the card above asks.
  const asked = await payWith(w, code, child)
  await user.post(`/api/approvals/${asked.body.approval_id}/approve`)
  expect((await payWith(w, code, child)).status).toBe(200)
  expect((await payWith(w, code, child)).body.code).toBe('approval_required')
  expect(await w.faults()).toEqual([])
})

test('a frozen or cancelled card stops all below it at once, and their money comes back', async () => {
  const user = await w.user()
  const root = await user.card({ limit: 10 })
  const child = await childOf(user, root, { limit_amount: 4 })
  const below = await childOf(user, child, { limit_amount: 1 })
  const code = await linkOf()
  await user.post(`/api/cards/${root.id}/freeze`)
  expect((await payWith(w, code, below)).body.code).toBe('card_frozen')
  await user.post(`/api/cards/${root.id}/unfreeze`)
  expect((await payWith(w, code, below)).status).toBe(200)
  // A child that is cancelled gives its money back to the card above.
  await user.post(`/api/cards/${below.id}/cancel`)
  const spare = await childOf(user, root, { limit_amount: 2 })
  await user.post(`/api/cards/${spare.id}/cancel`)
  expect(await cardOf(user, root)).toMatchObject({ balance: 6, status: 'ACTIVE' })
  const before = (await user.get('/api/balance')).body.balances[0].available
  await user.post(`/api/cards/${root.id}/cancel`)
  for (const card of [root, child, below, spare])
    expect(await cardOf(user, card)).toMatchObject({ status: 'CLOSED', balance: 0 })
  expect((await user.get('/api/balance')).body.balances[0].available).toBeCloseTo(before + 9, 6)
  expect(await w.faults()).toEqual([])
})

test('a thousand payments of children and their parent at once stay within every limit, to the unit', async () => {
  const user = await w.user()
  const root = await user.card({ limit: 1_000, daily_limit: 300 })
  const children = await Promise.all(
    Array.from({ length: 4 }, () => childOf(user, root, { limit_amount: 150 })),
  )
  const below = await childOf(user, children[0] as Card, { limit_amount: 100, daily_limit: 40 })
  const payers = [root, ...children, below]
  const code = await linkOf()
  await using other = await w.machine()
  const paid = new Map<string, number>()
  for (let round = 0; round < 10; round++) {
    const tries = await Promise.all(
      Array.from({ length: 100 }, async (_, i) => {
        const card = payers[i % payers.length] as Card
        const { status } = await payWith(i % 2 ? w : other, code, card)
        if (status === 200) paid.set(card.id, (paid.get(card.id) ?? 0) + 1)
        return status
      }),
    )
    expect(tries.every((status) => status === 200 || status === 403)).toBe(true)
  }
  const sum = [...paid.values()].reduce((total, n) => total + n, 0)
  expect(sum).toBe(300)
  const shown = await cardOf(user, root)
  expect(shown.spent + shown.delegated).toBe(300)
  expect(paid.get(below.id) ?? 0).toBeLessThanOrEqual(40)
  expect(await w.faults()).toEqual([])
}, 120_000)

test('a card above that is frozen while payments of its child are decided lets none pass afterwards', async () => {
  const user = await w.user()
  const root = await user.card({ limit: 500 })
  const child = await childOf(user, root, { limit_amount: 400 })
  const code = await linkOf()
  await using other = await w.machine()
  let frozen = false
  const late: number[] = []
  const tries = Array.from({ length: 200 }, async (_, i) => {
    const begun = frozen
    const { status } = await payWith(i % 2 ? w : other, code, child)
    if (begun) late.push(status)
  })
  await user.post(`/api/cards/${root.id}/freeze`)
  const spent = (await cardOf(user, root)).delegated
  frozen = true
  await Promise.all(tries)
  expect((await payWith(other, code, child)).body.code).toBe('card_frozen')
  expect((await cardOf(user, root)).delegated).toBe(spent)
  expect(await w.faults()).toEqual([])
})

test('by each rail: AP2, on chain, streams, card tokens', async () => {
  await using seller = await officialSeller({ price: '$0.01' })
  const ap2 = await openShop(w)
  const { payer: user, card: root, link, userKey } = ap2
  const child = await childOf(user, root, { limit_amount: 60 })
  await addKey(w, child.id, userKey, 'user')
  const mandate = await directMandate(termsFor(w, link, child), userKey)
  const settled = await settleWith(user, settleBody(ap2, mandate, { card_token: child.token }))
  expect(settled.status, settled.text).toBe(201)
  const paid = await user.post('/api/pay', {
    card_id: child.id,
    card_token: child.token,
    url: seller.url,
  })
  expect(paid.status, paid.text).toBe(200)
  const stream = await user.post('/api/mpp/stream/open', {
    card_id: child.id,
    card_token: child.token,
    budget: 3,
    tick_amount: 1,
    receiver_card_id: till.id,
  })
  const tick = () =>
    user.post('/api/mpp/stream/tick', {
      stream_id: stream.body.id,
      card_id: child.id,
      card_token: child.token,
    })
  expect((await tick()).status).toBe(200)
  expect((await cardOf(user, root)).delegated).toBeCloseTo(28.01005, 6)
  await user.post(`/api/cards/${root.id}/freeze`)
  expect((await tick()).body.code).toBe('card_frozen')
  await user.post(`/api/cards/${root.id}/unfreeze`)
  await user.post('/api/mpp/stream/close', { stream_id: stream.body.id })
  expect((await cardOf(user, root)).delegated).toBeCloseTo(26.01005, 6)
  expect(await w.faults()).toEqual([])
})

test('a refund frees the limits of the cards above, and no child pays a card above it', async () => {
  const user = await w.user()
  const root = await user.card({ limit: 10 })
  const child = await childOf(user, root)
  const paid = await payWith(w, await linkOf(), child)
  const [received] = (await shop.get(`/api/cards/${till.id}/transactions`)).body.transactions
  expect(received.id).toBeDefined()
  expect((await shop.post(`/api/payments/${received.id}/refund`, { amount: 0.5 })).status).toBe(200)
  expect(paid.status).toBe(200)
  expect(await cardOf(user, root)).toMatchObject({ delegated: 0.5 })
  const { code } = await open(user, root)
  expect((await payWith(w, code, child)).body.code).toBe('invalid_payment')
  expect(await w.faults()).toEqual([])
})

test('a card that is sold or given away closes its children; a child cannot be sold or given', async () => {
  const [user, friend] = [await w.user(), await w.user()]
  const root = await user.card({ limit: 10 })
  const child = await childOf(user, root)
  const to = { to_wallet: friend.wallet }
  expect((await user.post(`/api/cards/${child.id}/transfer`, to)).body.code).toBe('invalid_state')
  const listed = await user.post('/api/listings', { card_id: child.id, price: 1 })
  expect(listed.body.code).toBe('invalid_state')
  expect((await user.post(`/api/cards/${root.id}/transfer`, to)).status).toBe(200)
  expect(await cardOf(user, child)).toMatchObject({ status: 'CLOSED', balance: 0 })
  expect((await payWith(w, await linkOf(), child)).body.code).toBe('card_closed')
  expect((await user.get('/api/balance')).body.balances[0].available).toBe(2)
  expect(await w.faults()).toEqual([])
})

test('a child of a card that is being sold on chain gives its money to the balance, and spends none', async () => {
  const user = await w.user()
  const root = await user.card({ limit: 10 })
  const child = await childOf(user, root)
  await w.write((tx) =>
    run(
      tx,
      sql`update cards set status = 'FROZEN', status_reason = 'being sold on chain' where id = ${root.id}`,
    ),
  )
  expect((await payWith(w, await linkOf(), child)).body.code).toBe('card_frozen')
  expect((await slice(user, root)).body.code).toBe('invalid_state')
  const before = (await user.get('/api/balance')).body.balances[0].available
  expect((await user.post(`/api/cards/${child.id}/cancel`)).status).toBe(200)
  expect(await cardOf(user, root)).toMatchObject({ balance: 8 })
  expect((await user.get('/api/balance')).body.balances[0].available).toBeCloseTo(before + 2, 6)
  expect(await w.faults()).toEqual([])
})

// An agent in a loop that pays by a new child each time would freeze nothing.
test('like payments by children and children of those freeze the card above, by every rail', async () => {
  const user = await w.user()
  const root = await user.card({ limit: 20, max_like_payments: 3 })
  const [a, b] = [await childOf(user, root), await childOf(user, root, { limit_amount: 5 })]
  const below = await childOf(user, b)
  const link = await open(shop, till, { max_uses: 0 })
  expect((await payWith(w, link.code, a)).status).toBe(200)
  expect((await payWith(w, link.code, below)).status).toBe(200)
  const other = await open(shop, till, { max_uses: 0, amount: 0.5 })
  expect((await payWith(w, other.code, a)).status).toBe(200)
  expect((await payWith(w, link.code, b)).status).toBe(200)
  expect((await payWith(w, link.code, b)).body.code).toBe('like_payments_exceeded')
  expect(await cardOf(user, root)).toMatchObject({ status: 'FROZEN', delegated: 3.5 })
  expect(await cardOf(user, b)).toMatchObject({ status: 'ACTIVE' })
  expect((await payWith(w, other.code, a)).body.code).toBe('card_frozen')

  await using seller = await officialSeller({ price: '$0.01' })
  await user.post(`/api/cards/${root.id}/unfreeze`)
  await controls(user, root, { max_like_payments: 2 })
  const buy = (card: Card) =>
    user.post('/api/pay', { card_id: card.id, card_token: card.token, url: seller.url })
  for (const card of [a, below]) expect((await buy(card)).status).toBe(200)
  expect((await buy(b)).body.code).toBe('like_payments_exceeded')
  expect(await cardOf(user, root)).toMatchObject({ status: 'FROZEN' })
  expect(await w.faults()).toEqual([])
})

test('like payments by children at once on two machines are at most so many', async () => {
  const user = await w.user()
  const root = await user.card({ limit: 40, max_like_payments: 3 })
  const children = [await childOf(user, root), await childOf(user, root), await childOf(user, root)]
  const code = await linkOf()
  await using other = await w.machine()
  const tries = await Promise.all(
    Array.from({ length: 12 }, (_, i) => payWith(i % 2 ? w : other, code, children[i % 3] as Card)),
  )
  expect(tries.filter(({ status }) => status === 200)).toHaveLength(3)
  expect(await cardOf(user, root)).toMatchObject({ status: 'FROZEN', delegated: 3 })
  expect(await w.faults()).toEqual([])
})

test('an agent hands on what it could spend itself: by the token of the card, and with its own key', async () => {
  const user = await w.user()
  const [root, another] = [await user.card({ limit: 10 }), await user.card()]
  const keyFor = async (more: object) =>
    (await user.post('/api/keys/restricted', { name: 'agent', ...more })).body.api_key
  const key = await keyFor({
    scopes: ['children:write', 'cards:read'],
    card_ids: [root.id],
  })
  expect((await slice(user, root, {}, { key })).body.code).toBe('missing_field')
  const wrong = await slice(user, root, { card_token: another.token }, { key })
  expect(wrong.body.code).toBe('invalid_card_token')
  expect((await slice(user, another, { card_token: another.token }, { key })).status).toBe(404)
  const made = await slice(user, root, { card_token: root.token }, { key })
  expect(made.status, made.text).toBe(200)
  // The key may use what it made.
  const seen = await user.get(`/api/cards/${made.body.card.id}`, { key })
  expect(seen.body.card.parent_card_id).toBe(root.id)
  // A key that pays makes no cards: its agent would pay by a child where its own card freezes.
  const paying = await keyFor({ scopes: ['payments:write', 'cards:write'], card_ids: [root.id] })
  const without = await slice(user, root, { card_token: root.token }, { key: paying })
  expect(without.body.code).toBe('forbidden_scope')
  const capped = await keyFor({ scopes: ['children:write'], max_amount: 1 })
  const refused = await slice(user, root, { card_token: root.token }, { key: capped })
  expect(refused.body.code).toBe('forbidden_scope')
})

test('the database keeps a child where it is, and within the card above', async () => {
  const user = await w.user()
  const root = await user.card({ limit: 10 })
  const child = await childOf(user, root)
  const set = (id: string, change: ReturnType<typeof sql>) =>
    w.write((tx) => run(tx, sql`update cards set ${change} where id = ${id}`))
  await expect(set(child.id, sql`ancestors = '{}'`)).rejects.toThrow('insert only')
  await expect(set(child.id, sql`is_listed = true`)).rejects.toThrow('a_child_is_custodial')
  await expect(set(root.id, sql`delegated = 10000001`)).rejects.toThrow('within_limit')
  // Spent below and not counted above, closed above and open below: refused at the commit.
  await expect(set(child.id, sql`spent = 1`)).rejects.toThrow('does not count')
  await expect(set(root.id, sql`status = 'CLOSED'`)).rejects.toThrow('does not count')
  const copy = (change: ReturnType<typeof sql>) =>
    w.write((tx) =>
      run(
        tx,
        sql`insert into cards select (jsonb_populate_record(c, jsonb_build_object('id', 'card_forged',
            'token_hash', '\\x' || repeat('ab', 32)) || ${change})).* from cards c where c.id = ${child.id}`,
      ),
    )
  for (const change of [
    sql`'{"limit_amount": 10000001}'::jsonb`,
    sql`'{"wallet_address": "0x0000000000000000000000000000000000000abc"}'::jsonb`,
    sql`jsonb_build_object('ancestors', jsonb_build_array(${child.id}::text))`,
  ])
    await expect(copy(change)).rejects.toThrow('is not within the card above')
})
