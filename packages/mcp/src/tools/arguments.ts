import { unknownName } from '@purser/sdk'
import { z } from 'zod'
import { ToolRefusal } from '../wallet.ts'
import { isObject, type JsonObject } from './json.ts'

/** A JSON Schema as zod writes it. */
export type Schema = {
  type?: string | string[]
  description?: string
  anyOf?: Schema[]
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
}
type Taking<I extends z.ZodObject> = { name: string; input: I }

/** Other names that agents give an argument, without what joins their words. */
const MEANT = { idempotencykey: 'intent_id', requestid: 'intent_id', maxprice: 'max_amount' }

/**
 * The arguments of a call. Throws for one that the tool does not know, before anything is done: dropped, it would take a cap or
 * the name of the purchase with it. Null is as good as none, since strict schemas have no optional members.
 */
export function readArguments<I extends z.ZodObject>(
  { name, input }: Taking<I>,
  given: unknown,
): z.output<I> {
  const all = isObject(given) ? given : {}
  const present = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null))
  const read = input.strict().safeParse(present)
  if (read.success) return read.data as z.output<I>
  const { issues } = read.error
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]
  throw new ToolRefusal(
    issue?.code === 'unrecognized_keys' ? 'unknown_field' : 'invalid_field',
    `${issue ? sentenceOf(issue, { name, input, present }) : 'The arguments are not valid.'} Nothing was called or paid.`,
  )
}

type Issue = z.core.$ZodIssue
type Read = Taking<z.ZodObject> & { present: JsonObject }

function sentenceOf(issue: Issue, { name, input, present }: Read): string {
  const at = issue.path.join('.')
  if (issue.code !== 'unrecognized_keys')
    return `${at} is not as ${name} takes it: ${issue.message}.`
  const { schema, value } = issue.path.reduce<{ schema: Schema; value: unknown }>(
    (outer, part) => ({
      schema:
        (typeof part === 'number' ? outer.schema.items : outer.schema.properties?.[String(part)]) ??
        {},
      value: (outer.value as JsonObject)[String(part)],
    }),
    { schema: schemaOf(input), value: present },
  )
  const of = at === '' ? name : `${at} of ${name}`
  const names = Object.keys(schema.properties ?? {})
  const meant = Object.fromEntries(Object.entries(MEANT).filter(([, to]) => names.includes(to)))
  return unknownName(value, { of, names, kind: 'an argument', meant })?.sentence ?? issue.message
}

const schemaOf = (input: z.ZodObject): Schema =>
  z.toJSONSchema(input.strict(), { target: 'draft-2020-12', io: 'input' }) as Schema

/**
 * The schema that clients see. It becomes one of OpenAI's strict schemas by naming every member as required: each optional one
 * may be null, and no object is open.
 */
export function inputSchemaOf(input: z.ZodObject): Schema {
  const schema = schemaOf(input)
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => [
    name,
    schema.required?.includes(name) ? property : nullable(property),
  ])
  return { ...schema, properties: Object.fromEntries(properties) }
}

function nullable({ description, ...schema }: Schema): Schema {
  const words = description === undefined ? {} : { description }
  return { anyOf: [...(schema.anyOf ?? [schema]), { type: 'null' }], ...words }
}
