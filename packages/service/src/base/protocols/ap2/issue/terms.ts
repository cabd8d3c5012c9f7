import type { JsonObject, JsonValue } from '../../json.ts'
import type { PublicJwk } from '../jose/keys.ts'
import type { Constraint } from '../read/constraints.ts'
import { CLOSED_VCT, OPEN_VCT } from '../read/content.ts'
import { majorOfMinor } from '../read/currency.ts'
import {
  type Instrument,
  invalidField,
  type Merchant,
  type Money,
  type Pisp,
} from '../read/fields.ts'

/** The terms of a new open mandate. Amounts are in minor units; `exp` is always set. */
export type OpenTerms = {
  readonly id: string
  readonly agentKey: PublicJwk
  readonly issuedAt: Date
  readonly expiresAt: Date
  readonly amountRange: { readonly currency: string; readonly min?: bigint; readonly max: bigint }
  readonly payees: readonly Merchant[]
  readonly instruments: readonly Instrument[]
  readonly budget?: Money
  readonly recurrence?: Omit<Extract<Constraint, { type: 'payment.agent_recurrence' }>, 'type'>
  readonly executionWindow?: Omit<Extract<Constraint, { type: 'payment.execution_date' }>, 'type'>
}

export type ClosedTerms = {
  readonly id: string
  readonly transactionId: string
  readonly payee: Merchant
  readonly amount: Money
  readonly instrument: Instrument
  readonly pisp?: Pisp
  readonly issuedAt: Date
  readonly expiresAt: Date
}

export const secondsOf = (instant: Date): number => Math.floor(instant.getTime() / 1000)

/** A JSON integer. Refuses a number that a JSON reader could not take exactly. */
export function toInteger(amount: bigint): number {
  const number = Number(amount)
  if (amount < 0n || !Number.isSafeInteger(number))
    throw invalidField('amount', 'minor units in the range of exact JSON integers')
  return number
}

/** The content of an open mandate, to be signed by `makeOpenMandate` or by the payer's own key. */
export function openContentOf(terms: OpenTerms): JsonObject {
  const { amountRange, payees, instruments, budget, recurrence, executionWindow } = terms
  const { min, max, currency } = amountRange
  const constraints: JsonValue[] = [
    {
      type: 'payment.amount_range',
      currency,
      min: toInteger(min ?? 0n),
      max: toInteger(max),
    },
    { type: 'payment.allowed_payees', allowed: payees },
    { type: 'payment.allowed_payment_instruments', allowed: instruments },
  ]
  if (budget) constraints.push(budgetOf(budget))
  if (recurrence) constraints.push(recurrenceOf(recurrence))
  if (executionWindow) constraints.push(executionWindowOf(executionWindow))
  return {
    vct: OPEN_VCT,
    jti: terms.id,
    constraints,
    cnf: { jwk: terms.agentKey },
    iat: secondsOf(terms.issuedAt),
    exp: secondsOf(terms.expiresAt),
  }
}

function budgetOf({ amount, currency }: Money): JsonObject {
  const max = majorOfMinor(amount, currency)
  if (max === undefined) throw invalidField('budget', 'an amount that a JSON number holds exactly')
  return { type: 'payment.budget', max, currency }
}

const recurrenceOf = ({
  frequency,
  maxOccurrences,
}: NonNullable<OpenTerms['recurrence']>): JsonObject => ({
  type: 'payment.agent_recurrence',
  frequency,
  ...(maxOccurrences !== undefined && { max_occurrences: maxOccurrences }),
})

const executionWindowOf = ({
  notBefore,
  notAfter,
}: NonNullable<OpenTerms['executionWindow']>): JsonObject => ({
  type: 'payment.execution_date',
  ...(notBefore && { not_before: notBefore.toISOString() }),
  ...(notAfter && { not_after: notAfter.toISOString() }),
})

/** The content of a closed mandate, to be signed by the payer's key or by the agent of an open one. */
export const closedContentOf = (terms: ClosedTerms): JsonObject => ({
  vct: CLOSED_VCT,
  jti: terms.id,
  transaction_id: terms.transactionId,
  payee: terms.payee,
  payment_amount: {
    amount: toInteger(terms.amount.amount),
    currency: terms.amount.currency,
  },
  payment_instrument: terms.instrument,
  ...(terms.pisp && {
    pisp: {
      legal_name: terms.pisp.legalName,
      brand_name: terms.pisp.brandName,
      domain_name: terms.pisp.domainName,
    },
  }),
  iat: secondsOf(terms.issuedAt),
  exp: secondsOf(terms.expiresAt),
})
