import type { TSchema } from 'typebox'

/** The parts of a JSON schema that describe a value. */
type Schema = {
  type?: string | string[]
  const?: unknown
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
}

/**
 * Removes optional members that are null from a body if their schema does not allow null: they count as absent. Keeps
 * null if the schema allows it, and in maps of free names.
 */
export function dropNulls(body: unknown, schema: TSchema): void {
  drop(body, schema as Schema)
}

function drop(value: unknown, schema: Schema): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  const shapes = shapesOf(schema)
  for (const [name, member] of Object.entries(value)) {
    const having = shapes.filter(({ properties }) => Object.hasOwn(properties ?? {}, name))
    const isOptional = !shapes.some(({ required }) => required?.includes(name))
    const kinds = having.map(({ properties }) => properties?.[name] as Schema)
    if (member !== null) for (const kind of kinds) drop(member, kind)
    else if (kinds.length > 0 && isOptional && !kinds.some(takesNull))
      Reflect.deleteProperty(value, name)
  }
}

const shapesOf = (schema: Schema): Schema[] =>
  schema.anyOf ? schema.anyOf.flatMap(shapesOf) : schema.properties ? [schema] : []

/** A schema without a type accepts anything. */
function takesNull({ type, anyOf, const: only }: Schema): boolean {
  if (anyOf) return anyOf.some(takesNull)
  if (type === undefined) return only === undefined || only === null
  return type === 'null' || (Array.isArray(type) && type.includes('null'))
}
