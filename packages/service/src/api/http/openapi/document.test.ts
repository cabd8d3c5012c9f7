import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { routes } from '../../../run/app.ts'
import { keyRoute, publicRoute } from '../route.ts'
import { openApiDocument } from './document.ts'
import type { Schema } from './shape.ts'

const Thing = Type.Object({
  id: Type.String(),
  a: Type.String(),
  b: Type.String(),
  c: Type.String(),
  d: Type.String(),
  labels: Type.Record(Type.String(), Type.String()),
})
const open = keyRoute({
  method: 'POST',
  path: '/api/things/{id}/open',
  tag: 'Things',
  summary: 'Open a thing',
  scope: 'cards:write',
  params: Type.Object({ id: Type.String({ description: 'Which' }) }),
  body: Type.Object({ wide: Type.Optional(Type.Boolean()) }),
  response: Type.Object({ thing: Thing }),
  attack: 'none',
  costs: { statements: 0 },
  errors: ['not_found', 'insufficient_balance'],
  alsoAnswers: { 202: 'It is being opened' },
  handle: async () => {
    throw new Error('never called')
  },
})
const list = publicRoute({
  method: 'GET',
  path: '/api/things',
  tag: 'Things',
  summary: 'Things',
  query: Type.Object({ limit: Type.Optional(Type.Integer({ maximum: 100 })) }),
  response: Type.Object({ things: Type.Array(Thing) }),
  attack: 'none',
  costs: { statements: 0 },
  errors: [],
  handle: async () => ({ things: [] }),
})
const document = openApiDocument([open, list], { version: '1.2.3' })
const operation = document.paths['/api/things/{id}/open']!.post!

test('an operation is named by its method and path, and takes what its schemas say', () => {
  expect(operation.operationId).toBe('postThingsByIdOpen')
  expect(operation['x-scope']).toBe('cards:write')
  expect(operation.security).toEqual([{ bearerAuth: [] }])
  expect(
    operation.parameters?.map(({ name, in: place, required }) => [name, place, required]),
  ).toEqual([
    ['id', 'path', true],
    ['Idempotency-Key', 'header', false],
  ])
  expect(operation.requestBody?.required).toBe(false)
})

test('a public read takes no key, and its query is optional', () => {
  const read = document.paths['/api/things']!.get!
  expect(read.security).toEqual([])
  expect(read.parameters).toEqual([
    {
      name: 'limit',
      in: 'query',
      required: false,
      schema: { type: 'integer', maximum: 100 },
      description: 'The most that a page holds',
    },
  ])
})

test('refusals are grouped by status, with the codes that the route shares and its own', () => {
  const codesAt = (status: number) => {
    const response = operation.responses[status]
    if (!response || '$ref' in response) return response?.$ref
    const schema = response.content?.['application/json']?.schema as { allOf: Schema[] }
    return (schema.allOf[1] as { properties: { code: { enum: string[] } } }).properties.code.enum
  }
  expect(codesAt(403)).toEqual(['forbidden_scope', 'insufficient_balance'])
  expect(codesAt(404)).toEqual(['not_found'])
  expect(codesAt(409)).toEqual(['idempotency_conflict', 'idempotency_in_progress'])
  expect(codesAt(429)).toBe('#/components/responses/RateLimited')
  expect(operation.responses[202]).toMatchObject({ description: 'It is being opened' })
})

test('a refusal says which members its code adds, and which its operation adds to all', () => {
  const { paths } = openApiDocument(routes, { version: '1' })
  const membersAt = (path: string, method: string, status: number) => {
    const response = paths[path]![method]!.responses[status]!
    if ('$ref' in response) return []
    const schema = response.content?.['application/json']?.schema as { allOf: Schema[] }
    return Object.keys(schema.allOf[1]!.properties as Schema)
  }
  expect(membersAt('/api/listings/{id}/buy', 'post', 409)).toEqual(
    expect.arrayContaining(['changed', 'version', 'status']),
  )
  for (const status of [400, 429, 500, 502, 503])
    expect([status, membersAt('/api/crt-markets', 'get', status)]).toEqual([
      status,
      expect.arrayContaining(['chainId']),
    ])
})

test('one resource is one schema wherever it is answered, and an open record says what it holds', () => {
  const ref = { $ref: '#/components/schemas/Thing' }
  const answerOf = (name: string, path: string, method: string) => {
    const response = document.paths[path]![method]!.responses[200]!
    if ('$ref' in response) throw new Error('a success stands in place')
    const schema = response.content?.['application/json']?.schema as { properties: Schema }
    return schema.properties[name]
  }
  expect(answerOf('thing', '/api/things/{id}/open', 'post')).toEqual(ref)
  expect(answerOf('things', '/api/things', 'get')).toEqual({ type: 'array', items: ref })
  expect((document.components.schemas.Thing!.properties as Schema).labels).toEqual({
    type: 'object',
    additionalProperties: { type: 'string' },
  })
})

test('a hidden route is left out, and two operations of one name are refused', () => {
  const { paths } = openApiDocument([{ ...open, hidden: true }, list], { version: '1' })
  expect(Object.keys(paths)).toEqual(['/api/things'])
  expect(() => openApiDocument([list, list], { version: '1' })).toThrow('getThings')
})

test('the document of the service is the same each time, and every reference in it resolves', () => {
  const text = JSON.stringify(openApiDocument(routes, { version: '1' }))
  expect(JSON.stringify(openApiDocument(routes, { version: '1' }))).toBe(text)
  const whole = JSON.parse(text)
  for (const [, pointer] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const target = pointer!.split('/').reduce((at, key) => at?.[key], whole)
    expect(target, pointer).toBeDefined()
  }
})

test('every placeholder of a path is a described parameter, and every parameter stands in the path', () => {
  const { paths } = openApiDocument(routes, { version: '1' })
  for (const [path, methods] of Object.entries(paths))
    for (const { parameters = [] } of Object.values(methods)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(parameters.filter((p) => p.in === 'path').map((p) => p.name)).toEqual(inPath)
    }
})

test('what is paid for by MPP says how, in the token of the chain where there is one', () => {
  const paid = {
    ...list,
    payments: [{ method: 'evm', intent: 'charge', description: 'x' }],
  } as const
  const offersOf = (service: { version: string; token?: string }) =>
    openApiDocument([paid], service).paths['/api/things']?.get?.['x-payment-info']?.offers
  const offer = { method: 'evm', intent: 'charge', description: 'x', amount: null }
  expect(offersOf({ version: '1' })).toEqual([offer])
  expect(offersOf({ version: '1', token: '0xabc' })).toEqual([{ ...offer, currency: '0xabc' }])
  expect(document.paths['/api/things']?.get).not.toHaveProperty('x-payment-info')
})

const shown = openApiDocument(routes, { version: '1' })

/** Calls back with each named schema of the document, and its place. */
function eachProperty(
  value: unknown,
  see: (name: string, schema: Schema, at: string) => void,
  at = '',
): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'properties')
      for (const [name, schema] of Object.entries(inner as Record<string, Schema>))
        see(name, schema, `${at}/${name}`)
    eachProperty(inner, see, `${at}/${key}`)
  }
}

test('every operation, parameter and property says what it is', () => {
  const silent: string[] = []
  for (const [path, methods] of Object.entries(shown.paths))
    for (const [method, { summary, description, parameters = [] }] of Object.entries(methods)) {
      if (!summary || !description) silent.push(`${method} ${path}`)
      for (const parameter of parameters)
        if (!parameter.description) silent.push(`${method} ${path} ${parameter.name}`)
    }
  eachProperty([shown.paths, shown.components], (_, schema, at) => {
    if (!schema.description && !schema.$ref) silent.push(at)
  })
  expect(silent).toEqual([])
})

test('the states of cards, transactions, streams and links are named', () => {
  for (const [name, field] of [
    ['Card', 'status'],
    ['Transaction', 'status'],
    ['Transaction', 'direction'],
    ['Transaction', 'protocol'],
    ['Stream', 'status'],
    ['Link', 'status'],
    ['Link', 'link_type'],
  ] as const)
    expect(shown.components.schemas[name]!.properties, `${name}.${field}`).toMatchObject({
      [field]: { enum: expect.arrayContaining([expect.any(String)]) },
    })
})

test('every refusal says which members its body may have', () => {
  const membersAt = (path: string, method: string, status: string) => {
    const response = shown.paths[path]![method]!.responses[status]!
    if ('$ref' in response) throw new Error('it stands in place')
    const { allOf } = response.content!['application/json']!.schema as { allOf: Schema[] }
    return Object.keys(allOf[1]!.properties as Schema)
  }
  expect(membersAt('/api/issue', 'post', '403')).toEqual(
    expect.arrayContaining(['available', 'requested', 'network', 'asset']),
  )
  expect(membersAt('/api/withdraw', 'post', '400')).toEqual(
    expect.arrayContaining(['withdrawal_fee', 'minimum_withdrawal', 'network']),
  )
  expect(membersAt('/api/pay', 'post', '403')).toContain('passes_at')
  expect(membersAt('/api/pay', 'post', '422')).toContain('challenge')
  expect(membersAt('/api/paylinks/{code}/status', 'get', '410')).toContain('status')
  expect(membersAt('/api/ap2/settle', 'post', '422')).toEqual(
    expect.arrayContaining(['ap2_error', 'violations', 'receipt']),
  )
})

test('a pay link says that it answers pages, a demand in headers, and a receipt in headers', () => {
  for (const method of ['get', 'post']) {
    const { responses } = shown.paths['/pay/{code}']![method]!
    expect(responses).toMatchObject({
      200: {
        headers: {
          'PAYMENT-RESPONSE': expect.anything(),
          'X-PAYMENT-RESPONSE': expect.anything(),
          'Payment-Receipt': expect.anything(),
        },
        content: { 'application/json': expect.anything(), 'text/html': expect.anything() },
      },
      402: {
        headers: { 'PAYMENT-REQUIRED': expect.anything(), 'WWW-Authenticate': expect.anything() },
        content: { 'application/problem+json': expect.anything() },
      },
      404: { content: { 'text/html': expect.anything() } },
      410: { content: { 'text/html': expect.anything() } },
    })
  }
})
