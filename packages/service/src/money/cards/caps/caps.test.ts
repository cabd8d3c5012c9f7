import { afterAll, beforeAll, expect, test } from 'vitest'
import {
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
import { sha256Hex } from '../../../base/kernel/secrets.ts'

let w: World
let shop: User
let till: Card
let code: string
beforeAll(async () => {
  w = await world()
  // Just after midnight: the clock passes no window while the tests run.
  const day = 86_400
  await w.advance(day - ((w.now().getTime() / 1000) % day) + 60)
  shop = await w.user({ treasury: 10 })
  till = await shop.card({ limit: 1 })
  code = (await open(shop, till, { max_uses: 0 })).code
})
afterAll(() => w[Symbol.asyncDispose]())

const limit = (user: User, limits: object, options?: { key: string }) =>
  user.send('PATCH', '/api/limits', limits, options)
const limitsOf = async (user: User) => (await user.get('/api/limits')).body.limits
const restricted = async (user: User, cards: Card[]): Promise<string> => {
  const scopes = ['cards:read', 'controls:write', 'payments:write', 'keys:write']
  const made = await user.post('/api/keys/restricted', {
    ...{ name: 'agent', scopes, card_ids: cards.map(({ id }) => id) },
  })
  if (made.status !== 200) throw new Error(made.text)
  return made.body.api_key
}
const codeOf = async (card: Card): Promise<string> =>
  (await payWith(w, code, card)).body.code ?? 'paid'
const controls = (user: User, { id }: Card, change: object) =>
  user.send('PATCH', `/api/cards/${id}/controls`, change)

test('a wallet limits what leaves all its cards, those that it has and those that it issues later', async () => {
  const user = await w.user()
  const [a, b] = [await user.card(), await user.card()]
  expect(await limitsOf(user)).toMatchObject({ daily_limit: null, day_used: null })
  expect(await codeOf(a)).toBe('paid')
  const set = await limit(user, { daily_limit: 3, monthly_limit: 50 })
  expect(set.status, set.text).toBe(200)
  expect(set.body.limits).toMatchObject({ daily_limit: 3, day_used: 1, month_used: 1 })
  expect(await codeOf(b)).toBe('paid')
  const later = await user.card()
  expect(await codeOf(later)).toBe('paid')
  const refused = await payWith(w, code, a)
  expect(refused).toMatchObject({ status: 403, body: { code: 'wallet_cap_exceeded' } })
  expect(Date.parse(refused.body.passes_at)).toBeGreaterThan(w.now().getTime())
  expect(await limitsOf(user)).toMatchObject({ day_used: 3, rolling_30d_used: 3 })
  expect(await codeOf(await (await w.user()).card())).toBe('paid')
  // Setting a limit anew frees nothing, and a higher one lets more pass.
  await limit(user, { daily_limit: null })
  expect(await codeOf(a)).toBe('paid')
  await limit(user, { daily_limit: 4 })
  expect(await codeOf(a)).toBe('wallet_cap_exceeded')
  expect(await w.faults()).toEqual([])
})

test('a grant of the owner passes the limits of a card, and none of the wallet', async () => {
  const user = await w.user()
  const card = await user.card({ max_transaction: 0.5 })
  await limit(user, { hourly_limit: 0.5 })
  const refused = await payWith(w, code, card)
  expect(refused.body.code).toBe('max_transaction_exceeded')
  const { decision_id: id } = refused.body
  const allowed = await user.post(`/api/decisions/${id}/allow`, { once: true })
  expect(allowed.status, allowed.text).toBe(200)
  expect(await codeOf(card)).toBe('wallet_cap_exceeded')
  await limit(user, { hourly_limit: null })
  expect(await codeOf(card)).toBe('paid')
})

test('a key limits what leaves its cards and those below them, and cannot change that itself', async () => {
  const user = await w.user()
  const [a, b, other] = [await user.card(), await user.card(), await user.card()]
  const key = await restricted(user, [a, b])
  const path = `/api/keys/${sha256Hex(key)}/limits`
  const child = (await user.post(`/api/cards/${a.id}/children`, { purpose: 'x', limit_amount: 2 }))
    .body.card
  const set = await user.send('PATCH', path, { hourly_limit: 2 })
  expect(set.status, set.text).toBe(200)
  expect(await codeOf(child)).toBe('paid')
  expect(await codeOf(b)).toBe('paid')
  for (const card of [a, b, child]) expect(await codeOf(card)).toBe('key_cap_exceeded')
  expect(await codeOf(other)).toBe('paid')
  for (const [at, change] of [
    [path, { hourly_limit: null }],
    ['/api/limits', { hourly_limit: 1 }],
  ] as const) {
    const refused = await user.send('PATCH', at, change, { key })
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden_scope' } })
  }
  expect((await user.get(path)).body.limits).toMatchObject({ hourly_limit: 2, hour_used: 2 })
  // Another wallet has no such key, and a key for all cards has the wallet's limits.
  expect((await shop.get(path)).status).toBe(404)
  expect((await shop.send('PATCH', path, { hourly_limit: 9 })).status).toBe(404)
  const full = await user.send('PATCH', `/api/keys/${sha256Hex(user.key)}/limits`, {})
  expect(full).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
  // It holds for the tokens of the cards when the key is gone.
  await user.send('DELETE', `/api/keys/${sha256Hex(key)}`)
  expect(await codeOf(b)).toBe('key_cap_exceeded')
  expect(await w.faults()).toEqual([])
})

test('every rail counts under the wallet: AP2, on chain, streams, card tokens', async () => {
  await using seller = await officialSeller({ price: '$0.01' })
  const ap2 = await openShop(w)
  const { payer: user, card, link, userKey } = ap2
  const mandate = await directMandate(termsFor(w, link, card), userKey)
  await limit(user, { monthly_limit: 1 })
  const early = await settleWith(user, settleBody(ap2, mandate, { card_token: card.token }))
  expect(early.body.code).toBe('wallet_cap_exceeded')
  await limit(user, { monthly_limit: 40 })
  const settled = await settleWith(user, settleBody(ap2, mandate, { card_token: card.token }))
  expect(settled.status, settled.text).toBe(201)
  const by = { card_id: card.id, card_token: card.token }
  const paid = await user.post('/api/pay', { ...by, url: seller.url })
  expect(paid.status, paid.text).toBe(200)
  const opened = await user.post('/api/mpp/stream/open', {
    ...{ ...by, budget: 3, tick_amount: 1, receiver_card_id: till.id },
  })
  expect(opened.status, opened.text).toBe(200)
  expect((await limitsOf(user)).month_used).toBeCloseTo(28.01005, 6)
  const stream_id = opened.body.id
  expect((await user.post('/api/mpp/stream/tick', { stream_id, ...by })).status).toBe(200)
  await user.post('/api/mpp/stream/close', { stream_id })
  expect((await limitsOf(user)).month_used).toBeCloseTo(26.01005, 6)
  await limit(user, { monthly_limit: 26.02 })
  expect(await codeOf(card)).toBe('wallet_cap_exceeded')
  expect((await user.post('/api/pay', { ...by, url: seller.url })).body.code).toBe(
    'wallet_cap_exceeded',
  )
  const simulated = await user.post('/api/pay/simulate', { ...by, url: seller.url })
  expect(simulated.body).toMatchObject({ allowed: false, rule: 'wallet_cap_exceeded' })
  expect(await w.faults()).toEqual([])
})

test('thirty rolling days: what left on the oldest comes free a day at a time', async () => {
  await using own = await world()
  const [seller, user] = [await own.user(), await own.user()]
  const { code: link } = await open(seller, await seller.card(), { max_uses: 0 })
  const card = await user.card({ limit: 30, rolling_30d_limit: 4 })
  const pay = async () => (await payWith(own, link, card)).body.code ?? 'paid'
  const next = (days: number) => own.advance(days * 86_400)
  expect([await pay(), await pay()]).toEqual(['paid', 'paid'])
  await next(10)
  expect([await pay(), await pay()]).toEqual(['paid', 'paid'])
  const refused = await payWith(own, link, card)
  expect(refused.body.code).toBe('rolling_30d_limit_exceeded')
  const ends = new Date(own.now().getTime() + 20 * 86_400_000).toISOString().slice(0, 10)
  expect(refused.body.passes_at).toBe(`${ends}T00:00:00.000Z`)
  await next(19)
  expect(await pay()).toBe('rolling_30d_limit_exceeded')
  await next(1)
  expect([await pay(), await pay(), await pay()]).toEqual([
    ...['paid', 'paid', 'rolling_30d_limit_exceeded'],
  ])
  // A wallet that sets one late knows what its cards have paid: two on the tenth day, two today.
  const { limits } = (await limit(user, { rolling_30d_limit: 5 })).body
  expect(limits).toMatchObject({ rolling_30d_limit: 5, rolling_30d_used: 4 })
  await controls(user, card, { rolling_30d_limit: null })
  expect([await pay(), await pay()]).toEqual(['paid', 'wallet_cap_exceeded'])
  expect(await own.faults()).toEqual([])
})

test('payments per minute: of a card with its children, and of a wallet', async () => {
  const user = await w.user()
  const card = await user.card({ max_payments_per_minute: 2 })
  const sliced = await user.post(`/api/cards/${card.id}/children`, {
    ...{ purpose: 'x', limit_amount: 3 },
  })
  const child = sliced.body.card
  await w.advance(60 - ((w.now().getTime() / 1000) % 60))
  expect([await codeOf(card), await codeOf(child)]).toEqual(['paid', 'paid'])
  const refused = await payWith(w, code, child)
  expect(refused.body.code).toBe('payment_rate_exceeded')
  expect(new Date(refused.body.passes_at).getTime() % 60_000).toBe(0)
  await w.advance(60)
  expect(await codeOf(card)).toBe('paid')
  // A limit that is set late knows the payment of this minute.
  await limit(user, { max_payments_per_minute: 2 })
  expect([await codeOf(child), await codeOf(card)]).toEqual(['paid', 'payment_rate_exceeded'])
  await controls(user, card, { max_payments_per_minute: null })
  expect(await codeOf(card)).toBe('wallet_cap_exceeded')
  expect(await w.faults()).toEqual([])
})

test('a card freezes itself before one payment too many like the last ones', async () => {
  const user = await w.user()
  const card = await user.card({ max_like_payments: 3 })
  for (let n = 0; n < 3; n++) expect(await codeOf(card)).toBe('paid')
  expect(await codeOf(card)).toBe('like_payments_exceeded')
  expect(await codeOf(card)).toBe('card_frozen')
  const shown = (await user.get(`/api/cards/${card.id}`)).body.card
  expect(shown).toMatchObject({ status: 'FROZEN', status_reason: expect.stringMatching(/like/) })
  const { events } = (await user.get('/api/events?type=card.frozen')).body
  expect(events).toMatchObject([{ data: { card_id: card.id } }])
  // The owner lets it go on: what it has paid counts until ten minutes are over.
  await user.post(`/api/cards/${card.id}/unfreeze`)
  expect(await codeOf(card)).toBe('like_payments_exceeded')
  await user.post(`/api/cards/${card.id}/unfreeze`)
  await w.advance(601)
  expect(await codeOf(card)).toBe('paid')
  expect(await w.faults()).toEqual([])
})

test('a thousand payments of many cards at once on two machines stay within the caps, to the unit', async () => {
  const user = await w.user()
  const cards = await Promise.all(Array.from({ length: 6 }, () => user.card({ limit: 100 })))
  const [first, second] = cards as [Card, Card]
  const key = await restricted(user, [first, second])
  await limit(user, { daily_limit: 150 })
  await user.send('PATCH', `/api/keys/${sha256Hex(key)}/limits`, { daily_limit: 40 })
  await controls(user, cards[2] as Card, { rolling_30d_limit: 10, max_like_payments: 1_000 })
  await controls(user, cards[3] as Card, { max_like_payments: 20 })
  await using other = await w.machine()
  const paid = new Map<string, number>()
  for (let round = 0; round < 10; round++)
    await Promise.all(
      Array.from({ length: 100 }, async (_, i) => {
        const card = cards[i % cards.length] as Card
        const { status, text } = await payWith(i % 2 ? w : other, code, card)
        expect([200, 403], text).toContain(status)
        if (status === 200) paid.set(card.id, (paid.get(card.id) ?? 0) + 1)
      }),
    )
  const of = (card: Card | undefined) => paid.get(card?.id ?? '') ?? 0
  expect([...paid.values()].reduce((sum, n) => sum + n, 0)).toBe(150)
  expect(of(first) + of(second)).toBe(40)
  expect([of(cards[2]), of(cards[3])]).toEqual([10, 20])
  expect(await limitsOf(user)).toMatchObject({ day_used: 150 })
  expect(await w.faults()).toEqual([])
})

test('a card that is issued while a wallet sets its first limit is under it', async () => {
  const user = await w.user({ treasury: 100 })
  const [set, ...cards] = await Promise.all([
    limit(user, { daily_limit: 1 }),
    ...Array.from({ length: 20 }, () => user.card({ limit: 2 })),
  ])
  expect(set.status).toBe(200)
  const answers = await Promise.all(cards.map(codeOf))
  expect(answers.filter((answer) => answer === 'paid')).toHaveLength(1)
  expect(await w.faults()).toEqual([])
})

test('a card that changes hands leaves the caps of its old wallet and comes under those of the new', async () => {
  const [user, friend, last] = [await w.user(), await w.user(), await w.user()]
  const card = await user.card({ rolling_30d_limit: 5 })
  await limit(user, { daily_limit: 1 })
  await limit(friend, { daily_limit: 2 })
  expect([await codeOf(card), await codeOf(card)]).toEqual(['paid', 'wallet_cap_exceeded'])
  const given = await user.post(`/api/cards/${card.id}/transfer`, { to_wallet: friend.wallet })
  expect(given.status, given.text).toBe(200)
  const { token } = (await friend.post(`/api/cards/${card.id}/rotate-token`)).body.card
  const theirs = { ...card, token }
  expect([await codeOf(theirs), await codeOf(theirs)]).toEqual(['paid', 'paid'])
  expect(await codeOf(theirs)).toBe('wallet_cap_exceeded')
  expect(await limitsOf(user)).toMatchObject({ day_used: 1 })
  // A cap that begins later counts what the card has paid since it is its wallet's, and so do the limits of the card.
  expect(
    (await friend.post(`/api/cards/${card.id}/transfer`, { to_wallet: last.wallet })).status,
  ).toBe(200)
  const set = await limit(last, { daily_limit: 1, rolling_30d_limit: 4 })
  expect(set.body.limits).toMatchObject({ day_used: 0, month_used: 0, rolling_30d_used: 0 })
  expect(await limitsOf(friend)).toMatchObject({ day_used: 2, rolling_30d_used: 2 })
  const { token: newest } = (await last.post(`/api/cards/${card.id}/rotate-token`)).body.card
  const its = { ...card, token: newest }
  expect([await codeOf(its), await codeOf(its)]).toEqual(['paid', 'wallet_cap_exceeded'])
  expect(await w.faults()).toEqual([])
})

test('the database counts by itself, and lets nothing past a cap', async () => {
  const user = await w.user()
  const card = await user.card()
  await limit(user, { daily_limit: 1 })
  const write = (text: ReturnType<typeof sql>) => w.write((tx) => run(tx, text))
  const spend = (units: number) =>
    write(sql`update cards set spent = spent + ${units}, day_used = day_used + ${units},
      month_used = month_used + ${units} where id = ${card.id}`)
  await expect(spend(1_000_001)).rejects.toMatchObject({ code: '40001' })
  await expect(
    write(sql`delete from spending_caps where subject = ${user.wallet}`),
  ).rejects.toThrow('insert only')
  await expect(
    write(sql`update spending_caps set subject = ${shop.wallet} where subject = ${user.wallet}`),
  ).rejects.toThrow('insert only')
  // A cap that is loosened behind the service's back is named.
  await w.write(async (tx) => {
    await run(tx, sql`set local session_replication_role = replica`)
    await run(
      tx,
      sql`update spending_caps set daily_limit = 9000000 where subject = ${user.wallet}`,
    )
  })
  expect(await w.faults()).toContainEqual({
    check: 'seals',
    fault: expect.stringContaining(`spending_caps ${user.wallet}`),
  })
  await w.write(async (tx) => {
    await run(tx, sql`set local session_replication_role = replica`)
    await run(
      tx,
      sql`update spending_caps set daily_limit = 1000000 where subject = ${user.wallet}`,
    )
  })
})
