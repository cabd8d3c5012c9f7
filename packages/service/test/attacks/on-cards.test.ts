import { expect, test } from 'vitest'
import { sql } from '../../src/base/db/sql.ts'
import { randomHex } from '../../src/base/kernel/secrets.ts'
import { balanceOf, cardOf, type Held, issue, open, payWith } from '../actors/attack-kit.ts'
import { type User, world } from '../world.ts'

test('a key with a max_amount cannot get a card token, by which any amount could be paid', async () => {
  await using w = await world()
  const u = await w.user({ treasury: 20 })
  const card = await issue(u, 10)
  const scopes = ['cards:read', 'cards:write', 'paylinks:write']
  const limited = async (limits: object) =>
    (await u.post('/api/keys/restricted', { name: 'x', scopes, ...limits })).body.api_key as string
  const key = await limited({ max_amount: 1 })
  const rotated = await u.post(`/api/cards/${card.id}/rotate-token`, undefined, { key })
  expect([rotated.status, rotated.body.code]).toEqual([403, 'forbidden_scope'])
  const byCard = await limited({ card_ids: [card.id] })
  expect(
    (await u.post(`/api/cards/${card.id}/rotate-token`, undefined, { key: byCard })).status,
  ).toBe(200)
})

test('a card whose time is up is not funded, though no job has marked it yet', async () => {
  await using w = await world()
  const u = await w.user({ treasury: 20 })
  const card = await issue(u, 5, { expires_in: 1 })
  w.clock.offsetMs += 3_600_000
  const funded = await u.post(`/api/cards/${card.id}/fund`, { amount: 1 })
  expect([funded.status, funded.body.code]).toEqual([409, 'invalid_state'])
  expect(await balanceOf(u)).toBe(15)
})

test('cards that pay each other in circles, many at once, neither make nor lose money', async () => {
  await using w = await world()
  const users = await Promise.all([1, 2, 3].map(() => w.user({ treasury: 30 })))
  const cards = await Promise.all(users.map((u) => issue(u, 20)))
  const links = await Promise.all(
    users.map((u, i) => open(u, cards[i]!, { amount: 3, max_uses: 0 })),
  )
  const pays = Array.from({ length: 60 }, (_, n) => {
    const [payer, receiver] = [n % 3, (n + 1 + (n % 2)) % 3]
    return payWith(w, links[receiver]!.code, cards[payer]!)
  })
  const replies = await Promise.all(pays)
  expect(replies.filter((r) => r.status >= 500)).toEqual([])
  const paid = replies.filter((r) => r.status === 200).length
  const now = await Promise.all(users.map((u, i) => cardOf(u, cards[i]!.id)))
  const sum = (name: string) => now.reduce((total, card) => total + card[name], 0)
  expect(sum('spent')).toBeCloseTo(paid * 3, 6)
  expect(sum('balance')).toBeCloseTo(60 - paid * 0.015, 6)
  for (const card of now) expect(card.spent).toBeLessThanOrEqual(20)
  expect(await w.faults()).toEqual([])
})

test('no key and no card token stands in any column, after everything that handles one', async () => {
  await using w = await world()
  const u = await w.user({ treasury: 50 })
  const headers = () => ({ 'idempotency-key': randomHex(8) })
  const card = (
    await u.post('/api/issue', { purpose: 'x', limit_amount: 9 }, { headers: headers() })
  ).body.card
  const bulk = await u.post(
    '/api/issue/bulk',
    { cards: [{ purpose: 'y', limit_amount: 1 }] },
    { headers: headers() },
  )
  const shop = bulk.body.cards[0]
  const link = await open(u, shop, { max_uses: 0 })
  await payWith(w, link.code, card, 'a')
  await u.post(
    '/api/pay',
    { card_id: card.id, card_token: card.token, url: 'http://127.0.0.1:9/' },
    { headers: headers() },
  )
  const rotated = await u.post(`/api/cards/${card.id}/rotate-token`, undefined, {
    headers: headers(),
  })
  const restricted = await u.post(
    '/api/keys/restricted',
    { name: 'r', scopes: ['cards:read'] },
    { headers: headers() },
  )
  await u.post(`/api/cards/${shop.id}/claim`, { token: shop.token }, { headers: headers() })
  const secrets = [card.token, shop.token, rotated.body.card.token, u.key, restricted.body.api_key]
  const { rows: columns } = await sql<{ tableName: string; schema: string }>`
    select distinct table_schema as schema, table_name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`.execute(
    w.db.reader,
  )
  for (const { schema, tableName } of columns) {
    const { rows } = await sql<{ row: string }>`
      select t::text as row from ${sql.table(`${schema}.${tableName}`)} t`.execute(w.db.reader)
    for (const { row } of rows)
      for (const secret of secrets) {
        const body = secret.replace(/^(tok_|purser_test_)/, '')
        expect(row.includes(body), `${tableName}: ${row.slice(0, 80)}`).toBe(false)
        expect(row.includes(Buffer.from(body).toString('hex')), tableName).toBe(false)
        expect(row.includes(Buffer.from(body).toString('base64').slice(0, 40)), tableName).toBe(
          false,
        )
      }
  }
})

test('a closed, frozen or expired card still receives, and what it received can be taken home', async () => {
  await using w = await world()
  const [seller, payer] = [await w.user({ treasury: 10 }), await w.user({ treasury: 10 })]
  const card = await issue(payer, 10)
  const shops = [
    await issue(seller, 1),
    await issue(seller, 1),
    await issue(seller, 1, { expires_in: 1 }),
  ]
  const links = await Promise.all(shops.map((shop) => open(seller, shop)))
  await seller.post(`/api/cards/${shops[0]!.id}/cancel`)
  await seller.post(`/api/cards/${shops[1]!.id}/freeze`)
  await w.advance(4000)
  for (const link of links) expect((await payWith(w, link.code, card)).status).toBe(200)
  await seller.post(`/api/cards/${shops[1]!.id}/unfreeze`)
  for (const shop of shops) {
    const claimed = await seller.post(`/api/cards/${shop.id}/claim`, { token: shop.token })
    expect(claimed.status, claimed.text).toBe(200)
  }
  // 10, less the limit of the one frozen card, plus the earnings of the three.
  expect(await balanceOf(seller)).toBeCloseTo(9 + 3 * 0.995, 6)
  expect(await w.faults()).toEqual([])
})

test('a key for one card reaches no other card of its wallet by any route', async () => {
  await using w = await world()
  const u = await w.user({ treasury: 50 })
  const other = await w.user({ treasury: 10 })
  const [mine, hidden] = [await issue(u, 5), await issue(u, 5)]
  const shop = await issue(other, 1)
  const link = await open(u, hidden, { max_uses: 0 })
  await payWith(w, link.code, shop)
  const theirs = await open(other, shop, { max_uses: 0 })
  await payWith(w, theirs.code, hidden)
  const payments = (await u.get('/api/payments')).body.payments as { id: string }[]
  expect(payments).toHaveLength(2)
  const scopes = ['cards', 'controls', 'payments', 'paylinks', 'keys'].flatMap((r) => [
    `${r}:read`,
    `${r}:write`,
  ])
  const made = await u.post('/api/keys/restricted', { name: 'x', scopes, card_ids: [mine.id] })
  const key = { key: made.body.api_key as string }
  const at = `/api/cards/${hidden.id}`
  const replies = await Promise.all([
    u.get(at, key),
    u.get(`${at}/transactions`, key),
    u.get(`${at}/decisions`, key),
    u.post(`${at}/freeze`, undefined, key),
    u.post(`${at}/unfreeze`, undefined, key),
    u.send('PATCH', `${at}/controls`, { daily_limit: 1 }, key),
    u.post(`${at}/claim`, { token: hidden.token }, key),
    u.post(`${at}/cancel`, undefined, key),
    u.post(`${at}/rotate-token`, undefined, key),
    u.post('/api/paylinks', { card_id: hidden.id }, key),
    u.send('DELETE', `/api/paylinks/${link.code}`, undefined, key),
    ...payments.flatMap(({ id }) => [
      u.get(`/api/payments/${id}`, key),
      u.get(`/api/settlement/status/${id}`, key),
      u.post(`/api/payments/${id}/refund`, {}, key),
    ]),
    ...['/api/pay', '/api/pay/simulate'].map((path) =>
      u.post(
        path,
        { card_id: hidden.id, card_token: hidden.token, url: 'http://127.0.0.1:9/' },
        key,
      ),
    ),
  ])
  expect(replies.map((r) => r.status)).toEqual(replies.map(() => 404))
  expect((await u.get('/api/cards', key)).body.cards.map((c: Held) => c.id)).toEqual([mine.id])
  expect((await u.get('/api/payments', key)).body.payments).toEqual([])
  expect((await u.get(`/api/payments?card_id=${hidden.id}`, key)).body.payments).toEqual([])
  expect((await u.get('/api/paylinks', key)).body.links).toEqual([])
  for (const path of ['/api/issue', `/api/cards/${mine.id}/fund`])
    expect((await u.post(path, { purpose: 'x', limit_amount: 1, amount: 1 }, key)).status).not.toBe(
      200,
    )
  expect((await u.post('/api/keys/generate', undefined, key)).body.code).toBe('scope_escalation')
})

test('an end at this very millisecond is an end, for cards and links alike', async () => {
  await using w = await world()
  const [seller, payer] = [await w.user({ treasury: 10 }), await w.user({ treasury: 10 })]
  const shop = await issue(seller, 1)
  const [card, lasting] = [await issue(payer, 5, { expires_in: 1 }), await issue(payer, 5)]
  const link = await open(seller, shop, { expires_in: 1, max_uses: 0 })
  const free = await open(seller, shop, { max_uses: 0 })
  const ends = async (path: string, u: User) =>
    new Date((await u.get(path)).body.card?.expires_at ?? (await u.get(path)).body.expires_at)
  const cardEnds = await ends(`/api/cards/${card.id}`, payer)
  const linkEnds = await ends(`/api/paylinks/${link.code}`, seller)
  const { now } = w.clock
  w.clock.now = () => new Date(cardEnds.getTime() - 1)
  expect((await payWith(w, free.code, card)).status).toBe(200)
  w.clock.now = () => cardEnds
  expect((await payWith(w, free.code, card)).body.code).toBe('card_expired')
  w.clock.now = () => new Date(linkEnds.getTime() - 1)
  expect((await payWith(w, link.code, lasting)).status).toBe(200)
  w.clock.now = () => linkEnds
  expect((await payWith(w, link.code, lasting)).body.code).toBe('pay_link_expired')
  w.clock.now = now
})
