import { expect, test } from 'vitest'
import { routes } from '../../src/run/app.ts'
import { cardOf, issue, open } from '../actors/attack-kit.ts'
import { askForToken, mppShop } from '../actors/mpp-payers.ts'
import { type User, world } from '../world.ts'

const restrict = async (u: User, limits: object) => {
  const made = await u.post('/api/keys/restricted', { name: 'agent', ...limits })
  expect(made.status, made.text).toBe(200)
  return { key: made.body.api_key as string }
}

// A program that spends with a card must not decide what the card may spend.
test('a key that may change its card does not loosen its controls, nor thaw it', async () => {
  await using w = await world()
  const u = await w.user({ treasury: 20 })
  const card = await issue(u, 10, { daily_limit: 1, max_transaction: 1, mcc_locks: '5734' })
  const at = `/api/cards/${card.id}`
  const agent = await restrict(u, {
    scopes: ['cards:read', 'cards:write', 'payments:write'],
    card_ids: [card.id],
  })
  const refused = { status: 403, body: { code: 'forbidden_scope' } }
  const before = await cardOf(u, card.id)
  for (const change of [
    { daily_limit: null },
    { max_transaction: 10 },
    { mcc_locks: '' },
    { allowed_merchants: [] },
  ])
    expect(await u.send('PATCH', `${at}/controls`, change, agent)).toMatchObject(refused)
  expect((await u.post(`${at}/freeze`, undefined, agent)).status).toBe(200)
  expect(await u.post(`${at}/unfreeze`, undefined, agent)).toMatchObject(refused)
  expect(await cardOf(u, card.id)).toEqual({
    ...before,
    status: 'FROZEN',
    status_reason: 'frozen by its wallet',
  })
  const keeper = await restrict(u, { scopes: ['controls:write'], card_ids: [card.id] })
  expect((await u.post(`${at}/unfreeze`, undefined, keeper)).status).toBe(200)
  const changed = await u.send('PATCH', `${at}/controls`, { daily_limit: 2 }, keeper)
  expect(changed.body.card.daily_limit).toBe(2)
  const stronger = { name: 'x', scopes: ['controls:write'], card_ids: [card.id] }
  const withKeys = await restrict(u, { scopes: ['cards:write', 'keys:write'], card_ids: [card.id] })
  expect((await u.post('/api/keys/restricted', stronger, withKeys)).body.code).toBe(
    'scope_escalation',
  )
})

test('the scopes of the design can be given', async () => {
  await using w = await world()
  const u = await w.user()
  const scopes = ['webhooks:read', 'approvals:write', 'market:write', 'events:read', 'billing:read']
  await restrict(u, { scopes })
  const made = await u.post('/api/keys/restricted', { name: 'x', scopes: ['events:write'] })
  expect(made.status).toBe(400)
})

test("a restricted key neither meets nor occupies its wallet's Idempotency-Keys, nor another's", async () => {
  await using w = await world()
  const u = await w.user({ treasury: 20 })
  const shop = await issue(u, 5)
  const scopes = ['cards:read', 'cards:write', 'paylinks:write']
  const [one, other] = [await restrict(u, { scopes }), await restrict(u, { scopes })]
  const headers = { 'idempotency-key': 'order-1' }
  const link = (by: object, memo: string) =>
    u.post('/api/paylinks', { card_id: shop.id, amount: 1, memo }, { headers, ...by })
  // Each request has its own body, and the first caller is not the owner.
  const made = [await link(one, 'a'), await link({}, 'b'), await link(other, 'c')]
  expect(made.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(new Set(made.map(({ body }) => body.code)).size).toBe(3)
  const again = [await link(one, 'a'), await link({}, 'b'), await link(other, 'c')]
  expect(again.map(({ body }) => body.code)).toEqual(made.map(({ body }) => body.code))
  expect(again.map((reply) => reply.headers['idempotency-hit'])).toEqual(['true', 'true', 'true'])
  // The owner's exact request does not return the owner's answer.
  expect((await link(one, 'b')).body.code).toBe('idempotency_conflict')
  const long = { 'idempotency-key': 'k'.repeat(255) }
  const last = await u.post(
    '/api/paylinks',
    { card_id: shop.id, amount: 1 },
    { headers: long, ...one },
  )
  expect(last.status).toBe(200)
})

const HOSTILE = [
  ['a line break', 'Invoice 1\nPAID'],
  ['an escape of a terminal', 'x\u001b[2K'],
  ['a control character of the second set', 'x\u0085y'],
  ['an override of the direction', 'Pay \u202e05.1'],
  ['an isolate', 'x\u2066y'],
  ['a mark of the direction', 'x\u200fy'],
  ['a line separator', 'x\u2028y'],
  ['an invisible space', 'Acme\u200b'],
  ['text that models read and people do not see', 'x\u{e0041}\u{e0042}'],
] as const
test.each(HOSTILE)('%s is refused in every text that a person reads', async (_, text) => {
  await using w = await world()
  const u = await w.user({ treasury: 20 })
  const card = await issue(u, 5)
  const jwk = { kty: 'EC' }
  const held = { card_id: card.id, card_token: card.token }
  const replies = [
    await u.post('/api/issue', { purpose: text, limit_amount: 1 }),
    await u.post('/api/issue/bulk', { cards: [{ purpose: text, limit_amount: 1 }] }),
    await u.post('/api/paylinks', { card_id: card.id, amount: 1, memo: text }),
    await u.post('/api/keys/restricted', { name: text, scopes: ['cards:read'] }),
    await u.post('/api/ap2/keys', { ...held, jwk, role: 'user', label: text }),
    await u.post('/api/mpp/session', { ...held, merchant: text }),
  ]
  for (const reply of replies)
    expect(reply, reply.text).toMatchObject({ status: 400, body: { code: 'invalid_field' } })
  expect(replies[0]?.body.error).toMatch(/^purpose may not hold control characters/)
})

test('text of any script is taken as it is', async () => {
  await using w = await world()
  const u = await w.user({ treasury: 20 })
  for (const purpose of ['کتاب\u200cها', '東京 № 5', '👩\u200d💻 é', 'שלום']) {
    const card = await issue(u, 1, { purpose })
    expect((await cardOf(u, card.id)).purpose).toBe(purpose)
    expect((await open(u, card, { memo: purpose })).code).toMatch(/^PL_/)
  }
})

// The token of a card pays without a key. A key that comes along is held to its limits there as everywhere else.
test('a limited key that comes along with the token of a card pays no more than it may', async () => {
  await using w = await world()
  const s = await mppShop(w, { type: 'RECURRING', max_uses: 0 })
  const { id, token } = s.card
  const named = { payer_card_id: id, payer_card_token: token }
  const { code } = s.link
  const form = 'application/x-www-form-urlencoded'
  const challenge = async () => {
    const asked = await w.call('GET', `/pay/${code}`)
    return [asked.headers['www-authenticate']].flat().join(', ')
  }
  const ways = {
    settle: (key: string) => w.call('POST', `/api/pay/${code}/settle`, named, { key }),
    form: (key: string) =>
      w.call('POST', `/pay/${code}/paid`, new URLSearchParams(named).toString(), {
        key,
        headers: { 'content-type': form },
      }),
    agentcard: async (key: string) => {
      const body = { card_id: id, card_token: token, challenge: await challenge() }
      return w.call('POST', '/api/mpp/agentcard', body, { key })
    },
  }
  /** Presents a credential that the card got without a key. */
  const present = async (key: string) => {
    const headers = { authorization: `Bearer ${key}` }
    const asked = (await fetch(s.url, { headers })).headers.get('www-authenticate')
    const { body } = await askForToken(s.base, s.card, asked)
    return fetch(s.url, { headers: { ...headers, 'payment-authorization': body.credential } })
  }
  const scopes = ['payments:write']
  const other = await issue(s.agent, 1)
  const before = await s.cardNow()
  for (const [limits, status] of [
    [{ scopes, max_amount: 0.1 }, 403],
    [{ scopes: ['cards:read'] }, 403],
    [{ scopes, card_ids: [other.id] }, 404],
  ] as const) {
    const { key } = await restrict(s.agent, limits)
    for (const [way, pay] of Object.entries(ways)) {
      expect((await pay(key)).status, `${way} by ${JSON.stringify(limits)}`).toBe(status)
      expect(await s.cardNow(), way).toEqual(before)
    }
    expect((await present(key)).status).toBe(status)
    expect((await s.cardNow()).spent).toBe(0)
    await w.advance(3_600)
    await w.runJobs()
  }
  const { key } = await restrict(s.agent, { scopes, max_amount: 0.5, card_ids: [id] })
  expect((await ways.settle(key)).status).toBe(200)
  expect((await ways.form(key)).status).toBe(303)
  expect((await present(key)).status).toBe(200)
  expect((await s.cardNow()).spent).toBe(1.5)
  const revoked = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`
  expect((await ways.settle(revoked)).status).toBe(401)
  expect((await ways.settle('anything else')).status).toBe(200)
  expect(await w.faults()).toEqual([])
})

test('every public operation that takes the token of a card holds a key to its limits', () => {
  const deaf = routes.filter(
    ({ auth, body, heedsKey }) =>
      auth === 'public' && JSON.stringify(body ?? {}).includes('card_token') && !heedsKey,
  )
  expect(deaf.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})
