import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../src/app.ts'
import { sql } from '../src/db/sql.ts'
import type { Route } from '../src/http/route.ts'
import { type Reply, type User, type World, world } from './world.ts'

/** Everything that a refused request could have changed, counted and summed. */
const FOOTPRINT = sql<Record<string, bigint>>`select
  (select count(*) from ledger_transfers) as transfers, (select count(*) from ledger_holds) as holds,
  (select count(*) from cards) as cards, (select count(*) from pay_links) as links,
  (select count(*) from card_transactions) as transactions, (select count(*) from settlements) as settlements,
  (select count(*) from deposits) as deposits, (select count(*) from api_keys where revoked_at is null) as keys,
  (select coalesce(sum(posted * id), 0) from ledger_accounts) as balances,
  (select coalesce(sum(limit_amount + spent + held), 0) from cards) as counters,
  (select string_agg(status, ',' order by id) from cards) as states,
  (select string_agg(status, ',' order by id) from pay_links) as link_states`

let w: World
let mine: User
let theirs: User
let ids: Record<string, string>
let foreign: Record<string, string>

async function possessions(u: User): Promise<Record<string, string>> {
  const { card } = (await u.post('/api/issue', { purpose: 'x', limit_amount: 5 })).body
  const link = (await u.post('/api/paylinks', { card_id: card.id, amount: 1 })).body
  const [key] = (await u.get('/api/keys')).body.keys
  const payer = (await u.post('/api/issue', { purpose: 'payer', limit_amount: 5 })).body.card
  const spare = (await u.post('/api/paylinks', { card_id: card.id, amount: 1 })).body
  const paid = await u.post(`/api/pay/${spare.code}/settle`, {
    payer_card_id: payer.id,
    payer_card_token: payer.token,
  })
  return {
    id: card.id,
    card_id: card.id,
    code: link.code,
    hash: key.key_hash,
    txn_id: paid.body.transaction_id,
    txn: paid.body.transaction_id,
  }
}

beforeAll(async () => {
  w = await world()
  mine = await w.user({ treasury: 100 })
  theirs = await w.user({ treasury: 100 })
  ids = await possessions(mine)
  foreign = await possessions(theirs)
})
afterAll(async () => {
  await w[Symbol.asyncDispose]()
})

// The service compiles each schema at its first use, and assumes that it is valid.
test.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s asks and answers by schemas that are valid',
  (_, route) => {
    const body = new Ajv({ allowUnionTypes: true, formats: { 'date-time': true } })
    const texts = new Ajv({ allowUnionTypes: true, coerceTypes: 'array' })
    if (route.body) body.compile(route.body)
    for (const schema of [route.params, route.query]) if (schema) texts.compile(schema)
    for (const schema of [route.response, ...Object.values(route.otherResponses ?? {})])
      expect(body.validateSchema(schema as object), body.errorsText()).toBe(true)
  },
)

/** The route's path with these ids in it. `/api/payments/{id}` means a transaction. */
const fill = (route: Route, values: Record<string, string>): string =>
  route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(
      (name === 'id' && route.path.includes('/payments/') ? values.txn : values[name]) ?? 'x',
    ),
  )
const matches = (route: Route, path: string): boolean =>
  route.path.includes('{') && new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path)
const footprint = async () => (await FOOTPRINT.execute(w.db.reader)).rows[0]

/** Values of a wrong kind, size or meaning for any field. */
const JUNK: unknown[] = [
  null,
  true,
  [],
  {},
  '',
  ' ',
  -1,
  0.1234567,
  1e300,
  '1e999',
  'NaN',
  '-5',
  'x'.repeat(5000),
  '\u0000',
  '💸',
  ['a'],
  { a: 1 },
  "'; drop table cards; --",
  '../../etc/passwd',
  '0x',
  9_007_199_254_740_993n.toString(),
]

function expectRefusal(reply: Reply, what: string): void {
  expect(reply.status, `${what}: ${reply.text.slice(0, 300)}`).toBeGreaterThanOrEqual(400)
  expect(reply.status, `${what}: ${reply.text.slice(0, 300)}`).toBeLessThan(500)
  expect(reply.body, what).toMatchObject({
    error: expect.any(String),
    code: expect.any(String),
    request_id: expect.stringMatching(/^req_/),
  })
  expect(reply.headers['x-request-id'], what).toBe(reply.body.request_id)
}

const named = routes.map((route) => [`${route.method} ${route.path}`, route] as const)
const keyed = named.filter(([, route]) => route.auth === 'key')
const withBody = named.filter(([, route]) => route.body && 'properties' in route.body)
const owned = keyed.filter(([, route]) => route.path.includes('{'))
/** Operations whose path is free text, or that act whatever the body says. */
const isDevelopment = (route: Route) => route.path.startsWith('/api/dev/')

describe('no credential, or a bad one, is 401 before anything else is looked at', () => {
  test.each(keyed)('%s', async (name, route) => {
    const path = fill(route, ids)
    for (const headers of [
      {},
      { authorization: 'Bearer nonsense' },
      { authorization: 'Basic eA==' },
      { authorization: `Bearer ${mine.key.slice(0, -1)}` },
    ]) {
      const reply = await w.call(
        route.method,
        path,
        route.method === 'GET' ? undefined : { junk: true },
        { headers },
      )
      expect([name, reply.status]).toEqual([name, 401])
      expectRefusal(reply, name)
    }
  })
})

describe("somebody else's object, and one that does not exist, are the same 404", () => {
  test.each(owned)('%s', async (name, route) => {
    const before = await footprint()
    const unknown = {
      id: 'card_zzzzzzzzzzzzzzzzzzzzzzzzzz',
      txn: 'txn_zzzzzzzzzzzzzzzzzzzzzzzzzz',
      txn_id: 'txn_zzzzzzzzzzzzzzzzzzzzzzzzzz',
      code: 'PL_ZZZZZZZZZZ',
      hash: 'f'.repeat(64),
    }
    const body = route.body ? sample(route) : undefined
    const [theirsReply, unknownReply] = [
      await mine.send(route.method, fill(route, foreign), body),
      await mine.send(route.method, fill(route, unknown), body),
    ]
    expect([name, theirsReply.status, theirsReply.body.code]).toEqual([name, 404, 'not_found'])
    expect({ ...unknownReply.body, request_id: '' }).toEqual({
      ...theirsReply.body,
      request_id: '',
    })
    expect(await footprint()).toEqual(before)
  })
})

/** The validator's own messages, which do not say what is allowed in words that people use. */
const OF_THE_VALIDATOR =
  /must NOT|match (pattern|format|a schema)|must be (equal|string|number,|object,|array,|>|<)/

const HASH = `0x${'7'.repeat(64)}`
const MARKET = {
  ...{ symbol: 'ACME', supply: 1, keep_bps: 0, start_price: 1 },
  ...{ deployTx: HASH, listTx: HASH, vestingTx: HASH, keepBps: 0 },
}

/** A body with its required fields filled so that validation passes. */
function sample(route: Route): Record<string, unknown> {
  const values: Record<string, unknown> = {
    amount: 1,
    token: `tok_${'x'.repeat(43)}`,
    reason: 'x',
    since: '2026-01-01T00:00:00Z',
    to_wallet: `0x${'1'.repeat(40)}`,
    ...MARKET,
  }
  const schema = route.body as unknown as { required?: string[] }
  return Object.fromEntries((schema.required ?? []).map((field) => [field, values[field] ?? 'x']))
}

describe('a body of the wrong kind is a clear 4xx and changes nothing', () => {
  test.each(withBody.filter(([, route]) => !isDevelopment(route)))('%s', async (name, route) => {
    const before = await footprint()
    const path = fill(route, ids)
    const properties = Object.keys((route.body as unknown as { properties: object }).properties)
    const required = (route.body as unknown as { required?: string[] }).required ?? []
    for (const whole of [null, [], 'text', 5, true])
      expectRefusal(
        await mine.send(route.method, path, whole),
        `${name} body ${JSON.stringify(whole)}`,
      )
    if (required.length > 0) {
      expectRefusal(await mine.send(route.method, path, {}), `${name} empty`)
      expect((await mine.send(route.method, path, undefined)).status).toBe(400)
    }
    const unknownField = await mine.send(route.method, path, { ...sample(route), no_such_field: 1 })
    expectRefusal(unknownField, `${name} unknown field`)
    for (const field of properties)
      for (const junk of JUNK) {
        // In an optional field null is not junk: it counts as absent.
        if (junk === null && !required.includes(field)) continue
        const reply = await mine.send(route.method, path, { ...sample(route), [field]: junk })
        expect(
          reply.status,
          `${name} ${field}=${JSON.stringify(junk)?.slice(0, 60)}: ${reply.text.slice(0, 300)}`,
        ).toBeLessThan(500)
        expect(reply.text, `${name} ${field}`).not.toMatch(OF_THE_VALIDATOR)
      }
    expectRefusal(
      await mine.send(route.method, path, '{"a":', {
        headers: { 'content-type': 'application/json' },
      }),
      `${name} malformed`,
    )
    expectRefusal(
      await mine.send(route.method, path, '{"__proto__":{"x":1}}', {
        headers: { 'content-type': 'application/json' },
      }),
      `${name} proto`,
    )
    const media = await mine.send(route.method, path, 'a=b', {
      headers: { 'content-type': 'text/plain' },
    })
    expect([name, media.status, media.body.code]).toEqual([name, 415, 'unsupported_media_type'])
    const huge = await mine.send(route.method, path, JSON.stringify({ x: 'y'.repeat(300_000) }))
    expect([name, huge.status, huge.body.code]).toEqual([name, 413, 'body_too_large'])
    // A junk value may be valid for some field (an empty memo), but money and states must not change.
    const after = await footprint()
    if (required.length > 0) expect(after).toEqual(before)
  })
})

describe('a bad query is a clear 400', () => {
  test.each(named.filter(([, route]) => route.query))('%s', async (name, route) => {
    const path = fill(route, ids)
    const { limit } = (
      route.query as unknown as { properties: Record<string, { maximum?: number }> }
    ).properties
    const above = `limit=${(limit?.maximum ?? 100) + 1}`
    for (const query of limit ? ['limit=0', above, 'limit=x', 'limit=1.5', 'limit=-1'] : []) {
      const reply = await mine.send(route.method, `${path}?${query}`)
      expect([name, query, reply.status]).toEqual([name, query, 400])
    }
    const long = await mine.send(
      route.method,
      `${path}?${Object.keys((route.query as unknown as { properties: object }).properties)[0]}=${'x'.repeat(4000)}`,
    )
    expect(long.status, name).toBeLessThan(500)
  })
})

const bodyless = named.filter(([, route]) => !route.body)
describe('a body that would be ignored is a 400, after the credential was looked at', () => {
  test.each(bodyless)('%s', async (name, route) => {
    const before = await footprint()
    for (const body of [{ amount: 1 }, [1], '"text"']) {
      const reply = await mine.send(route.method, fill(route, ids), body)
      expect([name, reply.status, reply.body.code]).toEqual([name, 400, 'invalid_request'])
      expect(reply.body.error).toContain('takes no body')
    }
    expect(await footprint()).toEqual(before)
  })
  test('an operation that is no more says where to go, whatever is sent', async () => {
    const gone = named.filter(([, route]) => route.errors.includes('gone'))
    expect(gone.map(([name]) => name)).toContain('POST /api/ap2/execute')
    for (const [name, { path }] of gone)
      for (const body of [undefined, {}, { url: 'https://shop.example', amount: 1 }, [1]]) {
        const reply = await mine.post(path, body)
        expect([name, reply.status, reply.body.code]).toEqual([name, 410, 'gone'])
        expect(reply.body.migrate_to).toMatch(/^\/api\//)
      }
  })
  test('an empty one is none', async () => {
    for (const body of ['', ' ', {}, null])
      expect((await mine.post('/api/keys/validate', body)).status, JSON.stringify(body)).toBe(200)
  })
})

type Properties = Record<string, { enum?: string[]; items?: { enum?: string[] } }>
const propertiesOf = (schema: unknown): Properties =>
  (schema as { properties?: Properties } | undefined)?.properties ?? {}
/** The required query fields of a list. */
const queryOf = (route: Route): Record<string, string> =>
  Object.fromEntries(
    ((route.query as unknown as { required?: string[] })?.required ?? []).map((name) => [
      name,
      ids[name] ?? 'x',
    ]),
  )

describe('a place in a list that the list does not have is a 400', () => {
  const lists = keyed.filter(([, route]) => 'after' in propertiesOf(route.query))
  test.each(lists)('%s', async (name, route) => {
    const foreignId = name.includes('paylinks')
      ? 'pl_'
      : name.includes('/keys')
        ? foreign.hash
        : foreign.id
    for (const after of ['x', foreignId, `txn_${'z'.repeat(26)}`, ids.code]) {
      const query = new URLSearchParams({ ...queryOf(route), after: after as string })
      const reply = await mine.get(`${fill(route, ids)}?${query}`)
      expect([name, after, reply.status, reply.body.param]).toEqual([name, after, 400, 'after'])
      expect(reply.body.error).toContain('an id of this list')
    }
  })
  test('every list has its test here, and somebody else cannot be paged by', async () => {
    expect(lists.length).toBeGreaterThanOrEqual(11)
    for (const [path, after] of [
      ['/api/cards', foreign.id],
      ['/api/payments', foreign.txn],
      ['/api/keys', foreign.hash],
    ])
      expect((await mine.get(`${path}?after=${after}`)).status, path).toBe(400)
  })
})

describe('a word that is none of a closed list is a 400 that names them all', () => {
  const wordsOf = (field: Properties[string]) => field.enum ?? field.items?.enum
  const filtered = named.filter(([, route]) =>
    Object.values(propertiesOf(route.query)).some((field) => wordsOf(field)),
  )
  test.each(filtered)('%s', async (name, route) => {
    for (const [property, schema] of Object.entries(propertiesOf(route.query))) {
      const words = wordsOf(schema)
      if (!words) continue
      const field = schema.items ? `${property}.0` : property
      const query = new URLSearchParams({ ...queryOf(route), [property]: 'NO_SUCH' })
      const reply = await mine.get(`${fill(route, ids)}?${query}`)
      expect([name, reply.status, reply.body.param]).toEqual([name, 400, field])
      expect(reply.body.error).toBe(`${field} must be one of ${words.join(', ')}.`)
    }
  })
  test('no filter by state takes any text', () => {
    for (const [name, route] of named)
      for (const [field, schema] of Object.entries(propertiesOf(route.query)))
        if (['status', 'direction', 'protocol', 'kind', 'reason', 'type'].includes(field))
          expect(wordsOf(schema), `${name} ${field}`).toBeDefined()
  })
})

describe('another method on a known path is 405 and says which are allowed', () => {
  test.each([...new Set(routes.map((route) => route.path))].map((path) => [path] as const))(
    '%s',
    async (path) => {
      const methods = routes
        .filter((route) => route.path === path)
        .map((route) => route.method as string)
      const route = routes.find((candidate) => candidate.path === path)!
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(
        (m) => !methods.includes(m),
      )) {
        // `DELETE /api/keys/generate` would delete a key of that name: it belongs to another path's operation.
        if (routes.some((other) => other.method === method && matches(other, path))) continue
        // `DELETE /api/keys/generate` is the deletion of a key of that name: another path's operation.
        if (routes.some((other) => other.method === method && matches(other, path))) continue
        const reply = await mine.send(method, fill(route, ids))
        expect([path, method, reply.status]).toEqual([path, method, 405])
        for (const allowed of methods) expect(reply.headers.allow).toContain(allowed)
      }
    },
  )
})

test('an unknown path is 404 in the shape of every error', async () => {
  const reply = await mine.get('/api/no/such')
  expect([reply.status, reply.body.code]).toEqual([404, 'not_found'])
  expectRefusal(reply, 'unknown path')
})

describe('a key that is replayed gives the stored answer, and a malformed one is refused', () => {
  test.each(keyed.filter(([, route]) => route.method !== 'GET' && !isDevelopment(route)))(
    '%s',
    async (name, route) => {
      const path = fill(route, ids)
      const bad = await mine.send(route.method, path, route.body ? sample(route) : undefined, {
        headers: { 'idempotency-key': 'x'.repeat(256) },
      })
      expect([name, bad.status]).toEqual([name, 400])
      const headers = { 'idempotency-key': `replay ${name}` }
      const body = route.body ? sample(route) : undefined
      const first = await theirs.send(route.method, fill(route, foreign), body, { headers })
      if (first.status >= 500) return
      const second = await theirs.send(route.method, fill(route, foreign), body, { headers })
      expect([name, second.status]).toEqual([name, second.status === 401 ? 401 : first.status])
      if (second.status !== 401 && !(first.status === 400 && first.body.code.endsWith('field'))) {
        expect(second.headers['idempotency-hit'], name).toBe('true')
        expect({ ...second.body, request_id: 0 }).toEqual({ ...first.body, request_id: 0 })
      }
    },
  )
})
