import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { FastifyReply } from 'fastify'

type Validator = {
  (value: unknown): boolean
  errors?: ErrorObject[] | null
}
type Serializer = (value: Record<string, unknown>) => string

/** The compiled schemas of routes. Servers of one process may share them: each schema is compiled once. */
export type Schemas = {
  /** Checks a value as it is: nothing is converted. */
  validator(schema: object): Validator
  /** Serializes the members of a value that the schema names. */
  serializer(schema: object, reply: FastifyReply): Serializer
}

export function createSchemas(): Schemas {
  // No meta-schema check: it costs more than compiling, and a test checks our schemas. Verbose: errors then include the
  // schema that failed, so that messages can name the allowed values.
  const ajv = new Ajv({
    validateSchema: false,
    allErrors: false,
    verbose: true,
    allowUnionTypes: true,
    coerceTypes: false,
    formats: { 'date-time': true },
  })
  const validators = new WeakMap<object, Validator>()
  const serializers = new WeakMap<object, Serializer>()
  return {
    validator: (schema) => kept(validators, schema, () => compiledLate(() => ajv.compile(schema))),
    serializer: (schema, reply) =>
      kept(serializers, schema, () =>
        reply.compileSerializationSchema(withNullables(schema) as Record<string, unknown>),
      ),
  }
}

/**
 * The schema with "a type or null" as a nullable type: a serializer validates each value against each schema of a union, and
 * writes a nullable type at once. A page of listings takes 48 µs, not 120.
 */
function withNullables(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withNullables)
  if (schema === null || typeof schema !== 'object') return schema
  const { anyOf, ...rest } = schema as { anyOf?: { type?: unknown }[] }
  const [type, none] = anyOf ?? []
  if (anyOf?.length === 2 && typeof type?.type === 'string' && none?.type === 'null')
    return { ...(withNullables(type) as object), ...rest, nullable: true }
  return Object.fromEntries(Object.entries(schema).map(([name, of]) => [name, withNullables(of)]))
}

function kept<T>(cache: WeakMap<object, T>, schema: object, make: () => T): T {
  const found = cache.get(schema) ?? make()
  cache.set(schema, found)
  return found
}

/** Compiles on first use: compiling all schemas takes a third of a second of CPU, which would delay the start. */
function compiledLate(compile: () => ValidateFunction): Validator {
  let validate: ValidateFunction | undefined
  const late: Validator = (value) => {
    validate ??= compile()
    const isValid = validate(value) as boolean
    late.errors = validate.errors ?? null
    return isValid
  }
  return late
}
