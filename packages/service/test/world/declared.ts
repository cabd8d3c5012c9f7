import type { FastifyInstance } from 'fastify'
import { openApiDocument } from '../../src/api/http/openapi/document.ts'
import type { OpenApiDocument, Schema } from '../../src/api/http/openapi/shape.ts'
import { fastifyPath } from '../../src/api/http/route.ts'
import { routes } from '../../src/run/app.ts'

/** The codes that the document names, by operation and status: `GET /api/cards/:id`, 404. Null: a status without codes. */
type Declared = Map<string, Map<number, readonly string[] | null>>

/** Read once for all worlds of a process. */
const declared = readDeclared(openApiDocument(routes, { version: '0' }))

/**
 * Compares each answer of the server with `openapi.json`. Returns the sentences about those that it leaves out, as they come.
 */
export function watchAnswers(app: FastifyInstance): string[] {
  const undeclared: string[] = []
  app.addHook('onSend', async ({ routeOptions }, { statusCode }, payload) => {
    const operation = `${routeOptions.method} ${routeOptions.url}`
    const statuses = declared.get(operation)
    if (!statuses) return
    const codes = statuses.get(statusCode)
    const code = statusCode < 400 ? undefined : codeOf(payload)
    const answer = `${operation} answered ${statusCode}${code === undefined ? '' : ` ${code}`}`
    if (codes === undefined) undeclared.push(`${answer}: openapi.json declares no such status`)
    else if (code !== undefined && !codes?.includes(code))
      undeclared.push(`${answer}: openapi.json does not declare this code`)
  })
  return undeclared
}

/** Throws if an answer since the last check is not in the document. */
export function checkDeclared(undeclared: string[]): void {
  const found = undeclared.splice(0)
  if (found.length > 0)
    throw new Error(`${[...new Set(found)].join('\n')}\nName the code in the route's errors.`)
}

function readDeclared({ paths, components }: OpenApiDocument): Declared {
  const operations: Declared = new Map()
  for (const [path, methods] of Object.entries(paths))
    for (const [method, { responses }] of Object.entries(methods)) {
      const statuses = Object.entries(responses).map(([status, response]) => {
        const whole = '$ref' in response ? components.responses[lastOf(response.$ref)] : response
        return [Number(status), codesIn(whole?.content?.['application/json']?.schema)] as const
      })
      operations.set(`${method.toUpperCase()} ${fastifyPath(path)}`, new Map(statuses))
    }
  return operations
}

function lastOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1)
}

function codesIn(schema: Schema | undefined): readonly string[] | null {
  if (Array.isArray(schema?.anyOf)) return codesIn(schema.anyOf.at(-1) as Schema)
  const [, own] = (schema?.allOf ?? []) as { properties?: { code?: { enum?: string[] } } }[]
  return own?.properties?.code?.enum ?? null
}

/** The `code` of an error of ours: other protocols' bodies have other members. */
function codeOf(payload: unknown): string | undefined {
  if (typeof payload !== 'string' || !payload.includes('"request_id"')) return undefined
  const { code } = JSON.parse(payload) as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}
