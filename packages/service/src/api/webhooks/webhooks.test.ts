import { expect, test } from 'vitest'
import { ENDPOINT, insertDelivery, patch, register, secretsOf } from '../../../test/webhooks/kit.ts'
import { type User, world } from '../../../test/world.ts'
import { all, one, sql } from '../../base/db/sql.ts'

const listed = async (user: User) => (await user.get('/api/webhooks')).body.webhooks

test('a webhook is active at once, and its secret is shown in that answer alone', async () => {
  await using w = await world()
  const user = await w.user()
  const made = await register(user, { description: 'shop', events: ['payment.settled'] })
  expect(made).toEqual({
    id: expect.stringMatching(/^wh_[0-9a-z]{26}$/),
    url: ENDPOINT,
    description: 'shop',
    status: 'ACTIVE',
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    note: expect.any(String),
    created_at: expect.any(String),
  })
  const second = await register(user)
  const answer = await user.get('/api/webhooks')
  expect(answer.body.webhooks.map(({ id }: { id: string }) => id)).toEqual([second.id, made.id])
  expect(answer.body.webhooks[1]).toEqual({
    id: made.id,
    url: ENDPOINT,
    description: 'shop',
    status: 'ACTIVE',
    created_at: made.created_at,
    events: ['payment.settled'],
    disabled_reason: null,
    disabled_at: null,
    failing_since: null,
  })
  expect(answer.body.webhooks[0]).toMatchObject({ description: '', events: null })
  expect(answer.text).not.toContain('whsec_')
  expect(await secretsOf(w, made.id)).toEqual([made.secret])
  expect(made.secret).not.toBe(second.secret)
})

test.each([
  [{}, 'missing_field', 'url'],
  [{ url: 'https://169.254.169.254/latest' }, 'url_not_allowed', 'url'],
  [{ url: 'http://shop.example/' }, 'url_not_allowed', 'url'],
  [{ url: 'https://user:pass@shop.example/' }, 'url_not_allowed', 'url'],
  [{ url: ENDPOINT, events: [] }, 'invalid_field', 'events'],
  [{ url: ENDPOINT, events: ['payment.settled', 'payment.settled'] }, 'invalid_field', 'events'],
  [{ url: ENDPOINT, events: ['payment.*'] }, 'invalid_field', 'events'],
  [{ url: ENDPOINT, events: ['operator.alarm'] }, 'invalid_field', 'events'],
  [{ url: ENDPOINT, events: 'payment.settled' }, 'invalid_field', 'events'],
  [{ url: ENDPOINT, description: 'x'.repeat(501) }, 'invalid_field', 'description'],
  [{ url: ENDPOINT, secret: 'whsec_mine' }, 'unknown_field', 'secret'],
])('%j is refused, at registration and at a change', async (body, code, param) => {
  await using w = await world()
  const user = await w.user()
  expect(await user.post('/api/webhooks', body)).toMatchObject({
    status: 400,
    body: { code, param },
  })
  if (code === 'missing_field') return
  const { id } = await register(user)
  expect(await patch(user, id, body)).toMatchObject({ status: 400, body: { code, param } })
  expect(await listed(user)).toMatchObject([{ url: ENDPOINT, events: null }])
})

test('a filter with an unknown type is refused with the types that there are', async () => {
  await using w = await world()
  const user = await w.user()
  const made = await user.post('/api/webhooks', { url: ENDPOINT, events: ['payment.setled'] })
  expect(made.body.error).toMatch(
    /Each must be one of agreement\.cancel_scheduled, .*payment\.settled/,
  )
  expect(made.body.error).not.toContain('operator.')
  const operator = { url: ENDPOINT, events: ['operator.alarm'] }
  expect((await user.post('/api/webhooks', operator)).body.error).toContain('operators')
})

test('twenty registrations at once leave five, and the database has no sixth place', async () => {
  await using w = await world()
  const [user, other] = [await w.user(), await w.user()]
  const made = await Promise.all(
    Array.from({ length: 20 }, () => user.post('/api/webhooks', { url: ENDPOINT })),
  )
  expect(made.filter(({ status }) => status === 200)).toHaveLength(5)
  for (const refused of made.filter(({ status }) => status !== 200))
    expect(refused).toMatchObject({ status: 409, body: { code: 'limit_reached' } })
  expect(await listed(user)).toHaveLength(5)
  await register(other)
  const slots = await all<{ slot: number }>(
    w.db.reader,
    sql`select slot from webhooks where wallet_address = ${user.wallet} order by slot`,
  )
  expect(slots.map(({ slot }) => slot)).toEqual([1, 2, 3, 4, 5])
  const copy = (slot: number) =>
    w.write((tx) =>
      sql`insert into webhooks (id, wallet_address, slot, url, host, secret, created_at)
        select 'wh_another', wallet_address, ${slot}, url, host, secret, created_at from webhooks
        where wallet_address = ${user.wallet} limit 1`.execute(tx),
    )
  await expect(copy(3)).rejects.toMatchObject({ constraint: 'five_active_webhooks' })
  await expect(copy(6)).rejects.toMatchObject({ code: '23514' })
})

test('a disabled webhook gives its slot free, and takes a free one when it is enabled', async () => {
  await using w = await world()
  const user = await w.user()
  const hooks: { id: string }[] = []
  for (let n = 0; n < 5; n++) hooks.push(await register(user))
  const [first, second] = [hooks[0]?.id, hooks[1]?.id] as [string, string]
  const disabled = await patch(user, first, { status: 'DISABLED' })
  expect(disabled).toMatchObject({
    status: 200,
    body: {
      success: true,
      webhook: { status: 'DISABLED', disabled_reason: 'owner', disabled_at: expect.any(String) },
    },
  })
  expect((await patch(user, first, { status: 'DISABLED' })).body).toEqual(disabled.body)
  await register(user)
  expect(await patch(user, first, { status: 'ACTIVE' })).toMatchObject({
    status: 409,
    body: { code: 'limit_reached' },
  })
  await w.write((tx) =>
    sql`update webhooks set failures = 12, failing_since = ${w.now()}, breaker_until = ${w.now()}
      where id = ${first}`.execute(tx),
  )
  await user.send('DELETE', `/api/webhooks/${second}`)
  const xid = async () =>
    (
      await one<{ xid: bigint }>(
        w.db.reader,
        sql`select active_xid as xid from webhooks where id = ${first}`,
      )
    )?.xid ?? 0n
  const before = await xid()
  expect((await patch(user, first, { status: 'ACTIVE' })).body.webhook).toMatchObject({
    status: 'ACTIVE',
    disabled_reason: null,
    disabled_at: null,
    failing_since: null,
  })
  const after = await xid()
  expect(after).toBeGreaterThan(before)
  await patch(user, first, { status: 'ACTIVE', description: 'still' })
  expect(await xid()).toBe(after)
})

test('of webhooks that are enabled at once as many become active as slots are free', async () => {
  await using w = await world()
  const user = await w.user()
  const ids: string[] = []
  for (let n = 0; n < 8; n++) {
    const { id } = await register(user)
    ids.push(id)
    await patch(user, id, { status: 'DISABLED' })
  }
  const answers = await Promise.all(ids.map((id) => patch(user, id, { status: 'ACTIVE' })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
  expect(answers.filter(({ body }) => body.code === 'limit_reached')).toHaveLength(3)
  const same = await Promise.all(ids.map((id) => patch(user, id, { status: 'DISABLED' })))
  expect(same.every(({ status }) => status === 200)).toBe(true)
})

test('a wallet has a hundred webhooks at most, disabled ones included', async () => {
  await using w = await world()
  const user = await w.user()
  const { id } = await register(user)
  await patch(user, id, { status: 'DISABLED' })
  await w.write((tx) =>
    sql`insert into webhooks (id, wallet_address, slot, url, host, status, disabled_reason, disabled_at, secret,
        created_at)
      select 'wh_' || n, wallet_address, slot, url, host, status, disabled_reason, disabled_at, secret, created_at
      from webhooks, generate_series(2, 100) n where wallet_address = ${user.wallet}`.execute(tx),
  )
  const refused = await user.post('/api/webhooks', { url: ENDPOINT })
  expect(refused).toMatchObject({ status: 409, body: { code: 'limit_reached' } })
  await user.send('DELETE', `/api/webhooks/${id}`)
  await register(user)
})

test('a change touches what it names, and null takes a filter or a description away', async () => {
  await using w = await world()
  const user = await w.user()
  const { id } = await register(user, { description: 'a', events: ['card.issued'] })
  const url = 'http://127.0.0.1:9/other'
  expect((await patch(user, id, { url })).body.webhook).toMatchObject({
    url,
    description: 'a',
    events: ['card.issued'],
    status: 'ACTIVE',
  })
  const cleared = await patch(user, id, { description: null, events: null })
  expect(cleared.body.webhook).toMatchObject({ url, description: '', events: null })
  expect((await patch(user, id, {})).body.webhook).toEqual(cleared.body.webhook)
})

test('a new URL begins without the failures of the old one', async () => {
  await using w = await world()
  const user = await w.user()
  const { id } = await register(user)
  await w.write((tx) =>
    sql`update webhooks set failures = 7, failing_since = ${w.now()}, breaker_until = ${w.now()}
      where id = ${id}`.execute(tx),
  )
  const failing = async (change: object) =>
    (await patch(user, id, change)).body.webhook.failing_since
  expect(await failing({ description: 'x', url: ENDPOINT })).toEqual(expect.any(String))
  expect(await failing({ url: `${ENDPOINT}/2` })).toBeNull()
})

test('what waits for a webhook ends when it is disabled or deleted, and stays in the log', async () => {
  await using w = await world()
  const user = await w.user()
  const [first, second] = [await register(user), await register(user)]
  for (const { id } of [first, second])
    for (const status of ['PENDING', 'FAILED', 'DELIVERED'])
      await insertDelivery(w, user, { webhookId: id, status })
  const statuses = async (id: string) => {
    const { deliveries } = (await user.get(`/api/webhooks/deliveries?webhook_id=${id}`)).body
    return deliveries.map(({ status }: { status: string }) => status).sort()
  }
  await patch(user, first.id, { status: 'DISABLED' })
  expect(await statuses(first.id)).toEqual(['DELIVERED', 'EXHAUSTED', 'EXHAUSTED'])
  expect(await statuses(second.id)).toEqual(['DELIVERED', 'FAILED', 'PENDING'])
  expect(await user.send('DELETE', `/api/webhooks/${second.id}`)).toMatchObject({
    status: 200,
    body: { success: true },
  })
  expect(await statuses(second.id)).toEqual(['DELIVERED', 'EXHAUSTED', 'EXHAUSTED'])
  expect((await listed(user)).map(({ id }: { id: string }) => id)).toEqual([first.id])
  expect((await user.send('DELETE', `/api/webhooks/${second.id}`)).status).toBe(404)
})

test('after a rotation both secrets are live for a day, and a second one ends the oldest', async () => {
  await using w = await world()
  const user = await w.user()
  const { id, secret: oldest } = await register(user)
  const rotate = () => user.post(`/api/webhooks/${id}/rotate-secret`)
  const { body } = await rotate()
  expect(body).toEqual({
    success: true,
    secret: expect.stringMatching(/^whsec_/),
    previous_secret_expires_at: expect.any(String),
    note: expect.any(String),
  })
  expect(Date.parse(body.previous_secret_expires_at) - w.now().getTime()).toBeGreaterThan(
    23.9 * 3_600_000,
  )
  expect(await secretsOf(w, id)).toEqual([body.secret, oldest])
  const { secret: newest } = (await rotate()).body
  expect(await secretsOf(w, id)).toEqual([newest, body.secret])
  await w.advance(24 * 3600 + 1)
  expect(await secretsOf(w, id)).toEqual([newest])
})

test('of rotations at once each shows its own secret, and the last two sign', async () => {
  await using w = await world()
  const user = await w.user()
  const { id } = await register(user)
  const made = await Promise.all(
    Array.from({ length: 6 }, () => user.post(`/api/webhooks/${id}/rotate-secret`)),
  )
  const secrets = made.map(({ body }) => body.secret)
  expect(new Set(secrets).size).toBe(6)
  for (const live of await secretsOf(w, id)) expect(secrets).toContain(live)
})

test('a secret stands nowhere in the database, and a replayed answer shows it again', async () => {
  await using w = await world()
  const user = await w.user()
  const once = { headers: { 'idempotency-key': 'once' } }
  const first = await user.post('/api/webhooks', { url: ENDPOINT }, once)
  const again = await user.post('/api/webhooks', { url: ENDPOINT }, once)
  expect(again.body).toEqual(first.body)
  expect(await listed(user)).toHaveLength(1)
  const rows = await all<{ row: string }>(
    w.db.reader,
    sql`select t::text as row from webhooks t union all select t::text from idempotency_keys t`,
  )
  const key = first.body.secret.slice('whsec_'.length)
  for (const { row } of rows)
    for (const form of [
      key,
      Buffer.from(key).toString('hex'),
      Buffer.from(key, 'base64').toString('hex'),
    ])
      expect(row).not.toContain(form)
})

test("another wallet's webhook is as one that does not exist", async () => {
  await using w = await world()
  const [user, other] = [await w.user(), await w.user()]
  const { id } = await register(user)
  for (const named of [id, `wh_${'z'.repeat(26)}`, 'nonsense'])
    for (const [method, path, body] of [
      ['PATCH', '', { status: 'DISABLED' }],
      ['DELETE', '', undefined],
      ['POST', '/rotate-secret', undefined],
    ] as const) {
      const answer = await other.send(method, `/api/webhooks/${named}${path}`, body)
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
      expect(answer.body.error).toContain('No such webhook')
    }
  expect((await other.get(`/api/webhooks/deliveries?webhook_id=${id}`)).status).toBe(404)
  expect(await listed(user)).toMatchObject([{ id, status: 'ACTIVE' }])
})
