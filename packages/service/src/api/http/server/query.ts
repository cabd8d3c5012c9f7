import { type TObject, type TSchema, Type } from 'typebox'

/** Decimal digits alone: `0x10`, `1e1`, `+5`, ` 5`, `05` and `Infinity` are no whole numbers here. */
const INTEGER = /^-?(?:0|[1-9]\d*)$/

/**
 * Converts the values of a query, which are text, to the types of its schema. A list is split at its commas. What is not
 * written as its type is left as it is, and refused by the validation that follows.
 */
export function readQuery(query: Record<string, unknown>, { properties }: TObject): void {
  for (const [name, value] of Object.entries(query)) {
    const schema = properties[name]
    if (schema) query[name] = readValue(value, schema)
  }
}

function readValue(value: unknown, schema: TSchema): unknown {
  if (Type.IsArray(schema)) return [value].flat().flatMap((text) => String(text).split(','))
  // A name that is given twice has a list as its value.
  if (typeof value !== 'string') return value
  if (Type.IsInteger(schema)) return INTEGER.test(value) ? Number(value) : value
  if (Type.IsBoolean(schema)) return value === 'true' || (value === 'false' ? false : value)
  return value
}
