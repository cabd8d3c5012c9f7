import type { TSchema } from 'typebox'

/** The parts of a JSON schema that say what a member may be. */
type Schema = {
  type?: string | string[]
  const?: unknown
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
}

/**
 * Takes the optional members out of a body that are null where the schema has no null: such a member is absent. Where
 * null is a value of its own, and in maps of free names, it stays.
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

/** A schema that names no type takes anything. */
function takesNull({ type, anyOf, const: only }: Schema): boolean {
  if (anyOf) return anyOf.some(takesNull)
  if (type === undefined) return only === undefined || only === null
  return type === 'null' || (Array.isArray(type) && type.includes('null'))
}
