import document from '../../../openapi.json' with { type: 'json' }

type Schema = { [key: string]: unknown }
type Found = { name: string; schema: Schema; depth: number }

const ID = '_01jz9q4m7k5cab456c9eb9d4b7'
const BY_NAME: [RegExp, unknown][] = [
  [/^has_more$/, false],
  [/^next_/, null],
  [/_at$|^expires|^since|^until|_end$/, '2026-11-26T20:00:00.000Z'],
  [/hash|^tx|_tx$|nonce/, `0x${'ab'.repeat(32)}`],
  [/address|wallet|^payer$|seller|buyer|^from$|^to$|contract|holder/, `0x${'5075'.repeat(10)}`],
  [/url|icon/, 'https://shop.example/a/path/that/is/rather/long?with=a&query=too'],
  [/_atomic$/, '1234567890123'],
  [/decimals/, 6],
  [/asset|currency|symbol/, 'USDC'],
  [/card_id$/, `card${ID}`],
  [/^id$|_id$/, `txn${ID}`],
  [/memo|purpose|description|name|message|error|note/, 'Some words that a person wrote down'],
]

/** A value that a schema of openapi.json allows, as long as such values get. */
export function sampleOf(schema: Schema): unknown {
  return Object.keys(wholeOf(schema)).length === 0 ? {} : sample({ name: '', schema, depth: 0 })
}

function sample({ name, schema, depth }: Found): unknown {
  const whole = wholeOf(schema)
  const { type, enum: words, properties = {}, items, anyOf, additionalProperties } = whole
  if (words) return (words as unknown[])[0]
  if (Array.isArray(anyOf)) {
    const ways = (anyOf as Schema[]).map(wholeOf)
    const way = ways.find((one) => one.type !== 'null') ?? ways[0] ?? {}
    return sample({ name, schema: way, depth })
  }
  const kind = [type].flat()[0]
  const known = BY_NAME.find(([pattern, value]) => pattern.test(name) && suits(kind, value))
  if (known) return known[1]
  if (kind === 'array')
    return depth > 6
      ? []
      : [1, 2].map(() => sample({ name, schema: items as Schema, depth: depth + 1 }))
  if (kind === 'object' || (kind === undefined && whole.properties))
    return depth > 6
      ? {}
      : {
          ...Object.fromEntries(
            Object.entries(properties as Record<string, Schema>).map(([key, member]) => [
              key,
              sample({ name: key, schema: member, depth: depth + 1 }),
            ]),
          ),
          ...(typeof additionalProperties === 'object' && additionalProperties
            ? { key: sample({ name, schema: additionalProperties as Schema, depth: depth + 1 }) }
            : {}),
        }
  if (kind === 'number') return 1_234_567.890123
  if (kind === 'integer') return 42
  if (kind === 'boolean') return true
  return 'word'
}

const suits = (kind: unknown, value: unknown): boolean =>
  value === null
    ? kind !== 'object' && kind !== 'array'
    : typeof value === (kind === 'integer' ? 'number' : kind)

function wholeOf(schema: Schema): Schema {
  const { $ref, ...rest } = schema as { $ref?: string } & Schema
  const found = $ref === undefined ? rest : { ...componentAt($ref), ...rest }
  const { allOf, ...own } = found as { allOf?: Schema[] } & Schema
  if (!allOf) return own
  const parts = allOf.map(wholeOf)
  return {
    type: 'object',
    ...own,
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
  }
}

const componentAt = (ref: string): Schema =>
  ref
    .split('/')
    .slice(1)
    .reduce<Schema>((at, part) => at[part] as Schema, document as unknown as Schema)

/** The answer of an operation, `GET /api/cards` for instance; undefined for one that is no JSON. */
export function answerOf(operation: string): unknown {
  const [method = '', path = ''] = operation.split(' ')
  const paths = document.paths as unknown as Record<string, Record<string, Schema>>
  const responses = paths[path]?.[method.toLowerCase()]?.responses as Record<string, Schema>
  const content = wholeOf(responses?.['200'] ?? {}).content as Record<string, Schema> | undefined
  const schema = content?.['application/json']?.schema
  return schema === undefined ? undefined : sampleOf(schema as Schema)
}
