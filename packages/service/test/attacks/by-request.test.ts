import type { AddressInfo } from 'node:net'
import { connect as connectTcp, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { createLanes, type Lane } from '../../src/base/db/lanes/lane.ts'
import { openDb, sql } from '../../src/base/db/sql.ts'
import { randomHex } from '../../src/base/kernel/secrets.ts'
import { issue, open, payWith } from '../actors/attack-kit.ts'
import { until } from '../until.ts'
import { world } from '../world.ts'

test("nobody without the card's token can occupy or probe an Idempotency-Key of a wallet or a card", async () => {
  await using w = await world()
  const [seller, victim] = [await w.user({ treasury: 5 }), await w.user({ treasury: 50 })]
  const link = await open(seller, await issue(seller, 1), { max_uses: 0 })
  const card = await issue(victim, 10)
  const headers = { 'idempotency-key': 'order-1' }
  for (const id of [victim.wallet, card.id])
    await payWith(w, link.code, { id, token: 'tok_wrong' }, 'order-1')
  const issued = await victim.post('/api/issue', { purpose: 'x', limit_amount: 1 }, { headers })
  expect(issued.status, issued.text).toBe(200)
  const paid = await payWith(w, link.code, card, 'order-1')
  expect(paid.status, paid.text).toBe(200)
  const probe = await payWith(w, link.code, { id: card.id, token: 'tok_wrong' }, 'order-1')
  expect([probe.status, probe.body.code]).toEqual([401, 'invalid_card_token'])
  expect((await payWith(w, link.code, card, 'order-1')).headers['idempotency-hit']).toBe('true')
})

/** A connection to the database that breaks after a COMMIT has been sent, before the response arrives. */
async function brittle(url: string) {
  const target = new URL(url)
  const state = { isArmed: false, broken: 0 }
  const server = createServer((client) => {
    const upstream = connectTcp(Number(target.port), target.hostname)
    let isCut = false
    client.on('data', (chunk) => {
      if (state.isArmed && chunk.includes('commit\0')) {
        state.isArmed = false
        state.broken++
        isCut = true
        setTimeout(() => client.destroy(), 200)
      }
      upstream.write(chunk)
    })
    upstream.on('data', (chunk) => isCut || client.write(chunk))
    const end = () => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const through = new URL(url)
  through.hostname = '127.0.0.1'
  through.port = String((server.address() as AddressInfo).port)
  return { url: through.href, state, close: () => server.close() }
}

test('a batch whose commit may have happened is never run again', async () => {
  await using w = await world()
  const way = await brittle(w.databaseUrl)
  const db = openDb(way.url, 2)
  await w.write((tx) => sql`create table taken (n integer not null)`.execute(tx))
  const lane: Lane<number, number> = {
    name: 'take',
    run: async (tx, _, intents) => {
      await sql`insert into taken (n) select * from unnest(${intents}::integer[])`.execute(tx)
      return intents
    },
  }
  const lanes = createLanes({
    ...{ db, now: w.now, record: async () => {} },
  })
  way.state.isArmed = true
  const results = await Promise.allSettled([1, 2, 3].map((n) => lanes.submit(lane, n)))
  expect(way.state.broken).toBe(1)
  const { rows } = await sql<{ n: number }>`select n from taken order by n`.execute(w.db.reader)
  expect(rows.map((row) => row.n)).toEqual([1, 2, 3])
  expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(await lanes.submit(lane, 4)).toBe(4)
  await db.close()
  way.close()
})

test('no text of JSON makes a 5xx: lone surrogates, deep nesting', async () => {
  await using w = await world()
  const u = await w.user({ treasury: 10 })
  const card = await issue(u, 1)
  const lone = String.raw`"\ud800x"`
  const deep = `${'['.repeat(60_000)}${']'.repeat(60_000)}`
  const asks: [string, string][] = [
    ['/api/issue', `{"purpose":${lone},"limit_amount":1}`],
    ['/api/issue', `{"purpose":"x","limit_amount":1,"metadata":{"a":${lone}}}`],
    ['/api/issue', `{"purpose":"x","limit_amount":1,"metadata":{${lone}:"a"}}`],
    ['/api/issue', String.raw`{"purpose":"\udc00\ud800","limit_amount":1}`],
    ['/api/paylinks', `{"card_id":"${card.id}","memo":${lone}}`],
    ['/api/keys/restricted', `{"name":${lone},"scopes":["cards:read"]}`],
    [
      '/api/pay',
      `{"card_id":"${card.id}","card_token":"${card.token}","url":"https://127.0.0.1:1/","body":${deep}}`,
    ],
    [
      '/api/pay/simulate',
      `{"card_id":"${card.id}","card_token":"${card.token}","url":"https://127.0.0.1:1/","body":${deep}}`,
    ],
    ['/api/issue', `{"purpose":${deep},"limit_amount":1}`],
  ]
  for (const [path, body] of asks) {
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomHex(8) }
    const reply = await u.post(path, body, { headers })
    expect([
      path,
      body.slice(0, 60),
      reply.status >= 400 && reply.status < 500,
      reply.status,
    ]).toEqual([path, body.slice(0, 60), true, expect.anything()])
  }
  const pair = await u.post(
    '/api/issue',
    String.raw`{"purpose":"\ud83d\ude00 \\ud800","limit_amount":1}`,
    {
      headers: { 'content-type': 'application/json' },
    },
  )
  expect(pair.body.card.purpose).toBe('\u{1F600} \\ud800')
})

test('a new Authorization header for each request does not escape the rate limit', async () => {
  await using w = await world({ settings: { rateLimitPerMinute: 20 } })
  const statuses: number[] = []
  for (let i = 0; i < 40; i++) {
    const headers = { authorization: `Bearer ${randomHex(8)}` }
    statuses.push((await w.call('GET', '/api/config', undefined, { headers })).status)
  }
  expect(statuses.filter((status) => status === 429)).toHaveLength(20)
})

test.each([
  ['ignored from a stranger', [], 20],
  ['believed from our own proxy', ['127.0.0.1'], 0],
])('whom X-Forwarded-For names is %s', async (_, trustedProxies, refused) => {
  await using w = await world({ settings: { rateLimitPerMinute: 20, trustedProxies } })
  const statuses: number[] = []
  for (let i = 0; i < 40; i++) {
    const headers = { 'x-forwarded-for': `198.51.100.${i}` }
    statuses.push((await w.call('GET', '/api/config', undefined, { headers })).status)
  }
  expect(statuses.filter((status) => status === 429)).toHaveLength(refused)
})

test('callers with keys of their own do not use up the rate limit of each other', async () => {
  await using w = await world({ settings: { rateLimitPerMinute: 20 } })
  const [a, b] = [await w.user(), await w.user()]
  for (let i = 0; i < 25; i++) await a.get('/api/cards')
  expect((await a.get('/api/cards')).status).toBe(429)
  expect((await b.get('/api/cards')).status).toBe(200)
})

test('a form with a NUL is refused, not a failure', async () => {
  await using w = await world()
  const u = await w.user({ treasury: 5 })
  const link = await open(u, await issue(u, 1))
  const form = (body: string) =>
    w.call('POST', `/pay/${link.code}/paid`, body, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  const sent = await form('payer_card_id=a%00&payer_card_token=b')
  expect(sent.status).toBe(400)
})

test('a request that another took over after a minute answers once, and acts once', async () => {
  await using w = await world()
  const u = await w.user({ treasury: 50 })
  const headers = { 'idempotency-key': 'slow' }
  const body = { purpose: 'x', limit_amount: 1 }
  // The first request hangs before its transaction: this holds the treasury account that it must lock.
  const [held, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = w.write(async (tx) => {
    await sql`select 1 from ledger_accounts where kind = 'treasury' for update`.execute(tx)
    held.resolve()
    await free.promise
  })
  const lockedUntil = async () => {
    const { rows } = await sql<{ lockedUntil: Date }>`select locked_until from idempotency_keys
      where key = 'slow'`.execute(w.db.reader)
    return rows[0]?.lockedUntil
  }
  await held.promise
  const first = u.post('/api/issue', body, { headers })
  await until(lockedUntil, (seen) => expect(seen).toBeDefined())
  const before = await lockedUntil()
  const early = await u.post('/api/issue', body, { headers })
  expect(early.body.code).toBe('idempotency_in_progress')
  w.clock.offsetMs += 61_000
  const second = u.post('/api/issue', body, { headers })
  await until(lockedUntil, (seen) => expect(seen).not.toEqual(before))
  free.resolve()
  await holding
  const replies = await Promise.all([first, second])
  expect(replies.filter((r) => r.status === 200)).toHaveLength(1)
  expect(replies.filter((r) => r.body.code === 'idempotency_in_progress')).toHaveLength(1)
  expect((await u.get('/api/cards')).body.cards).toHaveLength(1)
  const again = await u.post('/api/issue', body, { headers })
  expect(again.headers['idempotency-hit']).toBe('true')
  expect(await w.faults()).toEqual([])
})
