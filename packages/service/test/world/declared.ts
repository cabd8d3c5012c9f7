import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { FastifyInstance } from 'fastify'
import { openApiDocument } from '../../src/api/http/openapi/document.ts'
import { codesIn, operationsOf, resolve } from '../../src/api/http/openapi/read.ts'
import type { OpenApiResponse, Operation, Reference } from '../../src/api/http/openapi/shape.ts'
import { fastifyPath } from '../../src/api/http/route.ts'
import { type ProblemCode, statusOf } from '../../src/base/kernel/problem.ts'
import { routes } from '../../src/run/app.ts'

/** An operation by method and path, as the server knows them, with the place of its answers in the document. */
type Declared = { responses: Operation['responses']; pointer: string }

/** Read once for all worlds of a process. */
const document = openApiDocument(routes, { version: '0' })
const declared = new Map<string, Declared>(
  operationsOf(document).map(({ method, path, operation: { responses } }) => [
    `${method.toUpperCase()} ${fastifyPath(path)}`,
    { responses, pointer: `paths/${encodeURIComponent(escaped(path))}/${method}/responses` },
  ]),
)
const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true } })
ajv.addSchema(document, 'document')

/**
 * Compares each answer of the server with `openapi.json`: its status, its code, and the body against the schema. Returns
 * the sentences about those that are not as declared, as they come.
 */
export function watchAnswers(app: FastifyInstance): string[] {
  const undeclared: string[] = []
  app.addHook('onSend', async ({ routeOptions }, reply, payload) => {
    const operation = `${routeOptions.method} ${routeOptions.url}`
    const known = declared.get(operation)
    if (!known) return
    const { statusCode } = reply
    const [type = ''] = `${reply.getHeader('content-type')}`.split(';')
    const body = type.endsWith('json') && typeof payload === 'string' ? parse(payload) : undefined
    const code = statusCode < 400 ? undefined : codeOf(body)
    const fault = faultOf(known, { status: statusCode, type, body, code })
    const answer = `${operation} answered ${statusCode}${code === undefined ? '' : ` ${code}`}`
    if (fault) undeclared.push(`${answer}: ${fault}`)
  })
  return undeclared
}

/** Compiles the schemas of all answers, which otherwise happens at the first answer of each: they stay in memory. */
export function compileAnswers(): void {
  for (const { responses, pointer } of declared.values())
    for (const [key, found] of Object.entries(responses))
      for (const type of Object.keys(resolve<OpenApiResponse>(document, found).content ?? {}))
        validatorAt(pointerTo(found, `${pointer}/${key}`, type))
}

/** Throws if an answer since the last check is not in the document. */
export function checkDeclared(undeclared: string[]): void {
  const found = undeclared.splice(0)
  if (found.length > 0)
    throw new Error(
      `${[...new Set(found)].join('\n')}\nName the code in the route's errors, or the member in its schema.`,
    )
}

type Answered = { status: number; type: string; body: unknown; code: string | undefined }

function faultOf({ responses, pointer }: Declared, answered: Answered): string | undefined {
  const { status, type, body, code } = answered
  const key = responses[status] ? `${status}` : 'default'
  const found = responses[key]
  // The default holds refusals of ours alone, each with the status of its code.
  const isRefusal = code !== undefined && statusOf(code as ProblemCode) === status
  if (!found || (key === 'default' && !isRefusal)) return 'openapi.json declares no such status'
  const response = resolve<OpenApiResponse>(document, found)
  if (code !== undefined && !codesIn(response).includes(code as ProblemCode))
    return 'openapi.json does not declare this code'
  if (body === undefined || !response.content?.[type]) return undefined
  const validate = validatorAt(pointerTo(found, `${pointer}/${key}`, type))
  return validate(body)
    ? undefined
    : `openapi.json has another body: ${ajv.errorsText(validate.errors)}`
}

function pointerTo(found: OpenApiResponse | Reference, place: string, type: string): string {
  const at = '$ref' in found ? found.$ref.slice(2) : place
  return `document#/${at}/content/${encodeURIComponent(escaped(type))}/schema`
}

function validatorAt(pointer: string): ValidateFunction {
  const validate = ajv.getSchema(pointer) as ValidateFunction | undefined
  if (!validate) throw new Error(`openapi.json has no ${pointer}`)
  return validate
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

function parse(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text)
}

/** The `code` of an error of ours: other protocols' bodies have other members. */
function codeOf(body: unknown): string | undefined {
  const { code, request_id } = (body ?? {}) as { code?: unknown; request_id?: unknown }
  return request_id !== undefined && typeof code === 'string' ? code : undefined
}
