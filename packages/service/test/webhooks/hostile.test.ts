import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { checkEndpoint } from '../../src/api/webhooks/endpoint.ts'
import { sql } from '../../src/base/db/sql.ts'
import { pause } from '../until.ts'
import { type World, world } from '../world.ts'
import { events, feedOf, logOf, prove, range, recordOne, statesOf } from './delivery-kit.ts'
import { register } from './kit.ts'
import { receiver } from './receiver.ts'

/** Requests to endpoints end after so long. */
function withTimeout(w: World, timeoutMs: number): void {
  const { egress } = w.services
  const post: typeof egress.kept.post = (to, request) =>
    egress.kept.post(to, { ...request, timeoutMs })
  Object.assign(w.services, { egress: { ...egress, kept: { ...egress.kept, post } } })
}

/** Delivers, and moves the clock until nothing waits any more. */
async function deliverAll(w: World, rounds: number, seconds: number): Promise<void> {
  for (let i = 0; i < rounds; i++) {
    await w.deliver()
    await w.advance(seconds)
  }
}

test('a receiver that drops half, answers slowly and is down for a while ends with exactly the facts', {
  timeout: 900_000,
}, async () => {
  await using w = await world()
  await prove(w)
  withTimeout(w, 400)
  let n = 0
  await using there = await receiver(async (_, response) => {
    n = (n * 1_103_515_245 + 12_345) % 2_147_483_648
    switch (Math.floor(n / 1000) % 8) {
      case 0:
        return 'drop'
      case 1:
        return 500
      case 2:
        // It has read the event and says so too late.
        await pause(500)
        return 200
      case 3:
        response.writeHead(200, { 'content-length': '100' }).write('partial')
        response.socket?.destroy()
        return 'self'
      default:
        return 200
    }
  })
  const user = await w.user({ treasury: 20 })
  const { id } = await register(user, { url: there.url })
  const cards = await Promise.all(range(8).map(() => user.card({ limit: 1 })))
  for (const { id: card } of cards) await user.post(`/api/cards/${card}/freeze`)
  await deliverAll(w, 6, 1_000)
  await there.down()
  for (const { id: card } of cards) await user.post(`/api/cards/${card}/unfreeze`)
  await deliverAll(w, 3, 1_000)
  await there.up()
  await deliverAll(w, 30, 7_200)

  const facts = (await feedOf(user)).filter(({ type }) => /^card\./.test(type)).map(({ id }) => id)
  expect(facts.length).toBeGreaterThanOrEqual(24)
  // Each event is known to the receiver, and none that is not in the feed.
  const seen = new Set(there.got.map(({ event }) => event.id))
  for (const fact of facts) expect(seen).toContain(fact)
  const all = (await feedOf(user)).map(({ id }) => id)
  for (const event of seen) expect(all).toContain(event)
  const log = await logOf(user, id)
  expect(new Set(log.map(({ status }) => status))).toEqual(new Set(['DELIVERED']))
  expect(new Set(log.map(({ event_id }) => event_id)).size).toBe(log.length)
})

test('an answer that no database can store holds up nobody else', async () => {
  await using w = await world()
  await prove(w)
  const { egress } = w.services
  const statuses = [99, 1_000, 99_999]
  const odd = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', () => socket.end('HTTP/1.1 099 Odd\r\ncontent-length: 0\r\n\r\n'))
  })
  odd.listen(0, '127.0.0.1')
  await once(odd, 'listening')
  const url = `http://127.0.0.1:${(odd.address() as AddressInfo).port}/`
  await using good = await receiver()
  const [bad, other] = [await w.user({ treasury: 20 }), await w.user({ treasury: 20 })]
  const { id } = await register(bad, { url })
  await register(other, { url: good.url })
  for (const status of statuses) {
    // Node's parser gives three digits at most. A later one may give more.
    const post: typeof egress.kept.post = async (to, request) => {
      const answer = await egress.kept.post(to, request)
      return answer.status === 99 ? { ...answer, status } : answer
    }
    Object.assign(w.services, { egress: { ...egress, kept: { ...egress.kept, post } } })
    await Promise.all([bad.card({ limit: 1 }), other.card({ limit: 1 })])
    await w.deliver()
  }
  const cards = (await feedOf(other)).filter(({ type }) => type.startsWith('card.'))
  const facts = cards.map(({ id }) => id)
  expect(facts).toHaveLength(statuses.length)
  expect(new Set(good.got.map(({ event }) => event.id))).toEqual(new Set(facts))
  const log = await logOf(bad, id)
  expect(new Set(log.map(({ status }) => status))).toEqual(new Set(['FAILED']))
  expect(new Set(log.map(({ status_code }) => status_code))).toEqual(new Set([99, null]))
  const tested = await bad.post(`/api/webhooks/${id}/test`)
  expect(tested).toMatchObject({ status: 200, body: { ok: false } })
  odd.close()
})

test('a 200 after the time limit is a failure, and is shown as no answer', async () => {
  await using w = await world()
  await prove(w)
  const patient = w.services.egress
  withTimeout(w, 200)
  const given = Promise.withResolvers<void>()
  await using there = await receiver(async () => {
    await given.promise
    return 200
  })
  const user = await w.user()
  const { id } = await register(user, { url: there.url })
  await events(w, user, [1])
  await w.deliver()
  const [row] = await logOf(user, id)
  expect(row).toMatchObject({ status: 'FAILED', status_code: null, attempts: 1 })
  given.resolve()
  Object.assign(w.services, { egress: patient })
  await w.advance(10)
  await w.deliver()
  expect(await statesOf(user, id)).toEqual({ DELIVERED: 1 })
  // The same event id, so that the receiver knows it.
  expect(new Set(there.got.map(({ event }) => event.id)).size).toBe(1)
})

test('five wallets with five endpoints each at a victim send it one request in ten seconds', async () => {
  await using w = await world()
  await using victim = await receiver(() => 403)
  const users = await Promise.all(range(5).map(() => w.user()))
  for (const user of users) {
    for (let i = 0; i < 5; i++) await register(user, { url: `${victim.url}/${i}` })
    for (let card = 0; card < 4; card++) await events(w, user, range(5))
  }
  const begun = w.now().getTime()
  for (let second = 0; second < 60; second += 2) {
    await w.deliver()
    await w.advance(2)
  }
  // The world's clock goes on while the deliveries are made.
  const seconds = (w.now().getTime() - begun) / 1000
  expect(victim.got.length).toBeGreaterThanOrEqual(4)
  expect(victim.got.length).toBeLessThanOrEqual(1 + Math.floor(seconds / 10))
  // Deliveries that wait for a turn have used up no attempt.
  const attempts = await Promise.all(
    users.map(async (user) => {
      const { deliveries } = (await user.get('/api/webhooks/deliveries?limit=100')).body
      return deliveries.reduce((sum: number, row: { attempts: number }) => sum + row.attempts, 0)
    }),
  )
  expect(attempts.reduce((sum, count) => sum + count, 0)).toBe(victim.got.length)
})

test('a host that has answered 2xx gets everything at once', async () => {
  await using w = await world()
  await using there = await receiver()
  const user = await w.user()
  await register(user, { url: there.url })
  await register(user, { url: `${there.url}/2` })
  await events(w, user, range(10))
  await w.deliver()
  expect(there.got).toHaveLength(20)
})

test('an endpoint that leads to this service is refused, by whatever name, also when it is sent to', async () => {
  await using w = await world()
  const url = await w.listen()
  const { port } = new URL(url)
  const user = await w.user()
  for (const host of ['127.0.0.1', '127.1', '0x7f000001', '[::ffff:127.0.0.1]', 'localhost'])
    await expect(
      checkEndpoint(w.services, `http://${host}:${port}/api/webhooks`),
      host,
    ).rejects.toMatchObject({ code: 'url_not_allowed' })
  // It was somebody else's when it was saved.
  await using there = await receiver()
  const { id } = await register(user, { url: there.url })
  await w.write((tx) =>
    sql`update webhooks set url = ${`${url}/hook`} where id = ${id}`.execute(tx),
  )
  await events(w, user, [1])
  await w.deliver()
  const [row] = await logOf(user, id)
  expect(row).toMatchObject({ status: 'FAILED', status_code: null })
  expect((row as unknown as { error: string }).error).toContain('this service itself')
})

test('two machines deliver everything once, and one takes over what a dead one had', async () => {
  await using w = await world()
  await prove(w)
  await using other = await w.machine()
  await using there = await receiver()
  const users = await Promise.all(range(4).map(() => w.user()))
  const made = await Promise.all(users.map((user) => register(user, { url: there.url })))
  for (const user of users) await events(w, user, range(20))
  await Promise.all([w.deliver(), other.deliver(), w.deliver()])
  await w.deliver()
  expect(there.got).toHaveLength(80)

  const [user] = users
  const [first] = made
  if (!user || !first) throw new Error('there is no user')
  await w.write(async (tx) => {
    // It lives for nineteen seconds, or until the test ends that.
    await sql`insert into webhook_senders values ('dead', now() + interval '9 seconds')`.execute(tx)
    await sql`update webhooks set sender = 'dead' where id = ${first.id}`.execute(tx)
  })
  await recordOne(w, user, { card: 'card_x', number: 1 })
  await w.deliver()
  expect(there.got).toHaveLength(80)
  await w.write((tx) =>
    sql`update webhook_senders set seen_at = now() - interval '11 seconds' where id = 'dead'`.execute(
      tx,
    ),
  )
  await w.deliver()
  expect(there.got).toHaveLength(81)
})

test('after a restore the same events go out under the same ids', async () => {
  await using w = await world()
  await prove(w)
  await using there = await receiver()
  const user = await w.user()
  const { id } = await register(user, { url: there.url })
  await events(w, user, range(3))
  const copy = await w.backup()
  await w.deliver()
  const before = there.got.map(({ event, body }) => [event.id, body.toString()])
  expect(before).toHaveLength(3)
  await using restored = await copy.restore()
  await restored.deliver()
  expect(there.got.slice(3).map(({ event, body }) => [event.id, body.toString()])).toEqual(before)
  const again = restored.as(user)
  expect(await statesOf(again, id)).toEqual({ DELIVERED: 3 })
})
