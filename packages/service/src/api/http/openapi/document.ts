import { assert } from '../../../base/kernel/assert.ts'
import { PROBLEM_CODES, type ProblemCode, statusOf } from '../../../base/kernel/problem.ts'
import type { PaymentWay, Route } from '../route.ts'
import { addCarried } from './carried.ts'
import { codesOf, takesKey } from './codes.ts'
import { describeFields } from './descriptions.ts'
import { ERROR_SCHEMA, membersOf } from './error-members.ts'
import type {
  Content,
  OpenApiDocument,
  OpenApiResponse,
  Operation,
  Parameter,
  Schema,
} from './shape.ts'

/** The version of the interface; it changes only with the contract, not with each release. */
export const API_VERSION = '2026-07-16'

const INTRODUCTION = `Payment infrastructure for AI agents: virtual cards, pay links, and payments over open protocols, on a ledger you run yourself.

Send the API key as \`Authorization: Bearer <API_KEY>\`. Bodies are JSON, timestamps ISO 8601 UTC. Amounts are numbers in whole units of the asset; a request may also send them as decimal strings, which are read exactly. Send an \`Idempotency-Key\` with every call that changes something: a retry with the same key is given the first answer and moves nothing again.

Every error is \`{error, code, request_id}\`: \`error\` is a sentence for a person, \`code\` is stable, and \`param\` names the field at fault where there is one.`

/** The OpenAPI 3.1 document of the routes, made from the schemas that validate. The same routes give the same bytes. */
export function openApiDocument(
  routes: readonly Route[],
  service: { version: string; publicUrl?: string; token?: string },
): OpenApiDocument {
  const shown = routes.filter((route) => !route.hidden)
  const schemas: Record<string, Schema> = { Error: ERROR_SCHEMA }
  const paths: OpenApiDocument['paths'] = {}
  const ids = new Set<string>()
  for (const route of shown) {
    const operation = operationOf(route, schemas, service.token)
    assert(!ids.has(operation.operationId), `two operations are called ${operation.operationId}`)
    ids.add(operation.operationId)
    const path = paths[route.path] ?? {}
    path[route.method.toLowerCase()] = operation
    paths[route.path] = path
  }
  const document: OpenApiDocument = {
    openapi: '3.1.0',
    info: {
      title: 'Purser',
      summary: 'Payment infrastructure for AI agents',
      description: INTRODUCTION,
      version: API_VERSION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    'x-service-info': {
      categories: ['payments'],
      docs: { homepage: '/', apiReference: '/docs', llms: '/llms.txt' },
      version: service.version,
      ...(service.publicUrl === undefined ? {} : { base_url: service.publicUrl }),
    },
    servers: [{ url: '/', description: 'The service that serves this document' }],
    tags: [...new Set(shown.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearerAuth: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, or the token of a signed-in wallet',
        },
      },
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
      responses: sharedResponses(),
      headers: HEADERS,
    },
  }
  describeFields(document)
  return document
}

/** Joins method and path to a name: `POST /api/cards/{id}/freeze` is `postCardsByIdFreeze`. */
export const operationIdOf = (route: Pick<Route, 'method' | 'path'>): string =>
  route.method.toLowerCase() +
  route.path
    .replace(/^\/api(?=\/)/, '')
    .split('/')
    .map((part) => pascal(part.startsWith('{') ? `by ${part}` : part))
    .join('')

function operationOf(
  route: Route,
  schemas: Record<string, Schema>,
  token: string | undefined,
): Operation {
  const parameters = [
    ...fieldsOf(route.params).map((field) => parameterOf('path', { ...field, required: true })),
    ...fieldsOf(route.query).map((field) => parameterOf('query', field)),
    // A public operation may ignore the key, so clients are not invited to lean on it.
    ...(takesKey(route) && route.auth === 'key' ? [idempotencyParameter(route)] : []),
  ]
  const body = route.body && plain(route.body)
  return {
    operationId: operationIdOf(route),
    tags: [route.tag],
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    security: route.auth === 'key' ? [{ bearerAuth: [] }] : [],
    ...(route.scope && route.scope !== 'any' ? { 'x-scope': route.scope } : {}),
    ...(route.payments ? { 'x-payment-info': paymentInfo(route.payments, token) } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body
      ? { requestBody: { required: isBodyRequired(body), content: jsonContent(body) } }
      : {}),
    responses: responsesOf(route, schemas),
  }
}

/** The price that an MPP client may expect. Only the 402 itself is binding. */
const paymentInfo = (ways: readonly PaymentWay[], token: string | undefined) => ({
  offers: ways.map(({ currency = token, ...way }) => ({
    ...way,
    amount: null,
    ...(currency === undefined ? {} : { currency }),
  })),
})

/** A missing body is not validated, so a body is optional only if none of its fields is required. */
const isBodyRequired = (body: Schema): boolean =>
  body.type !== 'object' || ((body.required as string[] | undefined)?.length ?? 0) > 0

function responsesOf(route: Route, schemas: Record<string, Schema>): Operation['responses'] {
  const also = route.alsoAnswers ?? {}
  const isRepeatable = takesKey(route)
  const responses: Operation['responses'] = {
    200: {
      description: also[200] ? `Success. ${also[200]}` : 'Success',
      headers: headersOf([...(isRepeatable ? ['Idempotency-Hit'] : []), ...RATE_HEADERS]),
      content: route.streams
        ? { 'text/event-stream': { schema: plain(route.response) } }
        : jsonContent(shareResources(plain(route.response), { schemas, tag: route.tag })),
    },
  }
  const rejections = PROBLEM_CODES.filter((code) => route.rejections?.includes(code))
  const codes = codesOf(route)
  const bodies = route.otherResponses ?? {}
  for (const [status, body] of Object.entries(bodies))
    responses[status] = {
      description: also[Number(status)] ?? 'Success',
      headers: headersOf([...(isRepeatable ? ['Idempotency-Hit'] : []), ...RATE_HEADERS]),
      content: jsonContent(shareResources(plain(body), { schemas, tag: route.tag })),
    }
  const statuses = [
    ...Object.keys(also).map(Number),
    ...codes.map(statusOf),
    ...(rejections.length > 0 ? [REJECTED] : []),
  ].filter((status) => !bodies[status])
  for (const status of [...new Set(statuses)].filter((status) => status !== 200).sort()) {
    const ofStatus = codes.filter((code) => statusOf(code) === status)
    if (status === REJECTED) ofStatus.push(...rejections)
    const shared = also[status] || route.inRefusals ? undefined : SHARED.get(ofStatus.join())
    responses[status] = shared
      ? { $ref: `#/components/responses/${shared}` }
      : otherResponse(status, {
          also: also[status],
          codes: ofStatus,
          members: membersOf(ofStatus, route.inRefusals?.names),
        })
  }
  addCarried(responses, route.carried)
  return responses
}

const REJECTED = 422

/** Names of answers that many operations share, by their codes. All codes of one have the same status. */
const SHARED = new Map<string, string>([
  ['invalid_request', 'InvalidRequest'],
  ['invalid_request,invalid_field', 'InvalidParameter'],
  ['request_timeout', 'RequestTimeout'],
  ['body_too_large', 'BodyTooLarge'],
  ['unsupported_media_type', 'UnsupportedMediaType'],
  ['expectation_failed', 'ExpectationFailed'],
  ['rate_limited', 'RateLimited'],
  ['headers_too_large', 'HeadersTooLarge'],
  ['internal_error', 'InternalError'],
  ['overloaded', 'Overloaded'],
])
function sharedResponses(): Record<string, OpenApiResponse> {
  const made = [...SHARED].map(([list, name]) => {
    const codes = PROBLEM_CODES.filter((code) => list.split(',').includes(code))
    const [first] = codes
    assert(first, `${name} has no code`)
    const of = { also: undefined, codes, members: membersOf(codes) }
    return [name, otherResponse(statusOf(first), of)] as const
  })
  return Object.fromEntries(made)
}

function otherResponse(
  status: number,
  { also, codes, members }: { also: string | undefined; codes: ProblemCode[]; members: Schema },
): OpenApiResponse {
  const named = codes.map((code) => `\`${code}\``).join(', ')
  const mayRetry = codes.some((code) => RETRY_CODES.includes(code))
  const schema = {
    allOf: [
      { $ref: '#/components/schemas/Error' },
      {
        type: 'object',
        properties: {
          code: { type: 'string', enum: codes, description: 'Stable: branch on this' },
          ...members,
        },
      },
    ],
  }
  return {
    description: [also, named].filter(Boolean).join('. Or: ') || String(status),
    headers: headersOf([
      ...(mayRetry ? ['Retry-After'] : []),
      ...(status === 429 ? RATE_HEADERS : []),
    ]),
    ...(codes.length > 0 ? { content: jsonContent(schema) } : {}),
    ...(codes.length === 0 && status < 300 ? { content: jsonContent({ type: 'object' }) } : {}),
  }
}

const RETRY_CODES: readonly ProblemCode[] = [
  'idempotency_in_progress',
  'rate_limited',
  'funds_in_flight',
  'authorization_in_flight',
  'payer_waits',
  'token_waits',
  'seller_waits',
  'gas_budget_spent',
  'overloaded',
  'settlement_pending',
  'transaction_pending',
]

type Field = { name: string; schema: Schema; required: boolean }

function fieldsOf(object: unknown): Field[] {
  if (object === undefined) return []
  const { properties = {}, required = [] } = plain(object) as {
    properties?: Record<string, Schema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    required: required.includes(name),
  }))
}

function parameterOf(place: 'path' | 'query', field: Field): Parameter {
  const { description, ...schema } = field.schema
  return {
    name: field.name,
    in: place,
    required: field.required,
    ...(typeof description === 'string' ? { description } : {}),
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
    schema,
  }
}

/** A route requires the header if it lists `invalid_idempotency_key` among its own refusals. */
const idempotencyParameter = (route: Route): Parameter => ({
  name: 'Idempotency-Key',
  in: 'header',
  required: route.errors.includes('invalid_idempotency_key'),
  description:
    'A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
})

const jsonContent = (schema: Schema): Content => ({ 'application/json': { schema } })

const header = (description: string, type: 'string' | 'integer') => ({
  description,
  schema: { type },
})
const HEADERS = {
  'X-Request-Id': header('Names this request; quote it when you ask for help', 'string'),
  'Idempotency-Hit': header('`true` on an answer that was given before', 'string'),
  'RateLimit-Limit': header('Requests allowed in the window', 'integer'),
  'RateLimit-Remaining': header('Requests left in the window', 'integer'),
  'RateLimit-Reset': header('Seconds until the window ends', 'integer'),
  'Retry-After': header('Seconds after which to ask again', 'integer'),
}
const RATE_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

const headersOf = (more: string[]): Schema =>
  Object.fromEntries(
    ['X-Request-Id', ...more].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  )

/** Smaller objects are easier to read inline. */
const NAMED_FROM = 6
type Place = { schemas: Record<string, Schema>; tag: string }

/**
 * Moves the resources of an answer to the shared schemas and leaves references. An object at `card`, or in the list
 * `cards`, becomes the schema `Card`, unless a `title` names it.
 */
function shareResources(answer: Schema, place: Place): Schema {
  const { properties } = answer as { properties?: Record<string, Schema> }
  if (!properties) return answer
  const shared = Object.entries(properties).map(([name, schema]) => [
    name,
    share(schema, name, place),
  ])
  return { ...answer, properties: Object.fromEntries(shared) }
}

function share(schema: Schema, name: string, place: Place): Schema {
  if (schema.items)
    return { ...schema, items: share(schema.items as Schema, singular(name), place) }
  if (schema.anyOf)
    return {
      ...schema,
      anyOf: (schema.anyOf as Schema[]).map((option) => share(option, name, place)),
    }
  const size = Object.keys((schema.properties as object | undefined) ?? {}).length
  if (size < NAMED_FROM) return schema
  const title = typeof schema.title === 'string' ? schema.title : name
  return { $ref: `#/components/schemas/${nameIn(place, title, schema)}` }
}

/** Types of the language that generated clients use by name: orval extends `Response`. */
const GLOBALS = ['Request', 'Response', 'Headers', 'Blob', 'File', 'Date', 'Record', 'Promise']

/** The name of the shared schema. A second shape of the same name gets its tag as a prefix. */
function nameIn({ schemas, tag }: Place, title: string, schema: Schema): string {
  const text = JSON.stringify(schema)
  const base = pascal(title)
  const owner = pascal(singular(tag))
  const other = owner === base ? `${base}Detail` : owner + base
  for (let i = 1; ; i++) {
    const name = i === 1 ? base : i === 2 ? other : `${other}${i}`
    if (GLOBALS.includes(name)) continue
    schemas[name] ??= schema
    if (JSON.stringify(schemas[name]) === text) return name
  }
}

/** The schema as JSON, without TypeBox's own members. An open record becomes `additionalProperties`. */
function plain(schema: unknown): Schema {
  return JSON.parse(
    JSON.stringify(schema, (_, value) => {
      const patterns = value?.patternProperties as Schema | undefined
      if (!patterns?.['^.*$'] || Object.keys(patterns).length > 1) return value
      const { patternProperties: _patterns, ...rest } = value as Schema
      return { ...rest, additionalProperties: patterns['^.*$'] }
    }),
  ) as Schema
}

const pascal = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
const singular = (text: string): string => text.replace(/ies$/, 'y').replace(/(?<![su])s$/, '')
