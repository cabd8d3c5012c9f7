import type { Schema } from './shape.ts'

/**
 * The schema as JSON, without TypeBox's own members, as briefly as OpenAPI lets it be said: an open record is
 * `additionalProperties`, and a value that may be null is one schema of two types.
 */
export function plain(schema: unknown): Schema {
  return JSON.parse(JSON.stringify(schema), (_, value) =>
    typeof value === 'object' && value !== null ? brief(value as Schema) : value,
  ) as Schema
}

function brief(schema: Schema): Schema {
  const patterns = schema.patternProperties as Schema | undefined
  if (patterns?.['^.*$'] && Object.keys(patterns).length === 1) {
    const { patternProperties: _, ...rest } = schema
    return { ...rest, additionalProperties: patterns['^.*$'] }
  }
  if (!Array.isArray(schema.anyOf)) return schema
  const { anyOf, ...rest } = schema as { anyOf: Schema[] }
  const [first, second] = anyOf
  if (first && anyOf.length === 1) return { ...first, ...rest }
  const mayJoin = first && second && anyOf.length === 2 && second.type === 'null' && isScalar(first)
  if (!mayJoin) return schema
  const { title: _, ...one } = first
  return { ...one, ...rest, type: [first.type, 'null'] }
}

/** With `enum` or `const` null would have to be one of their values too. */
const isScalar = ({ type, enum: words, const: only }: Schema): boolean =>
  (type === 'string' || type === 'number' || type === 'integer' || type === 'boolean') &&
  words === undefined &&
  only === undefined
