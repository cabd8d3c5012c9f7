import { isList, isObject, type JsonObject, type JsonValue, member } from '../../json.ts'
import { isCurrency, minorOfMajor } from './currency.ts'
import { isText, isWholeDay, type Pisp, parseInstant } from './fields.ts'

export const FREQUENCIES = [
  'ON_DEMAND',
  'DAILY',
  'WEEKLY',
  'BIWEEKLY',
  'MONTHLY',
  'QUARTERLY',
  'ANNUALLY',
] as const
export type Frequency = (typeof FREQUENCIES)[number]

/** A constraint of an open mandate. Amounts are in minor units; lists hold only their disclosed elements. */
export type Constraint =
  | {
      readonly type: 'payment.amount_range'
      readonly currency: string
      readonly min?: bigint
      readonly max: bigint
    }
  | { readonly type: 'payment.allowed_payees'; readonly ids: readonly string[] }
  | { readonly type: 'payment.allowed_payment_instruments'; readonly ids: readonly string[] }
  | { readonly type: 'payment.allowed_pisps'; readonly allowed: readonly Pisp[] }
  | { readonly type: 'payment.budget'; readonly currency: string; readonly max: bigint }
  | {
      readonly type: 'payment.agent_recurrence'
      readonly frequency: Frequency
      readonly maxOccurrences?: number
    }
  | {
      readonly type: 'payment.execution_date'
      readonly notBefore?: Date
      /** The last instant that is allowed. */
      readonly notAfter?: Date
    }
  | { readonly type: 'payment.reference'; readonly conditionalTransactionId: string }
  | { readonly type: 'unresolved'; readonly name: string; readonly why: string }

export const CONSTRAINT_TYPES = [
  'payment.amount_range',
  'payment.allowed_payees',
  'payment.allowed_payment_instruments',
  'payment.allowed_pisps',
  'payment.budget',
  'payment.agent_recurrence',
  'payment.execution_date',
  'payment.reference',
] as const

type Read = (value: JsonObject) => Constraint | string

const DAY_MS = 86_400_000

/**
 * For each type: its members and its reader. A reader answers a string to say why the constraint cannot be evaluated.
 */
const READERS: Record<(typeof CONSTRAINT_TYPES)[number], [members: readonly string[], read: Read]> =
  {
    'payment.amount_range': [['currency', 'min', 'max'], readAmountRange],
    'payment.allowed_payees': [
      ['allowed'],
      (value) => readIds(value, (ids) => ({ type: 'payment.allowed_payees', ids })),
    ],
    'payment.allowed_payment_instruments': [
      ['allowed'],
      (value) => readIds(value, (ids) => ({ type: 'payment.allowed_payment_instruments', ids })),
    ],
    'payment.allowed_pisps': [['allowed'], readPisps],
    'payment.budget': [['max', 'currency'], readBudget],
    'payment.agent_recurrence': [['frequency', 'max_occurrences'], readRecurrence],
    'payment.execution_date': [['not_before', 'not_after'], readExecutionDate],
    'payment.reference': [['conditional_transaction_id'], readReference],
  }

/**
 * Reads one constraint (open_payment_mandate.json). An unknown type or member makes the constraint `unresolved`, which
 * approves nothing: it may be the very limit that the signer meant.
 */
export function readConstraint(value: JsonValue): Constraint {
  if (!isObject(value)) return { type: 'unresolved', name: 'none', why: 'it is not an object' }
  const type = CONSTRAINT_TYPES.find((known) => known === member(value, 'type'))
  if (type === undefined)
    return { type: 'unresolved', name: 'unknown', why: 'its type is not known here' }
  const [members, read] = READERS[type]
  const isKnown = (name: string): boolean => name === 'type' || members.includes(name)
  const constraint = Object.keys(value).every(isKnown)
    ? read(value)
    : 'it has a member that is not known here'
  return typeof constraint === 'string'
    ? { type: 'unresolved', name: type, why: constraint }
    : constraint
}

const isWhole = (value: JsonValue | undefined): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

function readAmountRange(value: JsonObject): Constraint | string {
  const [currency, max, min] = [
    member(value, 'currency'),
    member(value, 'max'),
    member(value, 'min'),
  ]
  if (!isCurrency(currency)) return 'its currency is no upper case ISO 4217 code'
  if (!isWhole(max) || (min !== undefined && !isWhole(min)))
    return 'its limits must be integers of minor units'
  return {
    type: 'payment.amount_range',
    currency,
    max: BigInt(max),
    ...(min !== undefined && { min: BigInt(min) }),
  }
}

function readIds(
  value: JsonObject,
  make: (ids: readonly string[]) => Constraint,
): Constraint | string {
  const allowed = member(value, 'allowed')
  if (!isList(allowed)) return 'it has no list of what is allowed'
  const ids = allowed.map((item) => (isObject(item) ? member(item, 'id') : undefined))
  return ids.every(isText) ? make(ids) : 'an element of its list has no id'
}

function readPisps(value: JsonObject): Constraint | string {
  const allowed = member(value, 'allowed')
  if (!isList(allowed)) return 'it has no list of what is allowed'
  const pisps: Pisp[] = []
  for (const item of allowed) {
    if (!isObject(item)) return 'an element of its list is not an object'
    const [legalName, brandName, domainName] = [
      member(item, 'legal_name'),
      member(item, 'brand_name'),
      member(item, 'domain_name'),
    ]
    if (!isText(legalName) || !isText(brandName) || !isText(domainName))
      return 'an element of its list lacks a name'
    pisps.push({ legalName, brandName, domainName })
  }
  return { type: 'payment.allowed_pisps', allowed: pisps }
}

/** `max` is in major units, as in the reference SDK. Every other amount of AP2 is in minor units. */
function readBudget(value: JsonObject): Constraint | string {
  const currency = member(value, 'currency')
  if (!isCurrency(currency)) return 'its currency is no upper case ISO 4217 code'
  const max = minorOfMajor(member(value, 'max'), currency)
  return max === undefined
    ? 'its max is no number of major units with the decimals of its currency'
    : { type: 'payment.budget', currency, max }
}

function readRecurrence(value: JsonObject): Constraint | string {
  const frequency = FREQUENCIES.find((known) => known === member(value, 'frequency'))
  const maxOccurrences = member(value, 'max_occurrences')
  if (frequency === undefined) return 'its frequency is not known here'
  if (maxOccurrences === undefined) return { type: 'payment.agent_recurrence', frequency }
  return isWhole(maxOccurrences)
    ? { type: 'payment.agent_recurrence', frequency, maxOccurrences }
    : 'its max_occurrences must be an integer'
}

function readExecutionDate(value: JsonObject): Constraint | string {
  const [from, to] = [member(value, 'not_before'), member(value, 'not_after')]
  const [notBefore, last] = [parseInstant(from), parseInstant(to)]
  if ((from !== undefined && !notBefore) || (to !== undefined && !last))
    return 'its dates must be ISO 8601 and exist, with an offset where there is a time'
  // A day without a time is allowed to its end.
  const notAfter =
    last && typeof to === 'string' && isWholeDay(to) ? new Date(last.getTime() + DAY_MS - 1) : last
  return {
    type: 'payment.execution_date',
    ...(notBefore && { notBefore }),
    ...(notAfter && { notAfter }),
  }
}

function readReference(value: JsonObject): Constraint | string {
  const id = member(value, 'conditional_transaction_id')
  return isText(id)
    ? { type: 'payment.reference', conditionalTransactionId: id }
    : 'it has no conditional_transaction_id'
}
