// The methods of the SDK, one for each operation.
import {
  nameOf,
  operationsOf,
  parametersOf,
  responseAt,
  wholeOf,
} from '../../packages/service/src/api/http/openapi/read.ts'
import type {
  OpenApiDocument,
  Operation,
  Schema,
} from '../../packages/service/src/api/http/openapi/shape.ts'
import { LEFT_OUT, NAMES } from './names.ts'

/** The member of a row that names it in `after`, where that is not `id`. */
const CURSORS: Readonly<Record<string, string>> = {
  'GET /api/keys': 'key_hash',
  'GET /api/ap2/mandates/{card_id}': 'mandate_id',
  'GET /api/ap2/keys': 'kid',
  'GET /api/crt-markets': 'token',
  'GET /api/holdings': '',
}

type Method = { resource: string; name: string; type: string; line: string }

/** The types of all methods, and the table from which they are made. Throws the operations without a name. */
export function resourcesOf(document: OpenApiDocument): string {
  const all = operationsOf(document).map((one) => ({ ...one, key: nameOf(one) }))
  const unnamed = all.filter(({ key }) => !NAMES[key] && !LEFT_OUT.includes(key))
  if (unnamed.length > 0)
    throw new Error(`scripts/sdk/names.ts names no method for ${unnamed.map(({ key }) => key)}`)
  const methods = all.flatMap(({ key, operation }) =>
    NAMES[key] ? [methodOf(document, key, NAMES[key], operation)] : [],
  )
  const groups = Map.groupBy(methods, ({ resource }) => resource)
  const types = [...groups].map(
    ([resource, own]) => `  ${resource}: {\n${own.map(({ type }) => type).join('')}  }\n`,
  )
  const table = [...groups].map(
    ([resource, own]) => `  ${resource}: {\n${own.map(({ line }) => line).join('')}  },\n`,
  )
  return `import type { Answer, Body, CallOptions, Pages, Query, RowOf } from './resources.ts'\n\n/** A method for each operation. Arguments stand as in its path, then what it takes, then how it is called. */\nexport type Resources = {\n${types.join('')}}\n\n/** The operation of each method, and what it takes. Of a list also its rows, and the member of a row that \`after\` takes. */\nexport const METHODS: Readonly<Record<string, Readonly<Record<string, string>>>> = {\n${table.join('')}}\n`
}

function methodOf(
  document: OpenApiDocument,
  key: string,
  place: string,
  operation: Operation,
): Method {
  const [resource = '', name = ''] = place.split('.')
  const id = `'${operation.operationId}'`
  const parameters = parametersOf(document, operation)
  const path = parameters
    .filter((one) => one.in === 'path')
    .map((one) => `${camel(one.name)}: string`)
  const rows = rowsOf(document, operation)
  const query = parameters.filter((one) => one.in === 'query')
  const takes = operation.requestBody ? 'body' : query.length > 0 ? 'query' : 'nothing'
  const given = {
    body: [`body${isOptional(document, operation) ? '?' : ''}: Body<${id}>`],
    query: [`query${query.some(({ required }) => required) ? '' : '?'}: Query<${id}>`],
    nothing: [],
  }[takes]
  const args = [...path, ...given, 'options?: CallOptions'].join(', ')
  const gives = rows ? `Pages<RowOf<${id}, '${rows}'>, Answer<${id}>>` : `Promise<Answer<${id}>>`
  const type = `    /** \`${key}\`: ${operation.summary} */\n    ${name}(${args}): ${gives}\n`
  const list = rows ? ` ${rows} ${CURSORS[key] ?? 'id'}` : ''
  return { resource, name, type, line: `    ${name}: '${key} ${takes}${list}',\n` }
}

const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase())

/** Whether the operation may be called without a body. */
function isOptional(document: OpenApiDocument, { requestBody }: Operation): boolean {
  const schema = requestBody?.content['application/json']?.schema
  if (!schema) return true
  const { required = [], anyOf } = wholeOf(document, schema)
  return !anyOf && (required as string[]).length === 0
}

/** The member that holds the rows of a page; undefined for what is no list of pages. */
function rowsOf(document: OpenApiDocument, operation: Operation): string | undefined {
  if (!parametersOf(document, operation).some(({ name }) => name === 'after')) return undefined
  const schema = responseAt(document, operation, 200)?.content?.['application/json']?.schema
  const { properties = {} } = schema ? wholeOf(document, schema) : {}
  const lists = Object.entries(properties as Record<string, Schema>).filter(
    ([, member]) => wholeOf(document, member).type === 'array',
  )
  return lists.length === 1 ? lists[0]?.[0] : undefined
}
