import type { ErrorObject } from 'ajv'
import { closestMatch } from 'leven'
import { Problem } from '../../../base/kernel/problem.ts'
import { WORDS_OF_PATTERN } from '../fields.ts'

/** The parts of a schema that a refusal shows to the caller. */
type Schema = {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  properties?: Record<string, unknown>
}
/** An Ajv error with the option `verbose`: it includes the schema that failed. */
type Fault = ErrorObject<string, Record<string, unknown>, unknown>
type Part = { context: string; faults: Fault[] }

/** One sentence for the most specific fault. It names the field and the allowed values. */
export function validationProblem({ context, faults }: Part): Problem {
  const fault = tellingOf(faults)
  if (!fault) return new Problem('invalid_field', `The ${context} is not valid.`)
  const at = fault.instancePath.slice(1).replaceAll('/', '.')
  const name = (leaf: unknown) => (at ? `${at}.${leaf}` : String(leaf))
  if (fault.keyword === 'required') {
    const param = name(fault.params.missingProperty)
    return new Problem('missing_field', `${param} is required.`, { param })
  }
  if (fault.keyword === 'additionalProperties') {
    const param = name(fault.params.additionalProperty)
    return new Problem('unknown_field', unknownSentence(param, fault), { param })
  }
  const where = at || (context === 'querystring' ? 'query' : context)
  const sentence = sentenceOf(where, fault)
  const isMiswritten = context === 'querystring' && isKind(fault) && fault.schema === 'integer'
  return new Problem(
    isAmount(fault) ? 'invalid_amount' : 'invalid_field',
    isMiswritten ? `${sentence} ${DIGITS}` : sentence,
    {
      param: where,
    },
  )
}

/** `AmountIn` alone takes a number or a string. */
const isAmount = ({ keyword, schema }: Fault): boolean =>
  keyword === 'type' && Array.isArray(schema) && schema.join() === 'number,string'

const DIGITS = 'Write it once, in decimal digits alone.'

const isKind = ({ keyword }: Fault): boolean => keyword === 'type' || keyword === 'const'

/**
 * The fault to report. If a schema has alternatives, it is that of the alternative with the right type, or that none
 * matches.
 */
function tellingOf(faults: Fault[]): Fault | undefined {
  const whole = faults.at(-1)
  if (whole?.keyword !== 'anyOf') return faults[0]
  const within = faults.filter(
    (fault) => !isKind(fault) || fault.instancePath.length > whole.instancePath.length,
  )
  return within.find(({ keyword }) => keyword !== 'anyOf') ?? whole
}

/** The largest edit distance that still counts as a misspelling. */
const SLIPS_MAX = 3

function unknownSentence(param: string, { parentSchema, params }: Fault): string {
  const names = Object.keys((parentSchema as Schema | undefined)?.properties ?? {})
  const known = names.length > 0 ? `It takes ${names.join(', ')}.` : 'It takes none.'
  const given = String(params.additionalProperty)
  const nearest = closestMatch(given, names, {
    maxDistance: Math.min(SLIPS_MAX, Math.floor(given.length / 2)),
  })
  const advice = nearest ? `: did you mean ${nearest}?` : '.'
  return `${param} is not a field of this operation${advice} ${known}`
}

function sentenceOf(at: string, { keyword, parentSchema, params, propertyName }: Fault): string {
  const schema = (parentSchema ?? {}) as Schema
  const where = propertyName === undefined ? at : `A name in ${at}`
  const words = keyword === 'pattern' ? WORDS_OF_PATTERN.get(String(params.pattern)) : undefined
  if (words) return `${where} ${words}.`
  if (keyword === 'uniqueItems') return `${where} may name each entry only once.`
  if (keyword === 'maxProperties') return `${where} may have at most ${params.limit} members.`
  if (keyword === 'minProperties') return `${where} must have at least ${params.limit} members.`
  return `${where} must be ${wordsOf(schema)}.`
}

const KINDS: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
}

/** The values that a schema allows, worded to follow "must be". */
function wordsOf(schema: Schema): string {
  const words = schema.anyOf?.map((option) => option.const)
  if (words?.every((word) => word !== undefined)) return `one of ${words.join(', ')}`
  if (schema.anyOf) return [...new Set(schema.anyOf.map(wordsOf))].join(' or ')
  if (schema.enum) return `one of ${schema.enum.map(String).join(', ')}`
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const kinds = [schema.type ?? []].flat().map((kind) => KINDS[kind] ?? kind)
  return `${kinds.join(' or ') || 'something else'}${boundsOf(schema)}`
}

function boundsOf(schema: Schema): string {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, format } = schema
  if (format === 'date-time')
    return ' with a date and time of ISO 8601, such as 2026-07-16T09:30:00Z'
  return (
    range(' of', [minLength, maxLength], ' characters') ||
    range('', [minimum, maximum], '') ||
    range(' of', [minItems, maxItems], ' entries')
  )
}

function range(of: string, [least, most]: (number | undefined)[], unit: string): string {
  if (least !== undefined && most !== undefined)
    return `${of || ' from'} ${least} to ${most}${unit}`
  if (most !== undefined) return `${of} at most ${most}${unit}`
  if (least !== undefined) return `${of} at least ${least}${unit}`
  return ''
}
