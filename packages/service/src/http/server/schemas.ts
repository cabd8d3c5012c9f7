import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { FastifyReply } from 'fastify'

type Validator = {
  (value: unknown): boolean
  errors?: ErrorObject[] | null
}
type Serializer = (value: Record<string, unknown>) => string

/** What the schemas of routes compile to. Servers of one process may share it: a schema is compiled once for all. */
export type Schemas = {
  /** Bodies are taken as they are; parameters and queries are text, and read as the type that the schema names. */
  validator(schema: object, part: string | undefined): Validator
  /** Writes what the schema names of a value. */
  serializer(schema: object, reply: FastifyReply): Serializer
}

export function createSchemas(): Schemas {
  // The schemas are ours, and a test sees that each is one: to hold each against the schema of schemas costs more than
  // to compile it. Verbose: what a value breaks tells what is allowed.
  const options = { validateSchema: false, allErrors: false, verbose: true, allowUnionTypes: true }
  const strict = new Ajv({ ...options, coerceTypes: false, formats: { 'date-time': true } })
  const coercing = new Ajv({ ...options, coerceTypes: 'array' })
  const bodies = new WeakMap<object, Validator>()
  const texts = new WeakMap<object, Validator>()
  const serializers = new WeakMap<object, Serializer>()
  return {
    validator: (schema, part) =>
      part === 'body'
        ? kept(bodies, schema, () => compiledLate(() => strict.compile(schema)))
        : kept(texts, schema, () => compiledLate(() => coercing.compile(schema))),
    serializer: (schema, reply) =>
      kept(serializers, schema, () =>
        reply.compileSerializationSchema(schema as Record<string, unknown>),
      ),
  }
}

function kept<T>(cache: WeakMap<object, T>, schema: object, make: () => T): T {
  const found = cache.get(schema) ?? make()
  cache.set(schema, found)
  return found
}

/** Compiles at the first value: all schemas of all routes take a third of a second of CPU, which a start need not wait for. */
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
