import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { routes } from '../../../run/app.ts'
import { addPages } from '../../../run/status/pages/pages.ts'
import { keyRoute, publicRoute } from '../route.ts'
import { openApiDocument } from './document.ts'
import { addExamples, recordedExamples } from './examples.ts'
import {
  codesIn,
  isPublic,
  membersIn,
  operationsOf,
  parametersOf,
  resolve,
  responseAt,
} from './read.ts'
import type { OpenApiDocument, Schema } from './shape.ts'

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
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ maximum: 100, description: 'The most to show' })),
  }),
  response: Type.Object({ things: Type.Array(Thing) }),
  attack: 'none',
  costs: { statements: 0 },
  errors: [],
  handle: async () => ({ things: [] }),
})
const document = openApiDocument([open, list], { version: '1.2.3' })
const shown = openApiDocument(routes, { version: '1' })
const operation = document.paths['/api/things/{id}/open']!.post!

test('an operation is named by its method and path, and takes what its schemas say', () => {
  expect(operation.operationId).toBe('postThingsByIdOpen')
  expect(operation['x-scope']).toBe('cards:write')
  expect(document.security).toEqual([{ bearerAuth: [] }])
  expect(isPublic(operation)).toBe(false)
  expect(
    parametersOf(document, operation).map(({ name, in: place, required }) => [
      name,
      place,
      required,
    ]),
  ).toEqual([
    ['id', 'path', true],
    ['Idempotency-Key', 'header', false],
  ])
  expect(operation.requestBody?.required).toBe(false)
})

test('a public read takes no key, and its query is optional', () => {
  const read = document.paths['/api/things']!.get!
  expect(isPublic(read)).toBe(true)
  expect(read.parameters).toEqual([
    {
      name: 'limit',
      in: 'query',
      required: false,
      schema: { type: 'integer', maximum: 100 },
      description: 'The most to show',
    },
  ])
})

const codesAt = (path: string, method: string, status: number | 'default', of = document) =>
  codesIn(responseAt(of, of.paths[path]![method]!, status)!)

test('refusals are grouped by status; those that operations of a kind have in common are the default', () => {
  const at = (status: number | 'default') => codesAt('/api/things/{id}/open', 'post', status)
  expect(at(403)).toEqual(['forbidden_scope', 'origin_not_allowed', 'insufficient_balance'])
  expect(at(404)).toEqual(['not_found'])
  for (const code of ['unauthorized', 'idempotency_conflict', 'rate_limited', 'invalid_json'])
    expect(at('default')).toContain(code)
  expect(operation.responses).not.toHaveProperty('409')
  expect(operation.responses[202]).toMatchObject({ description: 'It is being opened' })
  const read = codesAt('/api/things', 'get', 'default')
  expect(read).toContain('invalid_field')
  for (const code of ['unauthorized', 'idempotency_conflict']) expect(read).not.toContain(code)
})

test('a status with a code of the operation names also the common codes that a request for it can get', () => {
  const codes = codesAt('/api/webhooks', 'post', 400, shown)
  expect(codes).toEqual(expect.arrayContaining(['invalid_url', 'missing_field', 'invalid_json']))
  expect(codes).not.toContain('invalid_amount')
  expect(codesAt('/api/wallet/balance', 'get', 400, shown)).not.toContain('invalid_json')
})

const membersAt = (path: string, method: string, status: number) =>
  membersIn(shown, responseAt(shown, shown.paths[path]![method]!, status)!)

test('a refusal says which members its code adds, and which its operation adds to all', () => {
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
    const whole = response.content?.['application/json']?.schema ?? {}
    return (resolve<Schema>(document, whole).properties as Schema)[name]
  }
  expect(answerOf('thing', '/api/things/{id}/open', 'post')).toEqual(ref)
  expect(answerOf('things', '/api/things', 'get')).toEqual({ type: 'array', items: ref })
  expect((document.components.schemas.Thing!.properties as Schema).labels).toEqual({
    type: 'object',
    additionalProperties: { type: 'string' },
  })
})

test('the answer of each operation has a name: of its one member, or of the operation', () => {
  const nameOf = (path: string, method: string, of = shown) =>
    responseAt(of, of.paths[path]![method]!, 200)?.content?.['application/json']?.schema.$ref
  expect([
    nameOf('/api/things/{id}/open', 'post', document),
    nameOf('/api/things', 'get', document),
    nameOf('/api/issue', 'post'),
    nameOf('/api/cards/{id}/cancel', 'post'),
    nameOf('/api/cards', 'get'),
  ]).toEqual(
    ['ThingAnswer', 'ThingsAnswer', 'CardAnswer', 'CardAnswer', 'GetCardsAnswer'].map(
      (name) => `#/components/schemas/${name}`,
    ),
  )
  const nameless = operationsOf(shown).filter(({ path, method, operation }) => {
    const json = responseAt(shown, operation, 200)?.content?.['application/json']
    return json && Object.keys(json.schema).length > 0 && !nameOf(path, method)
  })
  expect(nameless.map(({ path }) => path)).toEqual([])
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
  for (const { path, operation } of operationsOf(shown)) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const placed = parametersOf(shown, operation).filter((p) => p.in === 'path')
    expect(placed.map((p) => p.name)).toEqual(inPath)
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
  for (const { method, path, operation } of operationsOf(shown)) {
    if (!operation.summary || !operation.description) silent.push(`${method} ${path}`)
    for (const parameter of parametersOf(shown, operation))
      if (!parameter.description) silent.push(`${method} ${path} ${parameter.name}`)
  }
  eachProperty([shown.paths, shown.components], (_, schema, at) => {
    // The codes of a refusal narrow the `code` that Error describes.
    const isNarrower = /\/allOf\/1\/code$/.test(at)
    if (!schema.description && !schema.$ref && !isNarrower) silent.push(at)
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
    ['PayLink', 'status'],
    ['PayLink', 'link_type'],
  ] as const)
    expect(shown.components.schemas[name]!.properties, `${name}.${field}`).toMatchObject({
      [field]: { enum: expect.arrayContaining([expect.any(String)]) },
    })
})

test('every refusal says which members its body may have', () => {
  expect(membersAt('/api/issue', 'post', 403)).toEqual(
    expect.arrayContaining(['available', 'requested', 'network', 'asset']),
  )
  expect(membersAt('/api/withdraw', 'post', 400)).toEqual(
    expect.arrayContaining(['withdrawal_fee', 'minimum_withdrawal', 'network']),
  )
  expect(membersAt('/api/pay', 'post', 403)).toContain('passes_at')
  expect(membersAt('/api/pay', 'post', 422)).toContain('challenge')
  expect(membersAt('/api/paylinks/{code}/status', 'get', 410)).toContain('status')
  expect(membersAt('/api/ap2/settle', 'post', 422)).toEqual(
    expect.arrayContaining(['ap2_error', 'violations', 'receipt']),
  )
})

test('a pay link says that it answers pages, a demand in headers, and a receipt in headers', () => {
  for (const method of ['get', 'post']) {
    const at = (status: number) => responseAt(shown, shown.paths['/pay/{code}']![method]!, status)
    expect(at(200)).toMatchObject({
      headers: {
        'PAYMENT-RESPONSE': expect.anything(),
        'X-PAYMENT-RESPONSE': expect.anything(),
        'Payment-Receipt': expect.anything(),
      },
      content: { 'application/json': expect.anything(), 'text/html': expect.anything() },
    })
    expect(at(402)).toMatchObject({
      headers: { 'PAYMENT-REQUIRED': expect.anything(), 'WWW-Authenticate': expect.anything() },
      content: { 'application/problem+json': expect.anything() },
    })
    for (const status of [404, 410])
      expect(at(status)).toMatchObject({ content: { 'text/html': expect.anything() } })
  }
})

/** The schemas, responses and parameters that stand at least twice and are longer than a reference. */
function repeatedIn(of: OpenApiDocument): string[] {
  const times = new Map<string, number>()
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const text = JSON.stringify(value)
    const isShape = 'properties' in value || 'content' in value || 'schema' in value
    if (isShape && text.length > LONG) times.set(text, (times.get(text) ?? 0) + 1)
    for (const [key, inner] of Object.entries(value))
      if (key !== 'example' && key !== 'examples') walk(inner)
  }
  walk(of)
  return [...times].filter(([, count]) => count > 1).map(([text]) => text)
}
const LONG = 500

/** 400 kB for the 156 operations that there were when this was agreed, and the name of each answer. */
const OPERATION_BYTES = 2_600

test('each shape stands once, and an operation takes 2.6 kB of the document', () => {
  expect(repeatedIn(shown)).toEqual([])
  addPages(shown)
  addExamples(shown, recordedExamples())
  const operations = Object.values(shown.paths).flatMap((path) => Object.keys(path as object))
  expect(JSON.stringify(shown).length / operations.length).toBeLessThan(OPERATION_BYTES)
})
