import { resolve, wholeOf } from '../../service/src/api/http/openapi/read.ts'
import type { OpenApiDocument, Schema } from '../../service/src/api/http/openapi/shape.ts'

/** Fields of a list of objects of objects: below that the recorded answer shows more than a table can. */
const DEPTH = 2

type Row = { name: string; type: string; isRequired: boolean; about: string }

/** The fields of an object as a table, those of objects in it by their path. Empty for no fields. */
export function fieldTable(document: OpenApiDocument, schema: Schema): string {
  return tableOf(rowsOf(document, schema, ''))
}

export function tableOf(rows: Row[]): string {
  if (rows.length === 0) return ''
  const lines = rows.map(
    ({ name, type, isRequired, about }) =>
      `| \`${name}\`${isRequired ? ' (required)' : ''} | ${cell(type)} | ${cell(about)} |`,
  )
  return `| Field | Type | Meaning |\n|---|---|---|\n${lines.join('\n')}`
}

function rowsOf(document: OpenApiDocument, schema: Schema, before: string, depth = 0): Row[] {
  const target = wholeOf(document, schema)
  const required = (target.required as string[] | undefined) ?? []
  const fields = Object.entries((target.properties as Record<string, Schema> | undefined) ?? {})
  return fields.flatMap(([name, field]) => {
    const found = resolve<Schema>(document, field)
    const row = {
      name: before + name,
      type: typeName(document, field),
      isRequired: before === '' && required.includes(name),
      about: typeof found.description === 'string' ? found.description : '',
    }
    const inner = depth < DEPTH ? innerObject(document, field) : undefined
    const path = `${before}${name}${isList(document, field) ? '[]' : ''}.`
    return [row, ...(inner ? rowsOf(document, inner, path, depth + 1) : [])]
  })
}

const isList = (document: OpenApiDocument, schema: Schema): boolean =>
  wholeOf(document, schema).items !== undefined

function innerObject(document: OpenApiDocument, schema: Schema): Schema | undefined {
  const target = wholeOf(document, schema)
  if (target.properties) return target
  if (target.items) return innerObject(document, target.items as Schema)
  const options = (target.anyOf ?? target.oneOf) as Schema[] | undefined
  return options?.map((option) => innerObject(document, option)).find(Boolean)
}

/** The type in words. A shared shape is named by what it is on the wire, or by its name where it is an object. */
export function typeName(document: OpenApiDocument, schema: Schema): string {
  if (schema.$ref) {
    const target = resolve<Schema>(document, { $ref: String(schema.$ref) })
    const isObject = target.properties !== undefined || target.allOf !== undefined
    return isObject
      ? (String(schema.$ref).split('/').pop() ?? 'object')
      : typeName(document, target)
  }
  if (Array.isArray(schema.enum)) return valuesOf(schema.enum)
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  const options = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  if (options) return options.map((option) => typeName(document, option)).join(' or ')
  if (schema.type === 'array')
    return `list of ${typeName(document, (schema.items as Schema) ?? {})}`
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : String(schema.type ?? 'any')
  return schema.format === 'date-time' ? 'timestamp' : type
}

/** The values of an enumeration. Of a long one its first are enough to see what they are like. */
function valuesOf(values: unknown[]): string {
  const shown = values.length > MOST_VALUES ? values.slice(0, FEW_VALUES) : values
  const names = shown.map((one) => `\`${one}\``).join(', ')
  return shown.length < values.length ? `${names} and ${values.length - shown.length} more` : names
}
const MOST_VALUES = 40
const FEW_VALUES = 6

/** Text in a cell of a table. */
export const cell = (text: string): string =>
  plain(text.replaceAll('\n', ' ')).replaceAll('|', '\\|')

/** Text that Markdown and Vue leave as it is. Outside of code, angle brackets would be read as HTML. */
export const plain = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part, i) => (i % 2 === 0 ? escaped(part) : part))
    .join('')

const escaped = (text: string): string =>
  text.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('{{', '{&#8203;{')
