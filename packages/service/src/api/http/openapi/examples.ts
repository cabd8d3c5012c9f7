import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { assert } from '../../../base/kernel/assert.ts'
import { PACKAGE } from '../../../places.ts'
import { operationsOf, resolve } from './read.ts'
import type { Content, OpenApiDocument, OpenApiResponse, Schema } from './shape.ts'
import { isAnswer } from './share.ts'

/** A recorded answer of the service, with the body of its request. */
export type Example = {
  status: number
  request?: unknown
  /** The headers by which the request paid. */
  paidBy?: string[]
  /** The media type of an answer that is not JSON: its beginning is kept, as text. */
  type?: string
  response: unknown
}
const JSON_TYPE = 'application/json'
/** By `operationId`: a success, and a refusal that is specific to the operation. */
export type Examples = Record<string, Example[]>

type Media = Content[string]
/** An answer is shown as a whole if this part of it is its own. */
const OWN_FROM = 3
/** A longer success is on the operation's page in the documentation only: clients read the whole document. */
const LONGEST = 1_024

/** The examples that `test/run/choose-examples.ts` recorded. Read when a document is made, not when the service starts. */
export const recordedExamples = (): Examples =>
  JSON.parse(readFileSync(new URL('src/api/http/examples.json', PACKAGE), 'utf8')) as Examples

/**
 * Adds the recorded requests and answers to the document. A resource shows its example once, in its schema, and an answer
 * that is made mostly of such resources shows none of its own. A refusal that operations share shows one of each of its codes.
 */
export function addExamples(document: OpenApiDocument, examples: Examples): void {
  for (const { operation } of operationsOf(document))
    for (const { status, request, response, type = JSON_TYPE } of examples[operation.operationId] ??
      []) {
      const { requestBody, responses } = operation
      const asked = requestBody?.content[JSON_TYPE]
      if (asked && status < 300 && request !== undefined && isShort(request))
        asked.example ??= request
      const found = responses[status] ?? responses.default
      const content = found && resolve<OpenApiResponse>(document, found).content?.[type]
      if (!content) continue
      if ('$ref' in found)
        addByCode(document, content, { id: operation.operationId, body: response })
      else if (status >= 400 || isOwn(document, content.schema, response))
        content.example = response
    }
}

const isOwn = (document: OpenApiDocument, schema: Schema, answer: unknown): boolean =>
  addToResources(document, schema, answer) * OWN_FROM > lengthOf(answer) && isShort(answer)

/**
 * The example of a refusal is named by its code. A second one is shown if it has members that not every refusal has, such
 * as where to go instead.
 */
function addByCode(
  { components }: OpenApiDocument,
  content: Media,
  { id, body }: { id: string; body: unknown },
): void {
  const { code, error: _, request_id: __, param: ___, ...more } = body as Record<string, string>
  const known = components.examples[`${code}`]
  const saysMore = known && Object.keys(more).length > 0 && !isDeepStrictEqual(known.value, body)
  const name = saysMore ? `${code}.${id}` : `${code}`
  components.examples[name] ??= { value: body }
  content.examples = { ...content.examples, [name]: { $ref: `#/components/examples/${name}` } }
}

/** Gives the resources in an answer their examples. Returns how many characters of the answer are shown nowhere else. */
function addToResources(document: OpenApiDocument, schema: Schema, value: unknown): number {
  const name = /^#\/components\/schemas\/(.+)$/.exec(String(schema.$ref))?.[1]
  if (name !== undefined) {
    const shared = document.components.schemas[name]
    assert(shared, `there is no schema ${name}`)
    if (shared.allOf || isAnswer(name)) return addToResources(document, shared, value)
    if (!isRecord(shared.properties)) return lengthOf(value)
    const example = isRecord(value) && picked(value, shared.properties)
    if (example && isShort(example)) shared.examples ??= [example]
    return 0
  }
  const sum = (parts: number[]) => parts.reduce((all, one) => all + one, 0)
  if (schema.allOf)
    return sum((schema.allOf as Schema[]).map((part) => addToResources(document, part, value)))
  const options = schema.anyOf as Schema[] | undefined
  const resource = options?.find(({ $ref }) => $ref !== undefined)
  if (resource && options?.length === 2) return addToResources(document, resource, value)
  if (schema.items && Array.isArray(value))
    return sum(value.map((one) => addToResources(document, schema.items as Schema, one)))
  const properties = schema.properties as Record<string, Schema> | undefined
  if (!properties || !isRecord(value)) return lengthOf(value)
  return sum(
    Object.entries(properties).map(([key, one]) => addToResources(document, one, value[key])),
  )
}

const isShort = (value: unknown): boolean => lengthOf(value) <= LONGEST
const lengthOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const picked = (value: Record<string, unknown>, properties: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name in properties))
