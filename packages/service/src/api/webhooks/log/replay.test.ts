import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { until } from '../../../../test/until.ts'
import {
  insertDelivery,
  patch,
  prove,
  recordEvents,
  register,
} from '../../../../test/webhooks/kit.ts'
import { receiver } from '../../../../test/webhooks/receiver.ts'
import { type User, type World, world } from '../../../../test/world.ts'
import { all, sql } from '../../../base/db/sql.ts'

const logOf = async (user: User, query = '') =>
  (await user.get(`/api/webhooks/deliveries?${query}`)).body.deliveries
const replay = (user: User, id: string, options = {}) =>
  user.post(`/api/webhooks/deliveries/${id}/replay`, undefined, options)
const sendTest = (user: User, id: string) => user.post(`/api/webhooks/${id}/test`)
const secretsIn = (headers: object) => headers as Record<string, string>

/** A wallet whose webhook was sent one event. */
async function stage(w: World, url: string) {
  await prove(w)
  const user = await w.user()
  const hook = await register(user, { url })
  await recordEvents(w, user, 1)
  await w.deliver()
  const [delivery] = await logOf(user)
  return { user, hook, id: delivery.id as string, eventId: delivery.event_id as string }
}

test('a replay sends the same bytes and event id, signed anew by the secrets of now', async () => {
  await using w = await world()
  await using there = await receiver()
  const { user, hook, id, eventId } = await stage(w, there.url)
  const rotated = (await user.post(`/api/webhooks/${hook.id}/rotate-secret`)).body.secret
  const answer = await replay(user, id)
  expect(answer.status, answer.text).toBe(200)
  expect(answer.body).toEqual({ ok: true, status_code: 200, attempts: 2, event_id: eventId })
  const [first, second] = there.got
  expect(there.got).toHaveLength(2)
  expect(second?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true)
  expect(second?.headers).toMatchObject({
    'webhook-id': eventId,
    'purser-delivery': id,
    'purser-attempt': '2',
    'purser-redelivery': 'true',
  })
  for (const secret of [hook.secret, rotated])
    expect(
      new Webhook(secret).verify(second?.body ?? '', secretsIn(second?.headers ?? {})),
    ).toMatchObject({ id: eventId })
  expect(await logOf(user)).toMatchObject([{ status: 'DELIVERED', attempts: 2 }])
})

test('an answer of any status is 200 with ok, and none at all is 502; each is an attempt', async () => {
  await using w = await world()
  await using there = await receiver()
  const { user, id, eventId } = await stage(w, there.url)
  there.state.manner = () => 500
  expect(await replay(user, id)).toMatchObject({
    status: 200,
    body: { ok: false, status_code: 500, attempts: 2, event_id: eventId },
  })
  expect(await logOf(user)).toMatchObject([{ status: 'DELIVERED', status_code: 500 }])
  there.state.manner = () => 'drop'
  const unanswered = await replay(user, id)
  expect(unanswered).toMatchObject({ status: 502, body: { code: 'upstream_failed' } })
  expect(await logOf(user)).toMatchObject([
    { status: 'DELIVERED', status_code: 500, attempts: 3, error: expect.any(String) },
  ])
  there.state.manner = () => 302
  expect((await replay(user, id)).body).toMatchObject({ ok: false, status_code: 302 })
  // The one that was dropped on a kept connection was sent once more, on a new one, within its attempt.
  expect(there.got.map(({ headers }) => headers['purser-attempt'])).toEqual([
    '1',
    '2',
    '3',
    '3',
    '4',
  ])
})

test('a replay of a failed delivery that succeeds ends its retries; one that fails leaves them', async () => {
  await using w = await world()
  await using there = await receiver(() => 503)
  const { user, hook, id } = await stage(w, there.url)
  const [failed] = await logOf(user)
  expect(failed).toMatchObject({ status: 'FAILED', attempts: 1 })
  expect((await replay(user, id)).body).toMatchObject({ ok: false, attempts: 2 })
  expect(await logOf(user)).toMatchObject([
    { status: 'FAILED', attempts: 2, next_attempt_at: failed.next_attempt_at },
  ])
  there.state.manner = () => 204
  expect((await replay(user, id)).body).toMatchObject({ ok: true, status_code: 204, attempts: 3 })
  expect(await logOf(user)).toMatchObject([{ status: 'DELIVERED', next_attempt_at: null }])
  await w.advance(3_600)
  await w.deliver()
  expect(there.got).toHaveLength(3)
  const [webhook] = (await user.get('/api/webhooks')).body.webhooks
  expect(webhook).toMatchObject({ id: hook.id, failing_since: null })
})

test('of two replays at once one is sent', async () => {
  await using w = await world()
  await using there = await receiver()
  const { user, id } = await stage(w, there.url)
  const gate = Promise.withResolvers<void>()
  there.state.manner = async () => {
    await gate.promise
    return 200
  }
  const first = replay(user, id)
  await until(
    () => there.got.length,
    (seen) => expect(seen).toBe(2),
  )
  expect(await replay(user, id)).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
  gate.resolve()
  expect((await first).body).toMatchObject({ ok: true, attempts: 2 })
  const crowd = await Promise.all(Array.from({ length: 8 }, () => replay(user, id)))
  for (const { status } of crowd) expect([200, 409]).toContain(status)
  const sent = crowd.filter(({ status }) => status === 200).length
  expect(there.got).toHaveLength(2 + sent)
  expect(await logOf(user)).toMatchObject([{ attempts: 2 + sent }])
})

// As a process that was killed between sending and writing down leaves it.
test('a replay that nobody finished can be made again after half a minute', async () => {
  await using w = await world()
  await using there = await receiver()
  const { user, hook, id } = await stage(w, there.url)
  const gate = Promise.withResolvers<void>()
  there.state.manner = async () => {
    await gate.promise
    return 500
  }
  const cut = replay(user, id)
  await until(
    () => there.got.length,
    (seen) => expect(seen).toBe(2),
  )
  const held = await all<{ heldSeconds: number }>(
    w.db.reader,
    sql`select extract(epoch from sending_until - ${w.now()})::integer as held_seconds from webhook_deliveries
      where webhook_id = ${hook.id}`,
  )
  expect(held[0]?.heldSeconds).toBeGreaterThan(20)
  expect((await replay(user, id)).status).toBe(409)
  there.state.manner = () => 200
  await w.advance(31)
  expect((await replay(user, id)).body).toMatchObject({ ok: true })
  gate.resolve()
  await cut
})

test('without its body a delivery is not sent again, nor to a webhook that was deleted', async () => {
  await using w = await world()
  await using there = await receiver()
  const { user, hook, id } = await stage(w, there.url)
  const bare = await insertDelivery(w, user, { webhookId: hook.id, status: 'DELIVERED' })
  expect(await replay(user, bare)).toMatchObject({
    status: 409,
    body: { code: 'payload_not_stored' },
  })
  await user.send('DELETE', `/api/webhooks/${hook.id}`)
  expect(await replay(user, id)).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
  expect(there.got).toHaveLength(1)
})

test('a webhook that is deleted while a replay is under way keeps what became of it', async () => {
  await using w = await world()
  await using there = await receiver(() => 500)
  const { user, hook, id } = await stage(w, there.url)
  there.state.manner = async () => {
    const gone = await user.send('DELETE', `/api/webhooks/${hook.id}`)
    return gone.status
  }
  expect((await replay(user, id)).body).toMatchObject({ ok: true, attempts: 2 })
  expect(await logOf(user)).toMatchObject([{ status: 'DELIVERED', attempts: 2 }])
})

test('a delivery of another wallet is as one that does not exist', async () => {
  await using w = await world()
  await using there = await receiver()
  const { hook, id, eventId } = await stage(w, there.url)
  const other = await w.user()
  const theirs = await register(other, { url: there.url })
  for (const named of [id, `${theirs.id}:${eventId}`, hook.id, 'x', ':', `${hook.id}:`, `${id}:x`])
    expect(await replay(other, encodeURIComponent(named)), named).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
  expect((await sendTest(other, hook.id)).status).toBe(404)
  expect(there.got).toHaveLength(1)
})

test('a replay goes to the URL of now, and a disabled webhook may have one', async () => {
  await using w = await world()
  await using there = await receiver(() => 500)
  await using elsewhere = await receiver()
  const { user, hook, id } = await stage(w, there.url)
  await patch(user, hook.id, { url: elsewhere.url, status: 'DISABLED' })
  expect(await logOf(user)).toMatchObject([{ status: 'EXHAUSTED', url: there.url }])
  expect((await replay(user, id)).body).toMatchObject({ ok: true, attempts: 2 })
  expect(elsewhere.got).toHaveLength(1)
  expect(await logOf(user)).toMatchObject([{ status: 'DELIVERED', url: elsewhere.url }])
})

test('a retry of a replay with its Idempotency-Key sends nothing', async () => {
  await using w = await world()
  await using there = await receiver()
  const { user, id } = await stage(w, there.url)
  const once = { headers: { 'idempotency-key': 'once' } }
  const first = await replay(user, id, once)
  const again = await replay(user, id, once)
  expect(again.body).toEqual(first.body)
  expect(again.headers['idempotency-hit']).toBe('true')
  expect(there.got).toHaveLength(2)
})

test('a host that has never answered 2xx gets one request in ten seconds, tests and replays of all wallets together', async () => {
  await using w = await world()
  await using there = await receiver(() => 500)
  const [user, other] = [await w.user(), await w.user()]
  const mine = await register(user, { url: there.url })
  const theirs = await register(other, { url: there.url })
  expect((await sendTest(user, mine.id)).body).toMatchObject({ ok: false, status_code: 500 })
  const refused = await sendTest(other, theirs.id)
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  const [delivery] = await logOf(user)
  expect((await replay(user, delivery.id)).status).toBe(429)
  expect(await logOf(other)).toEqual([])
  expect(there.got).toHaveLength(1)
  await w.advance(10)
  there.state.manner = () => 200
  expect((await sendTest(other, theirs.id)).status).toBe(200)
  expect((await sendTest(user, mine.id)).body).toMatchObject({ ok: true })
})

test('a test is a recorded event that goes to its webhook alone', async () => {
  await using w = await world()
  await using there = await receiver()
  await using elsewhere = await receiver()
  await prove(w)
  const user = await w.user()
  const hook = await register(user, { url: there.url, events: ['payment.settled'] })
  await register(user, { url: elsewhere.url })
  const answer = await sendTest(user, hook.id)
  expect(answer.body).toEqual({
    ok: true,
    status_code: 200,
    attempts: 1,
    event_id: expect.stringMatching(/^evt_/),
  })
  await w.deliver()
  expect(elsewhere.got).toEqual([])
  const [got] = there.got
  expect(there.got).toHaveLength(1)
  expect(got?.event).toMatchObject({
    id: answer.body.event_id,
    type: 'webhook.test',
    data: { webhook_id: hook.id },
  })
  expect(got?.headers['purser-redelivery']).toBeUndefined()
  expect(new Webhook(hook.secret).verify(got?.body ?? '', secretsIn(got?.headers ?? {}))).toEqual(
    got?.event,
  )
  const feed = (await user.get('/api/events?type=webhook.test')).body.events
  expect(feed).toEqual([got?.event])
  expect(await logOf(user)).toMatchObject([{ status: 'DELIVERED', attempts: 1 }])
  expect((await replay(user, `${hook.id}:${answer.body.event_id}`)).body.attempts).toBe(2)
})

test('a test that fails is tried again as any delivery; of a disabled webhook it is not', async () => {
  await using w = await world()
  await using there = await receiver(() => 500)
  await prove(w)
  const user = await w.user()
  const hook = await register(user, { url: there.url })
  expect((await sendTest(user, hook.id)).body).toMatchObject({ ok: false, status_code: 500 })
  expect(await logOf(user)).toMatchObject([{ status: 'FAILED', attempts: 1 }])
  await w.advance(10)
  await w.deliver()
  expect(there.got).toHaveLength(2)
  await patch(user, hook.id, { status: 'DISABLED' })
  await w.advance(10)
  expect((await sendTest(user, hook.id)).body).toMatchObject({ ok: false, attempts: 1 })
  expect((await logOf(user))[0]).toMatchObject({ status: 'EXHAUSTED', attempts: 1 })
  there.state.manner = () => 200
  expect((await sendTest(user, hook.id)).body).toMatchObject({ ok: true })
  expect((await logOf(user))[0]).toMatchObject({ status: 'DELIVERED' })
})

test('a test whose process dies is sent by the worker', async () => {
  await using w = await world()
  await using there = await receiver()
  await prove(w)
  const user = await w.user()
  const hook = await register(user, { url: there.url })
  there.state.manner = () => 'self'
  const cut = sendTest(user, hook.id)
  await until(
    () => there.got.length,
    (seen) => expect(seen).toBe(1),
  )
  there.state.manner = () => 200
  await w.deliver()
  expect(there.got).toHaveLength(1)
  await w.advance(31)
  await w.deliver()
  expect(there.got.map(({ event }) => event.type)).toEqual(['webhook.test', 'webhook.test'])
  expect(new Set(there.got.map(({ event }) => event.id)).size).toBe(1)
  expect(await logOf(user)).toMatchObject([{ status: 'DELIVERED' }])
  await there.down()
  expect((await cut).status).toBe(502)
  expect(await logOf(user)).toMatchObject([{ status: 'DELIVERED' }])
  await there.up()
})

test('an endpoint that answers a replay with 410 is disabled', async () => {
  await using w = await world()
  await using there = await receiver()
  const { user, id } = await stage(w, there.url)
  there.state.manner = () => 410
  expect((await replay(user, id)).body).toMatchObject({ ok: false, status_code: 410 })
  const [webhook] = (await user.get('/api/webhooks')).body.webhooks
  expect(webhook).toMatchObject({ status: 'DISABLED', disabled_reason: 'gone' })
})
