// The table from which the command line makes its commands.

import type { Made, MadeField } from '../../packages/cli/src/operations/document.ts'
import { FIRST_COLUMNS } from '../../packages/cli/src/operations/lines.ts'
import {
  isPublic,
  nameOf,
  operationsOf,
  parametersOf,
  resolve,
  responseAt,
  wholeOf,
} from '../../packages/service/src/api/http/openapi/read.ts'
import type {
  OpenApiDocument,
  Operation,
  Parameter,
  Schema,
} from '../../packages/service/src/api/http/openapi/shape.ts'

/** The operations as the command line must know them, by method and path. */
export function tableOfOperations(document: OpenApiDocument): string {
  const lines = operationsOf(document).map((one) => {
    const name = nameOf(one)
    const made = madeOf(document, one.operation)
    return `${JSON.stringify(name)}: ${JSON.stringify(inOrder(made, FIRST_COLUMNS[name] ?? []))}`
  })
  return `{\n${lines.join(',\n')}\n}\n`
}

/** With these columns of its list before the others. */
function inOrder(made: Made, first: readonly string[]): Made {
  const { list, lists = {} } = made
  if (list === undefined || first.length === 0) return made
  const columns = lists[list] ?? []
  const unknown = first.find((name) => !columns.includes(name))
  if (unknown !== undefined) throw new Error(`${list} has no column ${unknown}: see FIRST_COLUMNS`)
  return { ...made, lists: { ...lists, [list]: [...new Set([...first, ...columns])] } }
}

function madeOf(document: OpenApiDocument, operation: Operation): Made {
  const parameters = parametersOf(document, operation)
  const body = bodyOf(document, operation)
  const { content = {} } = responseAt(document, operation, 200) ?? {}
  const answer = content['application/json']?.schema
  return {
    summary: operation.summary,
    ...(operation.description && { about: operation.description }),
    path: parameters.filter((one) => one.in === 'path').map(argumentOf),
    fields: [
      ...parameters
        .filter((one) => one.in === 'query')
        .map(({ name, schema, description, required }) =>
          fieldOf(document, { name, place: 'query', schema: { ...schema, description }, required }),
        ),
      ...fieldsOf(document, body),
    ],
    ...(operation.requestBody && { body: 'properties' in (body ?? {}) ? 'fields' : 'any' }),
    ...(parameters.some(({ name }) => name === 'Idempotency-Key') && { repeatable: true }),
    ...(isPublic(operation) && { open: true }),
    ...(answer === undefined && { text: true }),
    amounts: answer ? [...new Set(amountsIn(document, answer))].toSorted() : [],
    ...(answer && listsIn(document, answer)),
  }
}

/**
 * The lists of objects in an answer, each with the paths into a row that have a value to show. An answer is a list if it has
 * one alone, and beside it no more than where its page stands.
 */
function listsIn(document: OpenApiDocument, answer: Schema): Pick<Made, 'lists' | 'list'> {
  const members = Object.entries(membersOf(document, answer))
  const lists = members.flatMap(([name, member]) => {
    const { items } = wholeOf(document, member) as { items?: Schema }
    const paths = items ? pathsIn(document, items) : []
    return paths.length > 0 ? [[name, paths] as const] : []
  })
  if (lists.length === 0) return {}
  const isPlain = ([name, member]: [string, Schema]) =>
    name === 'pagination' || !/object|array/.test(String(wholeOf(document, member).type))
  const [list = ''] = lists[0] ?? []
  const isList = members.every((one) => one[0] === list || isPlain(one))
  return { lists: Object.fromEntries(lists), ...(isList && { list }) }
}

const pathsIn = (document: OpenApiDocument, schema: Schema, before = ''): string[] =>
  Object.entries(membersOf(document, schema)).flatMap(([name, member]) => {
    const inner = name.endsWith('_atomic') ? [] : pathsIn(document, member, `${before}${name}.`)
    return inner.length > 0 || name.endsWith('_atomic') ? inner : [before + name]
  })

/** The members of an object, also of one that may be null instead. */
function membersOf(document: OpenApiDocument, schema: Schema): Record<string, Schema> {
  const whole = wholeOf(document, schema)
  const ways = (whole.anyOf as Schema[] | undefined)?.map((way) => wholeOf(document, way))
  const found = ways?.find(({ properties }) => properties) ?? whole
  return (found.properties as Record<string, Schema> | undefined) ?? {}
}

const argumentOf = ({ name, schema, description = '' }: Parameter) => ({
  name,
  word: typeof schema.title === 'string' ? schema.title : name,
  about: description,
})

/** The object that a body may be, where it may also be nothing. */
function bodyOf(document: OpenApiDocument, { requestBody }: Operation): Schema | undefined {
  const schema = requestBody?.content['application/json']?.schema
  if (!schema) return undefined
  const whole = wholeOf(document, schema)
  const ways = (whole.anyOf as Schema[] | undefined)?.map((one) => wholeOf(document, one))
  return ways?.find(({ properties }) => properties) ?? whole
}

function fieldsOf(document: OpenApiDocument, body: Schema | undefined): MadeField[] {
  const { properties = {}, required = [] } = (body ?? {}) as {
    properties?: Record<string, Schema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) =>
    fieldOf(document, { name, place: 'body', schema, required: required.includes(name) }),
  )
}

type Found = { name: string; place: 'query' | 'body'; schema: Schema; required: boolean }

function fieldOf(document: OpenApiDocument, { name, place, schema, required }: Found): MadeField {
  const whole = wholeOf(document, schema)
  const ways = ((whole.anyOf as Schema[] | undefined) ?? [whole]).map((one) =>
    wholeOf(document, one),
  )
  const types = ways.flatMap(({ type }) => type as string | string[])
  const shape = ways.find(({ type }) => type !== 'null') ?? whole
  return {
    name,
    in: place,
    kind: kindOf(types, shape),
    about: String(whole.description ?? shape.description ?? ''),
    ...(required && { required }),
    ...(types.includes('null') && { none: true }),
    ...(Array.isArray(shape.enum) && { words: (shape.enum as unknown[]).filter(isText) }),
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** An amount goes as the text that was typed, so it is exact. */
function kindOf(types: string[], { items }: Schema): MadeField['kind'] {
  if (types.includes('object') || types.includes('undefined')) return 'json'
  if (types.includes('array')) return (items as Schema)?.type === 'object' ? 'json' : 'list'
  if (types.includes('string')) return 'text'
  if (types.includes('boolean')) return 'flag'
  return types.includes('integer') ? 'whole' : 'number'
}

/** Numbers that are no money: blocks, seconds, shares, counts of tokens. */
const OTHER_NUMBERS = [
  ...['head', 'watched_block', 'lag_seconds', 'expires_in'],
  ...['top_payer_share', 'repeat_rate', 'supply', 'tokens', 'token_volume'],
]

/** The names of the members that are money. */
function amountsIn(document: OpenApiDocument, schema: Schema, seen: string[] = []): string[] {
  const ref = schema.$ref as string | undefined
  if (ref !== undefined && seen.includes(ref)) return []
  const next = ref === undefined ? seen : [...seen, ref]
  const { properties, items, anyOf, allOf } = resolve<Schema>(document, schema) as {
    properties?: Record<string, Schema>
    items?: Schema
    anyOf?: Schema[]
    allOf?: Schema[]
  }
  const parts = [...(items ? [items] : []), ...(anyOf ?? []), ...(allOf ?? [])]
  return [
    ...Object.entries(properties ?? {}).flatMap(([name, member]) => [
      ...(isNumber(document, member) && !OTHER_NUMBERS.includes(name) ? [name] : []),
      ...amountsIn(document, member, next),
    ]),
    ...parts.flatMap((part) => amountsIn(document, part, next)),
  ]
}

const isNumber = (document: OpenApiDocument, schema: Schema): boolean => {
  const whole = wholeOf(document, schema)
  const ways = (whole.anyOf as Schema[] | undefined) ?? [whole]
  return ways.some((way) => [wholeOf(document, way).type].flat().includes('number'))
}
