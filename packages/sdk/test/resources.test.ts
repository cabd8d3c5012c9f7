import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LEFT_OUT } from '../../../scripts/sdk/names.ts'
import { officialSeller } from '../../service/test/sellers/x402-sellers.ts'
import { world } from '../../service/test/world.ts'
import { METHODS } from '../src/methods.ts'
import {
  AuthError,
  ConflictError,
  ConnectionError,
  createPurser,
  DeclineError,
  InvalidRequestError,
  NotFoundError,
  PurserError,
} from '../src/purser.ts'

test('every operation of the document has one method, or is left out by name', () => {
  const { paths } = JSON.parse(
    readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'),
  ) as { paths: Record<string, object> }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const lines = Object.values(METHODS).flatMap((methods) => Object.values(methods))
  const named = lines.map((line) => line.split(' ').slice(0, 2).join(' '))
  expect([...named, ...LEFT_OUT].toSorted()).toEqual(operations.toSorted())
})

test('each refusal is an error of its family, and every one is a PurserError', async () => {
  await using w = await world()
  const user = await w.user({ treasury: 5 })
  const baseUrl = await w.listen()
  const purser = createPurser({ baseUrl, apiKey: user.key, retries: 0 })
  const named = { idempotencyKey: 'one' }
  const { card } = await purser.cards.issue({ purpose: 'tools', limit_amount: '1' }, named)
  const { api_key } = await purser.keys.restrict({ name: 'reader', scopes: ['cards:read'] })
  const reader = createPurser({ baseUrl, apiKey: api_key, retries: 0 })
  const stranger = createPurser({ baseUrl, apiKey: 'purser_test_none', retries: 0 })
  const nobody = createPurser({ baseUrl: 'http://127.0.0.1:1', retries: 0 })
  const families = [
    [() => purser.cards.get('card_00000000000000000000000000'), NotFoundError, 'not_found'],
    [
      () => purser.cards.issue({ purpose: 'x', limit_amount: '-1' }),
      InvalidRequestError,
      'invalid_amount',
    ],
    [() => reader.cards.freeze(card.id), AuthError, 'forbidden_scope'],
    [() => stranger.cards.get(card.id), AuthError, 'invalid_api_key'],
    [
      () => purser.cards.issue({ purpose: 'x', limit_amount: '99' }),
      DeclineError,
      'insufficient_balance',
    ],
    [
      () => purser.cards.issue({ purpose: 'other', limit_amount: '1' }, named),
      ConflictError,
      'idempotency_conflict',
    ],
    [() => nobody.status.get(), ConnectionError, 'connection_failed'],
  ] as const
  for (const [call, family, code] of families) {
    const error = await call().then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(family)
    expect(error).toBeInstanceOf(PurserError)
    expect(error).toMatchObject({ code, name: family.name })
  }
})

test('methods take what their paths name, then a body or a query, and lists are walked page by page', async () => {
  await using w = await world()
  const user = await w.user({ treasury: 20 })
  let asked: string[] = []
  const purser = createPurser({
    baseUrl: await w.listen(),
    apiKey: user.key,
    fetch: (request, init) => {
      asked.push(`${request.method} ${new URL(request.url).pathname}`)
      return fetch(request, init)
    },
  })
  const order = { purpose: 'tools', limit_amount: '1' }
  const { card } = await purser.cards.issue(order, { idempotencyKey: 'card-1' })
  const again = await purser.cards.issue(order, { idempotencyKey: 'card-1' })
  expect(again.card.id).toBe(card.id)
  expect((await purser.cards.freeze(card.id)).status).toBe('FROZEN')
  expect((await purser.cards.unfreeze(card.id, { idempotencyKey: 'thaw' })).status).toBe('ACTIVE')
  const changed = await purser.cards.setControls(card.id, { daily_limit: '0.5' })
  expect(changed.card.daily_limit).toBe(0.5)
  await purser.cards.issueMany({ cards: Array.from({ length: 4 }, () => order) })

  asked = []
  const ids: string[] = []
  for await (const { id } of purser.cards.list({ limit: 2, status: 'ACTIVE' })) ids.push(id)
  expect(new Set(ids).size).toBe(5)
  expect(asked).toEqual(Array(3).fill('GET /api/cards'))
  const page = await purser.cards.list({ limit: 2 }).page()
  expect([page.cards.map(({ id }) => id), page.has_more]).toEqual([ids.slice(0, 2), true])
  // Rows that are named by something else than an id, and a list that says what comes next.
  for (const _ of [1, 2, 3])
    await user.post('/api/keys/restricted', { name: 'n', scopes: ['cards:read'] })
  const keys: string[] = []
  for await (const { key_hash } of purser.keys.list({ limit: 2 })) keys.push(key_hash)
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys.length).toBeGreaterThanOrEqual(4)
  const held: unknown[] = []
  for await (const one of purser.treasury.holdings({ limit: 2 })) held.push(one)
  expect(held.length).toBeGreaterThan(5)
  const gone = purser.cards.get('card_00000000000000000000000000')
  await expect(gone).rejects.toMatchObject({ status: 404, code: 'not_found' })
  const stop = AbortSignal.abort()
  await expect(purser.cards.get(card.id, { signal: stop })).rejects.toMatchObject({
    code: 'aborted',
  })
})

test('a query stays a query where the method deletes: the keys that a revoked key made go too', async () => {
  await using w = await world()
  const user = await w.user()
  const baseUrl = await w.listen()
  const owner = createPurser({ baseUrl, apiKey: user.key })
  const scopes = ['keys:write', 'cards:read'] as const
  const made = await owner.keys.restrict({ name: 'maker', scopes: [...scopes] })
  const maker = createPurser({ baseUrl, apiKey: made.api_key })
  const below = await maker.keys.restrict({ name: 'made', scopes: ['cards:read'] })
  const revoked = await owner.keys.revoke(made.key.key_hash, { descendants: true })
  expect(revoked.revoked_keys).toBe(2)
  const cutOff = createPurser({ baseUrl, apiKey: below.api_key }).cards.list().page()
  await expect(cutOff).rejects.toMatchObject({ code: 'invalid_api_key' })
})

test('fetch pays a 402 once a purchase, gives the seller’s answer, and says what it may not pay', async () => {
  await using w = await world()
  const user = await w.user({ treasury: 5 })
  const card = await user.card({ limit: 1 })
  await using seller = await officialSeller({
    price: '$0.01',
    handler: ({ headers }, response) => void response.json({ got: headers['content-type'] }),
  })
  const baseUrl = await w.listen()
  const purser = createPurser({ baseUrl, apiKey: user.key, retries: 0 })
  const order = { card, maxAmount: '0.05', idempotencyKey: 'report-1' }
  const answer = await purser.fetch(seller.url, order)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('purser-outcome')).toBe('paid')
  expect(await answer.json()).toEqual({})
  const again = await purser.fetch(seller.url, order)
  expect(again.headers.get('purser-transaction-id')).toBe(
    answer.headers.get('purser-transaction-id'),
  )
  expect(seller.paid).toHaveLength(1)
  const typeOf = async (more: object) => {
    const posted = await purser.fetch(seller.url, { card, method: 'POST', ...more })
    return ((await posted.json()) as { got: string }).got
  }
  expect(await typeOf({ body: 'a question' })).toMatch(/^text\/plain/)
  // As global fetch would not: a seller reads nothing in JSON that is called text.
  expect(await typeOf({ body: '{"a":1}' })).toBe('application/json')
  expect(await typeOf({ body: '1', headers: [['Content-Type', 'text/csv']] })).toBe('text/csv')
  const dear = purser.fetch(seller.url, { card, maxAmount: '0.001' })
  await expect(dear).rejects.toBeInstanceOf(PurserError)
  expect(seller.paid).toHaveLength(4)
  // The service has no part in a fetch that costs nothing.
  const free = await purser.fetch(`${baseUrl}/api/status`, { card })
  expect([free.status, free.headers.get('purser-outcome')]).toEqual([200, null])
})
