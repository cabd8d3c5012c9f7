import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { record } from '../../src/api/events/record.ts'
import { cardClosed } from '../../src/api/events/types/cards.ts'
import { USDC } from '../../src/base/kernel/assets.ts'
import { pause, until } from '../until.ts'
import { type World, world } from '../world.ts'
import {
  events,
  feedOf,
  logOf,
  prove,
  range,
  recordOne,
  statesOf,
  webhookOf,
} from './delivery-kit.ts'
import { patch, register } from './kit.ts'
import { receiver } from './receiver.ts'

let w: World
beforeAll(async () => {
  w = await world()
  await prove(w)
})
afterAll(() => w[Symbol.asyncDispose]())

const numbersOf = (got: { event: { data: Record<string, any> } }[]): number[] =>
  got.map(({ event }) => Number(event.data.changed?.[0]))

test('events are delivered in order, signed, with the bytes that are kept', async () => {
  await using there = await receiver()
  const user = await w.user()
  const { id, secret } = await register(user, { url: there.url })
  const card = await events(w, user, range(20))
  await w.deliver()
  expect(numbersOf(there.got)).toEqual(range(20))
  const [first] = there.got
  expect(first?.event).toMatchObject({
    ...{ type: 'card.updated', api_version: '2026-07-16', data: { card_id: card } },
  })
  expect(first?.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'Purser-Webhooks/0.0.0-test',
    'purser-delivery': `${id}:${first?.event.id}`,
    'purser-attempt': '1',
  })
  expect(first?.headers['purser-redelivery']).toBeUndefined()
  for (const { body, headers, event } of there.got)
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(event)
  for (const row of await logOf(user, id))
    expect(row).toMatchObject({ status: 'DELIVERED', attempts: 1, status_code: 200 })
  // Nothing is sent twice.
  await w.deliver()
  expect(there.got).toHaveLength(20)
})

test('the same events go to every endpoint that takes them, and to no other wallet', async () => {
  await using all = await receiver()
  await using some = await receiver()
  await using theirs = await receiver()
  const [user, other] = [await w.user(), await w.user()]
  await register(user, { url: all.url })
  await register(user, { url: some.url, events: ['card.closed', 'card.frozen'] })
  await register(other, { url: theirs.url })
  const card = await events(w, user, [1, 2])
  const [asset] = Object.values(USDC)
  if (!asset) throw new Error('there is no asset')
  const data = { card_id: card, returned: 0n }
  await w.write((tx) =>
    record(tx, w.now(), [cardClosed.of({ walletAddress: user.wallet, asset, data })]),
  )
  await w.deliver()
  expect(all.types()).toEqual(['card.updated', 'card.updated', 'card.closed'])
  expect(some.types()).toEqual(['card.closed'])
  expect(some.taken[0]?.body).toEqual(all.taken[2]?.body)
  expect(theirs.got).toEqual([])
})

test('a webhook takes what is recorded while it is active', async () => {
  await using there = await receiver()
  const user = await w.user()
  await events(w, user, [1])
  const { id } = await register(user, { url: there.url })
  const card = await events(w, user, [2])
  await w.deliver()
  await patch(user, id, { status: 'DISABLED' })
  await recordOne(w, user, { card, number: 3 })
  await w.deliver()
  await patch(user, id, { status: 'ACTIVE' })
  await recordOne(w, user, { card, number: 4 })
  await w.deliver()
  expect(numbersOf(there.got)).toEqual([2, 4])
})

test('what waits when a webhook is disabled or deleted is sent no more', async () => {
  await using there = await receiver(() => 500)
  const user = await w.user()
  const { id } = await register(user, { url: there.url })
  await events(w, user, range(3))
  await w.deliver()
  expect(await statesOf(user, id)).toEqual({ FAILED: 3 })
  await user.send('DELETE', `/api/webhooks/${id}`)
  await w.advance(86_400)
  await w.deliver()
  expect(there.got).toHaveLength(3)
  expect(await statesOf(user, id)).toEqual({ EXHAUSTED: 3 })
})

test('a retry does not hold up later events, and first attempts of a subject stay in order', async () => {
  const user = await w.user()
  await using there = await receiver(({ headers, event }) =>
    event.data.changed[0] === '1' && headers['purser-attempt'] === '1' ? 500 : 200,
  )
  await register(user, { url: there.url })
  await events(w, user, range(6))
  await w.deliver()
  expect(numbersOf(there.got)).toEqual(range(6))
  await w.advance(7)
  await w.deliver()
  expect(numbersOf(there.got)).toEqual([...range(6), 1])
  expect(there.got[6]?.headers['purser-attempt']).toBe('2')
})

test('eight requests are under way at most, of a subject one, and other endpoints go on', async () => {
  let open = 0
  let most = 0
  const busy = new Set<string>()
  const free = Promise.withResolvers<void>()
  await using quick = await receiver(() => {
    // The slow endpoint has all of its requests, and answers once the quick one has had everything.
    if (quick.got.length === 40)
      void until(
        () => open,
        (seen) => expect(seen).toBe(8),
      ).then(() => free.resolve(), free.reject)
    return 200
  })
  await using slow = await receiver(async ({ event }) => {
    most = Math.max(most, ++open)
    expect(busy).not.toContain(event.data.card_id)
    busy.add(event.data.card_id)
    await free.promise
    await pause(20)
    busy.delete(event.data.card_id)
    open--
    return 200
  })
  const user = await w.user()
  await register(user, { url: slow.url })
  await register(user, { url: quick.url })
  for (let card = 0; card < 20; card++) await events(w, user, [1, 2])
  await w.deliver()
  expect(most).toBe(8)
  expect([slow.taken.length, quick.taken.length]).toEqual([40, 40])
})

test('Retry-After delays the next attempt of a 429 or 503 and of no other answer', async () => {
  const user = await w.user()
  const codes = [503, 429, 500]
  await using there = await receiver((_, response) => {
    response.setHeader('retry-after', '600')
    return codes.shift() ?? 200
  })
  const { id } = await register(user, { url: there.url })
  await events(w, user, [1])
  await events(w, user, [2])
  await events(w, user, [3])
  await w.deliver()
  expect(there.got).toHaveLength(3)
  await w.advance(10)
  await w.deliver()
  expect(there.got).toHaveLength(4)
  await w.advance(400)
  await w.deliver()
  expect(there.got).toHaveLength(4)
  await w.advance(200)
  await w.deliver()
  expect(await statesOf(user, id)).toEqual({ DELIVERED: 3 })
})

test('after five failures one probe at a time is sent, and what waits uses up no attempt', async () => {
  const user = await w.user()
  const state = { code: 500 }
  await using there = await receiver(() => state.code)
  const { id } = await register(user, { url: there.url })
  await events(w, user, range(30))
  await w.deliver()
  // Events of one card are sent one after the other, so exactly five have failed.
  expect(there.got).toHaveLength(5)
  const counts: number[] = []
  for (const seconds of [20, 12, 40, 22, 100, 25]) {
    await w.advance(seconds)
    await w.deliver()
    counts.push(there.got.length)
  }
  expect(counts).toEqual([5, 6, 6, 7, 7, 8])
  const attempts = (await logOf(user, id)).reduce((sum, row) => sum + row.attempts, 0)
  expect(attempts).toBe(8)
  state.code = 200
  await w.advance(900)
  await w.deliver()
  await w.advance(86_400)
  await w.deliver()
  expect(await statesOf(user, id)).toEqual({ DELIVERED: 30 })
  expect(await webhookOf(user, id)).toMatchObject({ status: 'ACTIVE', failing_since: null })
})

test('an endpoint that answers 410 is sent nothing more, and the others learn of it', async () => {
  await using gone = await receiver(() => 410)
  await using other = await receiver()
  const user = await w.user()
  const { id, url } = await register(user, { url: gone.url })
  await register(user, { url: other.url })
  await events(w, user, range(5))
  await w.deliver()
  await w.deliver()
  expect(gone.got).toHaveLength(1)
  expect(await statesOf(user, id)).toEqual({ EXHAUSTED: 5 })
  expect(await webhookOf(user, id)).toMatchObject({ status: 'DISABLED', disabled_reason: 'gone' })
  expect(other.taken.at(-1)?.event).toMatchObject({
    type: 'webhook.disabled',
    data: { webhook_id: id, url, reason: 'gone', last_status_code: 410 },
  })
})

test('an endpoint that fails for five days is disabled; one attempt alone ends after the tenth', async () => {
  await using dead = await receiver(() => 'drop')
  await using other = await receiver()
  const user = await w.user()
  const { id } = await register(user, { url: dead.url })
  await register(user, { url: other.url, events: ['webhook.disabled'] })
  await events(w, user, [1])
  for (let hours = 0; hours < 24 * 5; hours += 6) {
    await w.deliver()
    await w.advance(6 * 3_600)
  }
  // The tenth failure of the delivery comes before the five days are over.
  const [row] = await logOf(user, id)
  expect(row).toMatchObject({ status: 'EXHAUSTED', attempts: 10, status_code: null })
  expect((await webhookOf(user, id)).status).toBe('ACTIVE')
  await w.advance(86_400)
  await events(w, user, [2])
  await w.deliver()
  await w.deliver()
  expect(await webhookOf(user, id)).toMatchObject({
    status: 'DISABLED',
    disabled_reason: 'failing',
  })
  expect(await statesOf(user, id)).toEqual({ EXHAUSTED: 2 })
  expect(other.taken.map(({ event }) => event.data.reason)).toEqual(['failing'])
  expect((await feedOf(user)).at(-1)?.type).toBe('webhook.disabled')
})
