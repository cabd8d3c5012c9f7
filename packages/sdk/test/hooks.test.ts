import { expect, test } from 'vitest'
import { officialSeller } from '../../service/test/sellers/x402-sellers.ts'
import { until } from '../../service/test/until.ts'
import { world } from '../../service/test/world.ts'
import {
  type ClientOptions,
  createPurser,
  type RequestSeen,
  type ResponseSeen,
} from '../src/purser.ts'

/** A wallet's client that writes down what its hooks hear, and loses the answers to its first `lost` requests. */
async function listened(lost = 0, hooks: Partial<ClientOptions> = {}) {
  const w = await world()
  const user = await w.user({ treasury: 20 })
  const asked: RequestSeen[] = []
  const answered: ResponseSeen[] = []
  let left = lost
  const baseUrl = await w.listen()
  const options: ClientOptions = {
    baseUrl,
    apiKey: user.key,
    fetch: async (request, init) => {
      const response = await fetch(request, init)
      if (left-- <= 0) return response
      await response.arrayBuffer()
      throw new TypeError('The answer was lost.')
    },
    onRequest: (seen) => void asked.push(seen),
    onResponse: (seen) => void answered.push(seen),
    ...hooks,
  }
  return {
    ...{ w, user, options, asked, answered, baseUrl, purser: createPurser(options) },
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  }
}
const ORDER = { purpose: 'tools', limit_amount: '1' }

test('a hook hears each attempt of a call and its answer, under one key', async () => {
  await using s = await listened(2)
  const card = await s.purser.issueCard(ORDER)
  const [first] = s.asked
  expect(first?.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/)
  const seen = { method: 'POST', url: `${s.baseUrl}/api/issue` }
  const sent = [1, 2, 3].map((attempt) => ({ ...first, ...seen, attempt }))
  expect(s.asked).toEqual(sent)
  const [lost, again, last] = s.answered
  const gone = { status: 0, requestId: undefined, error: new TypeError('The answer was lost.') }
  expect(lost).toEqual({ ...sent[0], ...gone, durationMs: lost?.durationMs })
  expect(again).toMatchObject({ attempt: 2, status: 0 })
  expect(last).toMatchObject({ ...sent[2], status: 200, requestId: expect.stringMatching(/./) })
  expect(last).not.toHaveProperty('error')
  for (const { durationMs } of s.answered) expect(durationMs).toBeGreaterThanOrEqual(0)
  // The service knew the retries by their key.
  const ids: string[] = []
  for await (const { id } of s.purser.cards.list()) ids.push(id)
  expect(ids).toEqual([card.id])
  // The next call begins anew, and a read has no key.
  expect(s.asked[3]).toMatchObject({ method: 'GET', attempt: 1, idempotencyKey: undefined })
})

test('a hook hears of a refusal, with the id that the error has', async () => {
  await using s = await listened()
  const error = await s.purser.cards.get('card_x').catch((thrown) => thrown)
  expect(s.answered).toHaveLength(1)
  expect(s.answered[0]).toMatchObject({ status: 404, requestId: error.requestId })
})

test.each([
  [
    'throws',
    () => {
      throw new Error('The log is full.')
    },
  ],
  ['rejects', () => Promise.reject(new Error('The log is full.'))],
  ['never ends', () => new Promise<never>(() => undefined)],
  [
    'changes what it hears',
    (seen: RequestSeen) => void Object.assign(seen, { url: 'x', idempotencyKey: 'x', attempt: 9 }),
  ],
])('a hook that %s does not change the call', async (_name, hook) => {
  let heard = 0
  const count = (seen: RequestSeen) => {
    heard += 1
    return hook(seen)
  }
  await using s = await listened(1, { onRequest: count, onResponse: count })
  const key = { idempotencyKey: 'card-1' }
  const card = await s.purser.issueCard(ORDER, key)
  expect(heard).toBe(4)
  expect((await s.purser.issueCard(ORDER, key)).id).toBe(card.id)
})

test('no hook sees a credential, in a header, a body or a query', async () => {
  await using s = await listened()
  await using seller = await officialSeller({ price: '$0.01' })
  const url = `${seller.url}?key=seller-secret`
  const card = await s.purser.issueCard(ORDER)
  await s.purser.payments.discoverX402({ url })
  const headers = { authorization: 'Bearer seller-secret' }
  expect((await s.purser.pay(card, { url, method: 'GET', headers })).outcome).toBe('paid')
  expect((await s.purser.fetch(url, { card, headers })).status).toBe(200)
  const stop = new AbortController()
  const following = s.purser.followEvents({ types: ['card.issued'], signal: stop.signal }).next()
  await until(() => s.answered.at(-1)?.url.endsWith('/stream'))
  stop.abort()
  await following
  const paths = s.answered.map((seen) => new URL(seen.url).pathname)
  const calls = ['issue', 'x402/discover', 'pay', 'pay', 'events/stream']
  expect(paths).toEqual(calls.map((name) => `/api/${name}`))
  const said = JSON.stringify([s.asked, s.answered])
  for (const secret of [s.user.key, card.token, 'seller-secret', 'Bearer'])
    expect(said).not.toContain(secret)
})
