import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '../../src/api/http/route.ts'
import { routes } from '../../src/run/app.ts'
import { expectRefusal, fill, keyed, named, openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage[Symbol.asyncDispose]())

/** Not written in decimal digits alone, or none that a list has. `%D9%A5` is a five in Arabic digits. */
const NO_LIMITS = `0 -1 x 1.5 0x10 0b1 1e0 %2B5 +5 %205 5%0A 05 5.0 %D9%A5 %EF%BC%95 %ED%A0%80 %00
  Infinity NaN ${'1'.repeat(400)} 1,2 1&limit=1`
  .split(/\s+/)
  .map((text) => `limit=${text}`)
  .concat(['limit=', 'limit', 'limit[]=1'])

describe('a bad query is a clear 400', () => {
  test.each(named.filter(([, route]) => route.query))('%s', async (name, route) => {
    const path = fill(route, stage.ids)
    const { limit } = (
      route.query as unknown as { properties: Record<string, { maximum?: number }> }
    ).properties
    const above = `limit=${(limit?.maximum ?? 100) + 1}`
    for (const query of limit ? [...NO_LIMITS, above] : []) {
      const needed = new URLSearchParams(queryOf(route))
      const reply = await stage.mine.send(route.method, `${path}?${needed}&${query}`)
      expect([name, query, reply.status]).toEqual([name, query, 400])
      if (query === 'limit=0x10') expect(reply.body.error).toContain('in decimal digits alone')
    }
    const long = await stage.mine.send(
      route.method,
      `${path}?${Object.keys((route.query as unknown as { properties: object }).properties)[0]}=${'x'.repeat(4000)}`,
    )
    expect(long.status, name).toBeLessThan(500)
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
      stage.ids[name] ?? 'x',
    ]),
  )

describe('a place in a list that the list does not have is a 400', () => {
  const lists = keyed.filter(([, route]) => 'after' in propertiesOf(route.query))
  test.each(lists)('%s', async (name, route) => {
    const foreignId = name.includes('paylinks')
      ? 'pl_'
      : name.includes('/keys')
        ? stage.foreign.hash
        : stage.foreign.id
    for (const after of ['x', foreignId, `txn_${'z'.repeat(26)}`, stage.ids.code]) {
      const query = new URLSearchParams({ ...queryOf(route), after: after as string })
      const reply = await stage.mine.get(`${fill(route, stage.ids)}?${query}`)
      expect([name, after, reply.status, reply.body.param]).toEqual([name, after, 400, 'after'])
      expect(reply.body.error).toContain('an id of this list')
    }
  })
  test('every list has its test here, and somebody else cannot be paged by', async () => {
    expect(lists.length).toBeGreaterThanOrEqual(11)
    for (const [path, after] of [
      ['/api/cards', stage.foreign.id],
      ['/api/payments', stage.foreign.txn],
      ['/api/keys', stage.foreign.hash],
    ])
      expect((await stage.mine.get(`${path}?after=${after}`)).status, path).toBe(400)
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
      const reply = await stage.mine.get(`${fill(route, stage.ids)}?${query}`)
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

const matches = (route: Route, path: string): boolean =>
  route.path.includes('{') && new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path)
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
        const reply = await stage.mine.send(method, fill(route, stage.ids))
        expect([path, method, reply.status]).toEqual([path, method, 405])
        for (const allowed of methods) expect(reply.headers.allow).toContain(allowed)
      }
    },
  )
})

test('an unknown path is 404 in the shape of every error', async () => {
  const reply = await stage.mine.get('/api/no/such')
  expect([reply.status, reply.body.code]).toEqual([404, 'not_found'])
  expectRefusal(reply, 'unknown path')
})
