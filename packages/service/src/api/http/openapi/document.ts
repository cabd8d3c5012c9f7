import { assert } from '../../../base/kernel/assert.ts'
import { SHARED_FIELDS } from '../fields.ts'
import type { PaymentWay, Route } from '../route.ts'
import { takesKey } from './codes.ts'
import { REFUSAL_SCHEMAS } from './error-members.ts'
import { pascal } from './names.ts'
import { plain } from './plain.ts'
import { HEADERS, jsonContent, responsesOf } from './responses.ts'
import type { OpenApiDocument, Operation, Parameter, Schema } from './shape.ts'
import { shareSchemas, shareWhole } from './share.ts'

/** The version of the interface; it changes only with the contract, not with each release. */
export const API_VERSION = '2026-07-16'

const INTRODUCTION = `Payment infrastructure for AI agents: virtual cards, pay links, and payments over open protocols, on a ledger you run yourself.

Send the API key as \`Authorization: Bearer <API_KEY>\`. Bodies are JSON, timestamps ISO 8601 UTC. Amounts are numbers in whole units of the asset; a request may also send them as decimal strings, which are read exactly. Send an \`Idempotency-Key\` with every call that changes something: a retry with the same key is given the first answer and moves nothing again.

Every answer names its request in \`X-Request-Id\` and says in \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` how many requests you have left.

Every error is \`{error, code, request_id}\`: \`error\` is a sentence for a person, \`code\` is stable, and \`param\` names the field at fault where there is one.`

/** The OpenAPI 3.1 document of the routes, made from the schemas that validate. The same routes give the same bytes. */
export function openApiDocument(
  routes: readonly Route[],
  service: { version: string; publicUrl?: string; token?: string },
): OpenApiDocument {
  const shown = routes.filter((route) => !route.hidden)
  const paths: OpenApiDocument['paths'] = {}
  const ids = new Set<string>()
  for (const route of shown) {
    const operation = operationOf(route, service.token)
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
    security: [{ bearerAuth: [] }],
    tags: [...new Set(shown.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearerAuth: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key, the token of a signed-in wallet, or that of a card for what concerns this card: reading it, paying with it, and links that pay into it',
        },
      },
      schemas: { ...REFUSAL_SCHEMAS },
      responses: {},
      parameters: {},
      examples: {},
      headers: { ...HEADERS },
    },
  }
  shareWhole(document)
  shareSchemas(document, SHARED_FIELDS.map(plain))
  const { components } = document
  components.schemas = sorted(components.schemas)
  components.responses = sorted(components.responses)
  components.parameters = sorted(components.parameters)
  return document
}

const sorted = <T>(record: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))

/** Joins method and path to a name: `POST /api/cards/{id}/freeze` is `postCardsByIdFreeze`. */
export const operationIdOf = (route: Pick<Route, 'method' | 'path'>): string =>
  route.method.toLowerCase() +
  route.path
    .replace(/^\/api(?=\/)/, '')
    .split('/')
    .map((part) => pascal(part.startsWith('{') ? `by ${part}` : part))
    .join('')

function operationOf(route: Route, token: string | undefined): Operation {
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
    ...(route.auth === 'key' ? {} : { security: [] }),
    ...(route.scope && route.scope !== 'any' ? { 'x-scope': route.scope } : {}),
    ...(route.payments ? { 'x-payment-info': paymentInfo(route.payments, token) } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body
      ? { requestBody: { required: isBodyRequired(body), content: jsonContent(body) } }
      : {}),
    responses: responsesOf(route),
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
function idempotencyParameter({ errors }: Route): Parameter {
  const required = errors.includes('invalid_idempotency_key')
  return {
    name: 'Idempotency-Key',
    in: 'header',
    required,
    description:
      'A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours',
    schema: {
      title: required ? 'RequiredIdempotencyKey' : 'IdempotencyKey',
      type: 'string',
      minLength: 1,
      maxLength: 255,
    },
  }
}
