import type { AddressInfo } from 'node:net'
import { connect as connectTcp, createServer } from 'node:net'
import { createWalletClient, http, type PrivateKeyAccount } from 'viem'
import { expect, test } from 'vitest'
import { independentCalls, MULTICALL3 } from '../src/chain/multicall.ts'
import { createLanes, type Lane } from '../src/db/lane.ts'
import { openDb, sql } from '../src/db/sql.ts'
import { randomHex } from '../src/kernel/secrets.ts'
import {
  authorizationTypedData,
  type TransferAuthorization,
} from '../src/protocols/eip3009/authorization.ts'
import { transferWithAuthorizationData } from '../src/protocols/eip3009/calldata.ts'
import { freshAccount } from './chain.ts'
import { type User, type World, world } from './world.ts'

type Held = { id: string; token: string }

async function issue(user: User, limit: number, more: object = {}): Promise<Held> {
  const made = await user.post('/api/issue', { purpose: 'x', limit_amount: limit, ...more })
  expect(made.status, made.text).toBe(200)
  return made.body.card
}
async function open(user: User, card: Held, link: object = {}) {
  const made = await user.post('/api/paylinks', { card_id: card.id, amount: 1, ...link })
  expect(made.status, made.text).toBe(200)
  return made.body as { code: string; deposit_address: `0x${string}` }
}
const cardOf = async (u: User, id: string) => (await u.get(`/api/cards/${id}`)).body.card
const balanceOf = async (u: User) => (await u.get('/api/balance')).body.balances[0].available
const payWith = (w: World, code: string, card: Held, key?: string) =>
  w.call(
    'POST',
    `/api/pay/${code}/settle`,
    { payer_card_id: card.id, payer_card_token: card.token },
    { headers: key === undefined ? {} : { 'idempotency-key': key } },
  )

async function signed(w: World, from: PrivateKeyAccount, to: `0x${string}`, value: bigint) {
  const authorization: TransferAuthorization = {
    from: from.address,
    to,
    value,
    validAfter: 0n,
    validBefore: BigInt(Math.floor(Date.now() / 1000) + 600),
    nonce: randomHex(32),
  }
  const signature = await from.signTypedData(authorizationTypedData(w.chain.asset, authorization))
  return { authorization, signature }
}
type Signed = Awaited<ReturnType<typeof signed>>

/** The payment as a client of x402 v1 sends it. */
const present = (w: World, code: string, { authorization, signature }: Signed) =>
  w.call('GET', `/pay/${code}`, undefined, {
    headers: {
      'x-payment': Buffer.from(
        JSON.stringify({
          x402Version: 1,
          scheme: 'exact',
          network: 'base-sepolia',
          payload: {
            signature,
            authorization: {
              ...authorization,
              value: String(authorization.value),
              validAfter: String(authorization.validAfter),
              validBefore: String(authorization.validBefore),
            },
          },
        }),
      ).toString('base64'),
    },
  })

/** Carries the signed transfers to the chain in one transaction, as anybody may. */
async function carry(w: World, payments: Signed[]): Promise<`0x${string}`> {
  const runner = await freshAccount()
  const wallet = createWalletClient({ account: runner, transport: http(w.rpcUrl) })
  const calls = payments.map((p) => transferWithAuthorizationData(p.authorization, p.signature))
  const data = independentCalls(w.chain.asset.contract, calls)
  const hash = await wallet.sendTransaction({ chain: null, to: MULTICALL3, data })
  await w.mined(hash)
  return hash
}
const report = (w: World, code: string, tx_hash: string, more: object = {}) =>
  w.call('POST', `/api/pay/${code}/settle`, { tx_hash, ...more })
const waitingJobs = async (w: World, task: string): Promise<number> => {
  const { rows } = await sql<{ n: bigint }>`select count(*) as n from graphile_worker.jobs
    where task_identifier = ${task}`.execute(w.db.reader)
  return Number(rows[0]?.n)
}

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

test('two transfers to a link in one transaction are two payments', async () => {
  await using w = await world()
  await w.withGas()
  const seller = await w.user({ treasury: 5 })
  const card = await issue(seller, 1)
  const link = await open(seller, card, { max_uses: 0 })
  const payer = await freshAccount({ usdc: 5_000_000n })
  const hash = await carry(w, [
    await signed(w, payer, link.deposit_address, 1_000_000n),
    await signed(w, payer, link.deposit_address, 1_000_000n),
  ])
  await w.safe()
  const replies = await Promise.all([1, 2, 3].map(() => report(w, link.code, hash)))
  expect(replies.map((r) => r.status).sort()).toEqual([200, 200, 410])
  expect((await cardOf(seller, card.id)).received).toBe(1.99)
  await w.runJobs()
  expect(await w.faults()).toEqual([])
})

test.each([{ max_uses: 1 }, { max_uses: 0 }])(
  'a transfer that an x402 payment is waiting for cannot be taken from it by its transaction: %j',
  async (uses) => {
    await using w = await world()
    const seller = await w.user({ treasury: 5 })
    const card = await issue(seller, 1)
    const link = await open(seller, card, uses)
    const payer = await freshAccount({ usdc: 5_000_000n })
    const payment = await signed(w, payer, link.deposit_address, 1_000_000n)
    // The relayer has no gas: the claim stands, and its transaction waits.
    expect((await present(w, link.code, payment)).status).toBe(502)
    const hash = await carry(w, [payment])
    await w.safe()
    const reported = await report(w, link.code, hash)
    expect([reported.status, reported.body.status]).toEqual([202, 'PENDING'])
    await w.withGas()
    await w.advance(60)
    await w.runJobs()
    const told = await present(w, link.code, payment)
    expect([told.status, told.body.protocol]).toEqual([200, 'x402'])
    expect((await report(w, link.code, hash)).body.code).toBe('already_settled')
    expect((await cardOf(seller, card.id)).received).toBe(0.995)
    expect(await balanceOf(seller)).toBe(4)
    expect(await w.faults()).toEqual([])
  },
)

test('two x402 payments that somebody carried in one transaction are both credited', async () => {
  await using w = await world()
  const seller = await w.user({ treasury: 5 })
  const card = await issue(seller, 1)
  const link = await open(seller, card, { max_uses: 0 })
  const payer = await freshAccount({ usdc: 5_000_000n })
  const payments = await Promise.all(
    [1, 2].map(() => signed(w, payer, link.deposit_address, 1_000_000n)),
  )
  for (const payment of payments) expect((await present(w, link.code, payment)).status).toBe(502)
  await carry(w, payments)
  await w.withGas()
  await w.advance(60)
  await w.runJobs()
  for (const payment of payments)
    expect((await present(w, link.code, payment)).body.status).toBe('SETTLED')
  expect((await cardOf(seller, card.id)).received).toBe(1.99)
  expect(await w.faults()).toEqual([])
})

test('a payment made in time settles its link although its block became safe after the end', async () => {
  await using w = await world()
  await w.withGas()
  const seller = await w.user({ treasury: 5 })
  const card = await issue(seller, 1)
  const link = await open(seller, card, { expires_in: 1 })
  const payer = await w.user({ usdc: 5 })
  const hash = await w.transfer(payer.account, link.deposit_address, 1_000_000n)
  await w.safe()
  await w.advance(3700)
  await w.runJobs()
  expect((await w.call('GET', `/api/paylinks/${link.code}`)).body.status).toBe('EXPIRED')
  const settled = await report(w, link.code, hash)
  expect(settled.status, settled.text).toBe(200)
  expect((await w.call('GET', `/api/paylinks/${link.code}`)).body.status).toBe('COMPLETED')
})

test('a payment made after the end is the seller\'s as "late"', async () => {
  await using w = await world()
  await w.withGas()
  const seller = await w.user({ treasury: 5 })
  const card = await issue(seller, 1)
  const link = await open(seller, card, { expires_in: 0.0003 })
  const payer = await w.user({ usdc: 5 })
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  const hash = await w.transfer(payer.account, link.deposit_address, 1_000_000n)
  await w.safe()
  const reply = await report(w, link.code, hash)
  expect([reply.status, reply.body.reason]).toEqual([422, 'late'])
  expect(await balanceOf(seller)).toBe(5)
})

test("dust on a link's address keeps no job running for ever", async () => {
  await using w = await world()
  await w.withGas()
  const seller = await w.user({ treasury: 5 })
  const link = await open(seller, await issue(seller, 1), { max_uses: 0 })
  const payer = await w.user({ usdc: 5 })
  const hash = await w.transfer(payer.account, link.deposit_address, 1_000_000n)
  await w.transfer(payer.account, link.deposit_address, 1n)
  await w.safe()
  expect((await report(w, link.code, hash)).status).toBe(200)
  await w.runJobs()
  await w.advance(10)
  await w.runJobs()
  expect(await waitingJobs(w, 'sweep_link')).toBe(0)
})

/** A way to the database that breaks when a COMMIT has been sent, before its answer comes back. */
async function brittle(url: string) {
  const target = new URL(url)
  const state = { isArmed: false, broken: 0 }
  const server = createServer((client) => {
    const upstream = connectTcp(Number(target.port), target.hostname)
    let isCut = false
    client.on('data', (chunk) => {
      if (state.isArmed && chunk.includes('commit')) {
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
  const lanes = createLanes({ db, now: w.now, record: async () => {} })
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

test('callers with keys of their own do not use up the rate limit of each other', async () => {
  await using w = await world({ settings: { rateLimitPerMinute: 20 } })
  const [a, b] = [await w.user(), await w.user()]
  for (let i = 0; i < 25; i++) await a.get('/api/cards')
  expect((await a.get('/api/cards')).status).toBe(429)
  expect((await b.get('/api/cards')).status).toBe(200)
})

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
