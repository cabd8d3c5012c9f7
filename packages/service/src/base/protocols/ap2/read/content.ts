import { isList, isObject, type JsonObject, member } from '../../json.ts'
import { type PublicJwk, readPublicJwk } from '../jose/keys.ts'
import { Ap2Refusal } from '../refusal.ts'
import { type Constraint, readConstraint } from './constraints.ts'
import {
  type Instrument,
  invalidField,
  type Merchant,
  type Money,
  type Pisp,
  parseInstant,
  readInstrument,
  readJti,
  readMerchant,
  readMoney,
  readObject,
  readPisp,
  readSeconds,
  readText,
} from './fields.ts'

export const CLOSED_VCT = 'mandate.payment.1'
export const OPEN_VCT = 'mandate.payment.open.1'

/** The members of a closed mandate that its open mandate may preset (payment_mandate.json). */
export const PRESETS = [
  'transaction_id',
  'payee',
  'payment_amount',
  'payment_instrument',
  'pisp',
  'execution_date',
  'risk_data',
] as const

/** The members that an open mandate has for itself. Any other member is a preset for the payments under it. */
const OF_THE_OPEN_ONE = new Set([
  'vct',
  'constraints',
  'cnf',
  'jti',
  'iss',
  'sub',
  'aud',
  'iat',
  'exp',
  'nbf',
  'nonce',
])

/** The members that an open mandate sets for every payment under it. */
export const presetsOf = (content: JsonObject): string[] =>
  Object.keys(content).filter((name) => !OF_THE_OPEN_ONE.has(name) && has(content, name))

export type ClosedPaymentMandate = {
  readonly transactionId: string
  readonly payee: Merchant
  readonly amount: Money
  /** Its `id` is the payer's card. */
  readonly instrument: Instrument
  readonly pisp?: Pisp
  readonly executionDate?: string
  /** Everything that was signed, as sent. */
  readonly content: JsonObject
}

export type OpenPaymentMandate = {
  readonly constraints: readonly Constraint[]
  /** The only key that may sign a closed mandate under this one (`cnf.jwk`). */
  readonly agentKey: PublicJwk
  /** Everything that was signed and is disclosed, as sent. */
  readonly content: JsonObject
}

const CONSTRAINTS_MAX = 64

const has = (content: JsonObject, name: string): boolean => Object.hasOwn(content, name)

/** Reads the content of a closed payment mandate (payment_mandate.json), more strictly than its schema. */
export function readClosedContent(content: JsonObject): ClosedPaymentMandate {
  checkVct(content, CLOSED_VCT)
  if (Object.hasOwn(content, 'cnf') || Object.hasOwn(content, 'constraints'))
    throw new Ap2Refusal(
      'mandate_type_unsupported',
      'A closed mandate must have neither cnf nor constraints',
    )
  const pisp = has(content, 'pisp') ? readPisp(readObject(content, 'pisp')) : undefined
  const executionDate = readExecutionDate(content)
  if (has(content, 'risk_data')) readObject(content, 'risk_data')
  return {
    transactionId: readText(content, 'transaction_id'),
    payee: readMerchant(readObject(content, 'payee')),
    amount: readMoney(readObject(content, 'payment_amount')),
    instrument: readInstrument(readObject(content, 'payment_instrument')),
    ...(pisp && { pisp }),
    ...(executionDate !== undefined && { executionDate }),
    content,
  }
}

/** Reads the content of an open payment mandate (open_payment_mandate.json), signed or not yet. */
export function readOpenContent(content: JsonObject): OpenPaymentMandate {
  checkVct(content, OPEN_VCT)
  const constraints = member(content, 'constraints')
  if (!isList(constraints) || constraints.length > CONSTRAINTS_MAX)
    throw invalidField('constraints', 'a list of at most 64 constraints')
  checkPresets(content)
  for (const name of ['iat', 'exp', 'nbf']) readSeconds(content, name)
  readJti(content)
  return { constraints: constraints.map(readConstraint), agentKey: readAgentKey(content), content }
}

function checkVct(content: JsonObject, vct: string): void {
  if (member(content, 'vct') !== vct)
    throw new Ap2Refusal('mandate_type_unsupported', `The vct of this mandate must be ${vct}`)
}

function readAgentKey(content: JsonObject): PublicJwk {
  const cnf = member(content, 'cnf')
  const jwk = isObject(cnf) ? member(cnf, 'jwk') : undefined
  if (jwk === undefined)
    throw new Ap2Refusal('agent_missing_key', 'An open mandate must name the agent key in cnf.jwk')
  return readPublicJwk(jwk)
}

function readExecutionDate(content: JsonObject): string | undefined {
  const value = member(content, 'execution_date')
  if (value === undefined) return undefined
  if (typeof value !== 'string' || !parseInstant(value))
    throw invalidField(
      'execution_date',
      'an ISO 8601 date that exists, with an offset where there is a time',
    )
  return value
}

function checkPresets(content: JsonObject): void {
  if (has(content, 'transaction_id')) readText(content, 'transaction_id')
  if (has(content, 'payee')) readMerchant(readObject(content, 'payee'))
  if (has(content, 'payment_amount')) readMoney(readObject(content, 'payment_amount'))
  if (has(content, 'payment_instrument')) readInstrument(readObject(content, 'payment_instrument'))
  if (has(content, 'pisp')) readPisp(readObject(content, 'pisp'))
  if (has(content, 'risk_data')) readObject(content, 'risk_data')
  readExecutionDate(content)
}
