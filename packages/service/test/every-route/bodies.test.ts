import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  expectRefusal,
  fill,
  isDevelopment,
  named,
  openStage,
  type Stage,
  sample,
} from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage[Symbol.asyncDispose]())

// The service compiles each schema at its first use, and assumes that it is valid.
test.each(named)('%s asks and answers by schemas that are valid', (_, route) => {
  const body = new Ajv({ allowUnionTypes: true, formats: { 'date-time': true } })
  const texts = new Ajv({ allowUnionTypes: true, coerceTypes: 'array' })
  if (route.body) body.compile(route.body)
  for (const schema of [route.params, route.query]) if (schema) texts.compile(schema)
  for (const schema of [route.response, ...Object.values(route.otherResponses ?? {})])
    expect(body.validateSchema(schema as object), body.errorsText()).toBe(true)
})

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

/** The validator's own messages, which do not say what is allowed in words that people use. */
const OF_THE_VALIDATOR =
  /must NOT|match (pattern|format|a schema)|must be (equal|string|number,|object,|array,|>|<)/

const withBody = named.filter(([, route]) => route.body && 'properties' in route.body)
describe('a body of the wrong kind is a clear 4xx and changes nothing', () => {
  test.each(withBody.filter(([, route]) => !isDevelopment(route)))('%s', async (name, route) => {
    const before = await stage.footprint()
    const path = fill(route, stage.ids)
    const properties = Object.keys((route.body as unknown as { properties: object }).properties)
    const required = (route.body as unknown as { required?: string[] }).required ?? []
    for (const whole of [null, [], 'text', 5, true])
      expectRefusal(
        await stage.mine.send(route.method, path, whole),
        `${name} body ${JSON.stringify(whole)}`,
      )
    if (required.length > 0) {
      expectRefusal(await stage.mine.send(route.method, path, {}), `${name} empty`)
      expect((await stage.mine.send(route.method, path, undefined)).status).toBe(400)
    }
    const unknownField = await stage.mine.send(route.method, path, {
      ...sample(route),
      no_such_field: 1,
    })
    expectRefusal(unknownField, `${name} unknown field`)
    for (const field of properties)
      for (const junk of JUNK) {
        // In an optional field null is not junk: it counts as absent.
        if (junk === null && !required.includes(field)) continue
        const reply = await stage.mine.send(route.method, path, { ...sample(route), [field]: junk })
        expect(
          reply.status,
          `${name} ${field}=${JSON.stringify(junk)?.slice(0, 60)}: ${reply.text.slice(0, 300)}`,
        ).toBeLessThan(500)
        expect(reply.text, `${name} ${field}`).not.toMatch(OF_THE_VALIDATOR)
      }
    expectRefusal(
      await stage.mine.send(route.method, path, '{"a":', {
        headers: { 'content-type': 'application/json' },
      }),
      `${name} malformed`,
    )
    expectRefusal(
      await stage.mine.send(route.method, path, '{"__proto__":{"x":1}}', {
        headers: { 'content-type': 'application/json' },
      }),
      `${name} proto`,
    )
    const media = await stage.mine.send(route.method, path, 'a=b', {
      headers: { 'content-type': 'text/plain' },
    })
    expect([name, media.status, media.body.code]).toEqual([name, 415, 'unsupported_media_type'])
    const huge = await stage.mine.send(
      route.method,
      path,
      JSON.stringify({ x: 'y'.repeat(300_000) }),
    )
    expect([name, huge.status, huge.body.code]).toEqual([name, 413, 'body_too_large'])
    // A junk value may be valid for some field (an empty memo), but money and states must not change.
    const after = await stage.footprint()
    if (required.length > 0) expect(after).toEqual(before)
  })
})

const bodyless = named.filter(([, route]) => !route.body)
describe('a body that would be ignored is a 400, after the credential was looked at', () => {
  test.each(bodyless)('%s', async (name, route) => {
    const before = await stage.footprint()
    for (const body of [{ amount: 1 }, [1], '"text"']) {
      const reply = await stage.mine.send(route.method, fill(route, stage.ids), body)
      expect([name, reply.status, reply.body.code]).toEqual([name, 400, 'invalid_request'])
      expect(reply.body.error).toContain('takes no body')
    }
    expect(await stage.footprint()).toEqual(before)
  })
  test('an operation that is no more says where to go, whatever is sent', async () => {
    const gone = named.filter(([, route]) => route.errors.includes('gone'))
    expect(gone.map(([name]) => name)).toContain('POST /api/ap2/execute')
    for (const [name, { path }] of gone)
      for (const body of [undefined, {}, { url: 'https://shop.example', amount: 1 }, [1]]) {
        const reply = await stage.mine.post(path, body)
        expect([name, reply.status, reply.body.code]).toEqual([name, 410, 'gone'])
        expect(reply.body.migrate_to).toMatch(/^\/api\//)
      }
  })
  test('an empty one is none', async () => {
    for (const body of ['', ' ', {}, null])
      expect((await stage.mine.post('/api/keys/validate', body)).status, JSON.stringify(body)).toBe(
        200,
      )
  })
})
