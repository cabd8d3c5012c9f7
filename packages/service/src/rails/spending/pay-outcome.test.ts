import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cardOf, issue } from '../../../test/actors/attack-kit.ts'
import { bareServer } from '../../../test/hostile-sellers/sellers-kit.ts'
import { handMadeSeller, type SellerTerms } from '../../../test/sellers/x402-sellers.ts'
import { type User, type World, world } from '../../../test/world.ts'
import { sql } from '../../base/db/sql.ts'

let w: World
let user: User
beforeAll(async () => {
  w = await world()
  user = await w.user({ treasury: 50 })
})
afterAll(() => w[Symbol.asyncDispose]())

async function buy(url: string, key?: string, more: object = {}) {
  const card = await issue(user, 1)
  const ask = { card_id: card.id, card_token: card.token, url, ...more }
  const again = () => user.post('/api/pay', ask, key ? { headers: { 'idempotency-key': key } } : {})
  return { card, answer: await again(), again }
}
const stall = (serve: SellerTerms['serve']) => handMadeSeller({ amount: 20_000n, serve })

test('a URL that asks for nothing is free where it serves, and not charged where it does not', async () => {
  await using server = await bareServer((request, response) =>
    response.writeHead(request.url === '/paid' ? 200 : 404).end('hello'),
  )
  const free = (await buy(server.url)).answer
  const missing = (await buy(new URL('/nothing', server.url).href)).answer

  expect(free.body).toMatchObject({ success: true, outcome: 'free', amount_debited: 0 })
  expect(missing).toMatchObject({
    status: 200,
    body: { outcome: 'not_charged', amount_debited: 0, response: { status: 404 } },
  })
})

test('paid is said only where the money was taken and the seller served', async () => {
  await using good = await stall(async ({ response, settle }) => {
    await settle()
    response.end('served')
  })
  await using taker = await stall(async ({ response, settle }) => {
    await settle()
    response.writeHead(500).end('sorry')
  })
  await using later = await stall(({ response }) => void response.end('served'))
  await using never = await stall(({ response }) => void response.writeHead(500).end('sorry'))

  expect((await buy(good.url)).answer.body).toMatchObject({ success: true, outcome: 'paid' })
  expect((await buy(taker.url)).answer.body).toMatchObject({
    success: true,
    outcome: 'seller_failed',
    amount_debited: 0.0201,
    settlement: { status: 'SETTLED' },
  })
  expect((await buy(later.url)).answer).toMatchObject({
    status: 200,
    body: { outcome: 'unknown', settlement: { status: 'PENDING' }, response: { body: 'served' } },
  })
  expect((await buy(never.url)).answer).toMatchObject({
    status: 202,
    body: { success: false, outcome: 'unknown', code: 'outcome_unknown' },
  })
})

// Compressed, 5 KiB on the wire would store 5 MiB in our database, for each key of a wallet that pays nothing.
test('of a long answer 64 KiB are kept for its key, with size and digest of the whole', async () => {
  const text = '€'.repeat(1_000_000)
  const digest = createHash('sha256').update(text).digest('hex')
  let asked = 0
  await using server = await bareServer((_, response) => {
    asked++
    response.end(text)
  })
  const { answer, again } = await buy(server.url, 'long')
  const repeated = await again()

  expect(answer.body.response).toMatchObject({ truncated: false, size: 3_000_000, sha256: digest })
  expect(answer.body.response.body).toBe(text)
  expect(repeated.headers['idempotency-hit']).toBe('true')
  expect(repeated.body).toEqual({
    ...answer.body,
    response: {
      ...answer.body.response,
      truncated: true,
      body: text.slice(0, Math.floor(65_536 / 3)),
    },
  })
  expect(asked).toBe(1)
  const { rows } = await w.write((tx) =>
    sql<{ most: number }>`select max(length(answer)) as most from idempotency_keys`.execute(tx),
  )
  expect(rows[0]?.most).toBeLessThan(128 * 1024)
})

test('a short answer is repeated as it was, and what is no text is not blown up', async () => {
  await using server = await bareServer((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{ "a": [1, 2] }'),
  )
  await using bytes = await bareServer((_, response) => response.end(Buffer.alloc(65_536, 1)))
  const short = await buy(server.url, 'short')

  expect((await short.again()).body).toEqual(short.answer.body)
  expect(short.answer.body.response).toMatchObject({ body: { a: [1, 2] }, size: 15 })
  const control = (await buy(bytes.url, 'control')).answer
  expect(control.body.response.body_encoding).toBe('base64')
  expect(control.text.length).toBeLessThan(100_000)
})

const HEADERS = { 'content-type': 'application/json' }
/** Answers of 200 to an accepted payment, each with a shape that could break a reader. */
const SHAPES: [name: string, status: number, headers: Record<string, string>, body: string][] = [
  ['no JSON', 200, HEADERS, '{"a":'],
  ['a number', 200, HEADERS, '1e999'],
  ['deep nesting', 200, HEADERS, `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  ['half a surrogate', 200, HEADERS, '{"a":"\\ud800","__proto__":{"x":1},"toJSON":1}'],
  ['a NUL', 200, HEADERS, '{"a":"\\u0000"}'],
  ['an encoding that nobody knows', 200, { 'content-encoding': 'zstd' }, 'xxxx'],
  ['an encoding that it has not', 200, { 'content-encoding': 'gzip' }, 'not gzip'],
  ['a status that there is not', 299, { 'content-type': '///' }, ''],
  ['a status beyond all', 999, {}, 'x'],
  [
    'receipts of wrong types',
    200,
    {
      'payment-response': Buffer.from(
        '{"success":true,"transaction":{"a":"\\u0000"},"network":7,"payer":"\\ud800"}',
      ).toString('base64'),
      'payment-receipt': Buffer.from('[]').toString('base64url'),
    },
    'ok',
  ],
  ['a problem that is none', 200, { 'content-type': 'application/problem+json' }, '[null]'],
]

test.each(SHAPES)(
  'a seller that answers a taken payment with %s costs one payment and no error of ours',
  async (_, status, headers, body) => {
    await using seller = await stall(async ({ response, settle }) => {
      await settle()
      // A seller that has not served is asked again, and may answer in the next second.
      response.sendDate = false
      response.writeHead(status, headers).end(body)
    })
    const { card, answer, again } = await buy(seller.url, `shape ${_}`)
    const repeated = await again()

    expect(answer.status, answer.text).toBe(200)
    expect(answer.body).toMatchObject({ settlement: { status: 'SETTLED' }, amount_debited: 0.0201 })
    expect(['paid', 'seller_failed']).toContain(answer.body.outcome)
    expect(repeated.body).toEqual(answer.body)
    expect(new Set(seller.paid.map(({ signature }) => signature)).size).toBe(1)
    expect(await cardOf(user, card.id)).toMatchObject({ spent: 0.0201, held: 0 })
  },
)
