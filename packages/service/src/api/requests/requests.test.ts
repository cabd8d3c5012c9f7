import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../../test/until.ts'
import { type User, type World, world } from '../../../test/world.ts'
import { sql } from '../../base/db/sql.ts'
import { newId } from '../../base/kernel/ids.ts'
import type { Answered } from '../http/server/answered.ts'
import { ALL_MOST, Ration, WALLET_MOST } from './ration.ts'
import { shownPath } from './shown-path.ts'
import { deleteCrowded, insertRequests } from './store.ts'

let w: World
let user: User
let other: User
beforeAll(async () => {
  w = await world()
  ;[user, other] = await Promise.all([w.user({ treasury: 5 }), w.user()])
})
afterAll(() => w[Symbol.asyncDispose]())

type Row = Record<string, unknown> & { request_id: string; status: number; path: string }
const listOf = async (of: User, query = ''): Promise<Row[]> =>
  (await of.get(`/api/requests?limit=100${query}`)).body.requests
/** The request once it is written. */
const shown = async (of: User, id: unknown): Promise<Row | undefined> =>
  until(async () => (await listOf(of)).find((row) => row.request_id === id))

test('a request is shown to its wallet by its id: method, route, path, status, code and key, no query and no body, and not that it was looked at', async () => {
  const { headers } = await user.post('/api/issue', {
    purpose: 'secret-purpose',
    limit_amount: 9999,
  })
  const id = headers['x-request-id']
  const row = await shown(user, id)
  expect(row).toEqual({
    request_id: id,
    at: expect.any(String),
    ...{ method: 'POST', route: '/api/issue', path: '/api/issue', status: 403 },
    code: 'insufficient_balance',
    ms: expect.any(Number),
    ...{ way: 'key', key_hash: expect.stringMatching(/^[0-9a-f]{64}$/), key_name: null },
  })
  const alone = await user.get(`/api/requests/${id}`)
  expect(alone.body).toEqual(row)
  const asked = await user.get('/api/cards?status=ACTIVE&limit=7')
  const other = await shown(user, asked.headers['x-request-id'])
  expect(other).toMatchObject({ path: '/api/cards', route: '/api/cards', status: 200, code: null })
  const everything = JSON.stringify(await listOf(user))
  expect(everything).not.toContain('/api/requests')
  expect(everything).not.toMatch(/secret-purpose|limit=7/)
  expect(everything).not.toContain(user.key)
})

test('another wallet sees nothing of it, neither in its list nor by the id', async () => {
  const { headers } = await user.get('/api/balance')
  const id = headers['x-request-id']
  await shown(user, id)
  expect((await listOf(other)).filter((row) => row.request_id === id)).toEqual([])
  expect(await listOf(other, `&request_id=${id}`)).toEqual([])
  const [theirs, unknown] = [
    await other.get(`/api/requests/${id}`),
    await other.get(`/api/requests/${newId('req', w.now())}`),
  ]
  expect([theirs.status, unknown.status]).toEqual([404, 404])
  expect({ ...theirs.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' })
  expect((await other.get(`/api/requests?after=${id}`)).status).toBe(400)
})

test('a restricted key sees its own requests alone, by its name to its owner', async () => {
  const made = await user.post('/api/keys/restricted', { name: 'agent', scopes: ['cards:read'] })
  const { api_key: key } = made.body
  const { headers } = await w.call('GET', '/api/balance', undefined, { key })
  const id = headers['x-request-id']
  expect(await shown(user, id)).toMatchObject({
    ...{ status: 403, code: 'forbidden_scope', key_name: 'agent' },
    key_hash: made.body.key.key_hash,
  })
  const own = (await w.call('GET', '/api/requests', undefined, { key })).body.requests as Row[]
  expect(own.some(({ request_id }) => request_id === id)).toBe(true)
  expect(new Set(own.map(({ key_hash }) => key_hash))).toEqual(new Set([made.body.key.key_hash]))
})

test('the list is paged, and filtered by a class of statuses', async () => {
  const { headers } = await user.get('/api/cards/card_00000000000000000000000000')
  await shown(user, headers['x-request-id'])
  const refused = await listOf(user, '&status=4xx')
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.filter(({ status }) => status < 400 || status > 499)).toEqual([])
  expect(await listOf(user, '&way=session')).toEqual(
    (await listOf(user)).filter(({ way }) => way === 'session'),
  )
  const first = (await user.get('/api/requests?limit=2&status=4xx')).body
  expect(first.requests).toEqual(refused.slice(0, 2))
  const next = (await user.get(`/api/requests?status=4xx&after=${first.requests[1].request_id}`))
    .body
  expect(next.requests[0]).toEqual(refused[2])
  for (const query of ['status=404', 'way=cookie', 'after=req_x'])
    expect((await user.get(`/api/requests?${query}`)).status, query).toBe(400)
})

test('after an hour it is gone, and of a wallet the newest stay', async () => {
  await using own = await world()
  const busy = await own.user()
  const { headers } = await busy.get('/api/balance')
  const seen = async (query = '') =>
    (await busy.get(`/api/requests?limit=100${query}`)).body.requests as Row[]
  const row = await until(async () =>
    (await seen()).find(({ request_id }) => request_id === headers['x-request-id']),
  )
  const count = () =>
    own.db.reader
      .executeQuery<{ n: bigint }>(
        sql`select count(*) as n from request_log where route = '/x'`.compile(own.db.reader),
      )
      .then(({ rows }) => Number(rows[0]?.n))
  const of = { walletAddress: busy.wallet, credentialHash: 'a', way: 'key' as const }
  const more = Array.from({ length: 7 }, (_, i) => ({
    ...{ ...of, requestId: `req_${i}`, method: 'GET', route: '/x', path: '/x', status: 200 },
    ...{ code: null, ms: 1, createdAt: own.now() },
  }))
  await own.write((tx) => insertRequests(tx, more))
  await own.write((tx) => deleteCrowded(tx, 5))
  // Their ids stand after those of real requests, so the newest five are theirs.
  expect(await count()).toBe(5)
  await own.advance(3_601)
  expect((await seen()).some(({ request_id }) => request_id === row?.request_id)).toBe(false)
  await own.runJobs()
  expect(await count()).toBe(0)
})

const answered = (walletAddress: string, id: number, status = 200): Answered => ({
  ...{
    id: String(id).padStart(6, '0'),
    at: new Date(0),
    method: 'GET',
    route: '/',
    path: '/',
    status,
  },
  ...{ code: undefined, ms: 1 },
  caller: { walletAddress } as Answered['caller'],
})

test('a busy wallet takes nobody’s place, and of its own the refused and the newest are kept', () => {
  const ration = new Ration()
  for (let i = 0; i < 5_000; i++) ration.put(answered('busy', i, i % 1_000 === 0 ? 402 : 200))
  ration.put(answered('quiet', 1))
  const rows = ration.take()
  const busy = rows.filter(({ caller }) => String(caller.walletAddress) === 'busy')
  expect(rows).toHaveLength(WALLET_MOST + 1)
  expect(busy.filter(({ status }) => status === 402)).toHaveLength(5)
  expect(Math.min(...busy.filter(({ status }) => status === 200).map(({ id }) => Number(id)))).toBe(
    4_905,
  )
  for (let i = 0; i < 3 * ALL_MOST; i++) ration.put(answered(`wallet ${i}`, i))
  expect(ration.take().length).toBeLessThanOrEqual(ALL_MOST)
})

test('a value in a path is kept only where it can be the name of an object', () => {
  const at = (value: string) => shownPath('/api/cards/{id}/freeze', `/api/cards/${value}/freeze`)
  for (const id of ['card_01jz9q4m7k5cab456c9eb9d4b7', 'PL_2FDADC56FE', `0x${'1'.repeat(40)}`])
    expect(at(id)).toBe(`/api/cards/${id}/freeze`)
  const key = 'purser_test_VDOwg5pGMCyHz1wGQ9kDaRcQPJUMPJZB8Fd9U3B7Zx0jv9aPZ'
  const token = `tok_${'x'.repeat(43)}`
  for (const value of [
    key,
    token,
    'eyJhbGciOiJFUzI1NiJ9.eyJhIjoxfQ.c2ln',
    'a%20b',
    'x'.repeat(200),
  ])
    expect(at(value)).toBe('/api/cards/…/freeze')
})
