import { expect, test } from 'vitest'
import {
  insertDelivery,
  patch,
  prove,
  recordEvents,
  register,
} from '../../../../test/webhooks/kit.ts'
import { receiver } from '../../../../test/webhooks/receiver.ts'
import { type User, type World, world } from '../../../../test/world.ts'
import { sql } from '../../../base/db/sql.ts'

const LONG_AGO = '2020-01-01T00:00:00Z'
const recover = (user: User, id: string, body: object = {}) =>
  user.post(`/api/webhooks/${id}/recover`, { since: LONG_AGO, ...body })
const replayMissing = (user: User, id: string, body: object = {}) =>
  user.post(`/api/webhooks/${id}/replay-missing`, { since: LONG_AGO, ...body })
const logOf = async (user: User, id: string) =>
  (await user.get(`/api/webhooks/deliveries?webhook_id=${id}&limit=100`)).body.deliveries

/** Lets every delivery fail until none has a retry left. */
async function exhaust(w: World, user: User, id: string) {
  for (let hours = 0; hours < 130; hours += 26) {
    await w.advance(26 * 3_600)
    await w.deliver()
  }
  await patch(user, id, { status: 'DISABLED' })
  await patch(user, id, { status: 'ACTIVE' })
}

test('what failed is due again, with the attempts that were made, and is then delivered', async () => {
  await using w = await world()
  await using there = await receiver(() => 500)
  await prove(w)
  const user = await w.user()
  const { id } = await register(user, { url: there.url })
  await recordEvents(w, user, 3)
  await w.deliver()
  await exhaust(w, user, id)
  const before = await logOf(user, id)
  for (const row of before) expect(row.status).toBe('EXHAUSTED')
  there.state.manner = () => 200
  expect((await recover(user, id, { dry_run: true })).body).toEqual({
    count: 3,
    dry_run: true,
    has_more: false,
  })
  expect(await logOf(user, id)).toEqual(before)
  expect((await recover(user, id)).body).toEqual({ count: 3, dry_run: false, has_more: false })
  expect((await recover(user, id)).body).toMatchObject({ count: 0 })
  await prove(w)
  await w.deliver()
  const after = await logOf(user, id)
  for (const [i, row] of after.entries())
    expect(row).toMatchObject({ status: 'DELIVERED', attempts: before[i].attempts + 1 })
})

test('the schedule of a recovered delivery begins anew', async () => {
  await using w = await world()
  await using there = await receiver(() => 500)
  await prove(w)
  const user = await w.user()
  const { id } = await register(user, { url: there.url })
  await recordEvents(w, user, 1)
  await w.deliver()
  await w.advance(3_600)
  await w.deliver()
  const [second] = await logOf(user, id)
  expect(second).toMatchObject({ status: 'FAILED', attempts: 2 })
  await recover(user, id)
  await w.deliver()
  const [third] = await logOf(user, id)
  expect(third).toMatchObject({ status: 'FAILED', attempts: 3 })
  expect(Date.parse(third.next_attempt_at) - w.now().getTime()).toBeLessThan(7_000)
})

test('a period bounds what is recovered, and a delivery without its body is left', async () => {
  await using w = await world()
  const user = await w.user()
  const { id } = await register(user)
  const times: string[] = []
  for (let n = 0; n < 3; n++) {
    times.push(w.now().toISOString())
    const delivery = await insertDelivery(w, user, { webhookId: id, status: 'EXHAUSTED' })
    const eventId = delivery.split(':')[1]
    await w.write((tx) =>
      sql`insert into webhook_payloads (event_id, body, created_at)
        values (${eventId}, '{}'::bytea, ${w.now()})`.execute(tx),
    )
    await w.advance(60)
  }
  await insertDelivery(w, user, { webhookId: id, status: 'EXHAUSTED' })
  const count = async (since: string | undefined, until?: string) =>
    (await recover(user, id, { dry_run: true, since, ...(until && { until }) })).body.count
  expect(await count(times[0])).toBe(3)
  expect(await count(times[1])).toBe(2)
  expect(await count(times[1], times[2])).toBe(1)
  expect((await recover(user, id, { since: times[1] })).body.count).toBe(2)
  const states = (await logOf(user, id)).map(({ status }: { status: string }) => status)
  expect(states).toEqual(['EXHAUSTED', 'PENDING', 'PENDING', 'EXHAUSTED'])
})

test('ten thousand are recovered in a call, and the next call takes the rest', async () => {
  await using w = await world()
  const user = await w.user()
  const { id } = await register(user)
  await w.write((tx) =>
    sql`with made as (insert into webhook_deliveries (webhook_id, event_id, wallet_address, seq, subject, status, url,
          created_at, updated_at)
        select ${id}, 'evt_' || n, ${user.wallet}, n, 'x', 'EXHAUSTED', 'x', ${w.now()}, ${w.now()}
        from generate_series(1, 10050) n returning event_id)
      insert into webhook_payloads select event_id, '{}'::bytea, ${w.now()} from made`.execute(tx),
  )
  await w.advance(1)
  expect((await recover(user, id)).body).toEqual({ count: 10_000, dry_run: false, has_more: true })
  expect((await recover(user, id)).body).toEqual({ count: 50, dry_run: false, has_more: false })
  const total = async (status: string) =>
    (await user.get(`/api/webhooks/deliveries?status=${status}&limit=1`)).body.total
  expect([await total('PENDING'), await total('EXHAUSTED')]).toEqual([10_050, 0])
})

test('missing events are those of before the webhook, of a wider filter, and of its rest; each is sent once', async () => {
  await using w = await world()
  await using there = await receiver()
  await prove(w)
  const user = await w.user()
  await recordEvents(w, user, 2)
  const { id } = await register(user, { url: there.url, events: ['card.updated'] })
  await recordEvents(w, user, 3)
  await w.deliver()
  expect(there.got).toHaveLength(3)
  await patch(user, id, { status: 'DISABLED' })
  await recordEvents(w, user, 4)
  await w.deliver()
  await patch(user, id, { status: 'ACTIVE' })
  await w.shown()
  expect((await replayMissing(user, id, { dry_run: true })).body).toEqual({
    count: 6,
    dry_run: true,
    has_more: false,
  })
  const both = await Promise.all([replayMissing(user, id), replayMissing(user, id)])
  expect(both.map(({ body }) => body.count).sort()).toEqual([0, 6])
  await w.deliver()
  expect(there.got).toHaveLength(9)
  expect(new Set(there.got.map(({ event }) => event.id)).size).toBe(9)
  const feed = (await user.get('/api/events?type=card.updated')).body.events
  for (const { event } of there.got) expect(feed).toContainEqual(event)
  await patch(user, id, { events: null })
  const wider = (await replayMissing(user, id, { dry_run: true })).body.count
  const others = (await user.get('/api/events?limit=100')).body.events
  expect(wider).toBe(others.length - 9)
})

test('a period bounds the missing events by the time they were recorded', async () => {
  await using w = await world()
  const user = await w.user()
  const { id } = await register(user, { events: ['card.updated'] })
  await patch(user, id, { status: 'DISABLED' })
  const times: string[] = []
  for (let n = 0; n < 3; n++) {
    times.push(w.now().toISOString())
    await recordEvents(w, user, 1)
    await w.advance(60)
  }
  await patch(user, id, { status: 'ACTIVE' })
  await w.shown()
  const body = { dry_run: true, since: times[1], until: times[2] }
  expect((await replayMissing(user, id, body)).body.count).toBe(1)
})

test('neither tests of others nor its own end are missing at a webhook', async () => {
  await using w = await world()
  await using there = await receiver(() => 410)
  await prove(w)
  const user = await w.user()
  const other = await register(user, { url: there.url, description: 'gone' })
  await user.post(`/api/webhooks/${other.id}/test`)
  const { id } = await register(user)
  await w.shown()
  const typesOf = async (id: string) => {
    await replayMissing(user, id)
    const log = await logOf(user, id)
    const events = (await user.get('/api/events?limit=100')).body.events
    return log
      .map((row: any) => events.find((event: any) => event.id === row.event_id).type)
      .filter((type: string) => type.startsWith('webhook.'))
  }
  expect(await typesOf(id)).toEqual(['webhook.disabled'])
  await patch(user, other.id, { status: 'ACTIVE' })
  expect(await typesOf(other.id)).toEqual(['webhook.test'])
})

test('a disabled webhook, another wallet and a time that is none are refused', async () => {
  await using w = await world()
  const [user, other] = [await w.user(), await w.user()]
  const { id } = await register(user)
  for (const ask of [recover, replayMissing]) {
    expect((await ask(other, id)).status).toBe(404)
    for (const [body, param] of [
      [{ since: undefined }, 'since'],
      [{ since: 'yesterday' }, 'since'],
      [{ since: '2026-07-16' }, 'since'],
      [{ since: '2026-07-16T12:00:00' }, 'since'],
      [{ since: 1_752_624_000 }, 'since'],
      [{ until: '2026-13-01T00:00:00Z' }, 'until'],
      [{ until: '2019-12-31T23:59:59Z' }, 'until'],
      [{ dry_run: 'yes' }, 'dry_run'],
    ] as const)
      expect(await ask(user, id, body), JSON.stringify(body)).toMatchObject({
        status: 400,
        body: { param },
      })
  }
  await patch(user, id, { status: 'DISABLED' })
  for (const ask of [recover, replayMissing])
    expect(await ask(user, id)).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
})
