import { isObject, keeps, member } from '../../json.ts'
import type { Constraint } from '../read/constraints.ts'
import {
  type ClosedPaymentMandate,
  type OpenPaymentMandate,
  PRESETS,
  presetsOf,
} from '../read/content.ts'
import { isWholeDay, parseInstant } from '../read/fields.ts'
import type { Presentation } from '../read/presentation.ts'
import type { Check } from './checks.ts'

type Verdict = 'ok' | { readonly violated: string } | { readonly unresolved: string }
type Facts = {
  readonly closed: ClosedPaymentMandate
  readonly references: readonly string[]
  readonly at: Date
}

/**
 * Checks the payment against its open mandate; a direct payment has no checks here. `usageRulesOf` has the limits over
 * all payments.
 */
export function judgeOpen(
  { open, closed }: Presentation,
  references: readonly string[],
  at: Date,
): Check[] {
  if (!open) return []
  return [
    ...judgePresets(open, closed),
    ...judgeLimits(open),
    ...open.constraints.map((constraint) =>
      judgeConstraint(constraint, { closed, references, at }),
    ),
  ]
}

/** The closed mandate must repeat every member that the open one sets (agent_authorization.md). */
function judgePresets({ content }: OpenPaymentMandate, closed: ClosedPaymentMandate): Check[] {
  return presetsOf(content).flatMap((name): Check[] => {
    const preset = member(content, name)
    if (preset === undefined) return []
    const check = `preset:${shown(name)}`
    return keeps(preset, member(closed.content, name))
      ? [{ check, ok: true, detail: 'unchanged' }]
      : [
          {
            check,
            ok: false,
            code: 'mandate_preset_changed',
            detail: `The closed mandate lacks or changes ${shown(name)}, which the open one sets`,
          },
        ]
  })
}

/** A member's name if AP2 defines it. A refusal quotes none of the caller's text. */
const shown = (name: string): string =>
  (PRESETS as readonly string[]).includes(name) ? name : 'a member'

/** An open mandate needs a cap and a payee. Without them an agent could pay anyone any amount. */
function judgeLimits({ constraints, content }: OpenPaymentMandate): Check[] {
  const count = (type: Constraint['type']): number =>
    constraints.filter((constraint) => constraint.type === type).length
  const limit = (check: string, ok: boolean, detail: string): Check =>
    ok
      ? { check, ok, detail: 'as it should be' }
      : { check, ok, detail, code: 'mandate_limits_missing' }
  const presets = presetsOf(content)
  const isCapped = count('payment.amount_range') > 0 || presets.includes('payment_amount')
  const isScoped = count('payment.allowed_payees') > 0 || presets.includes('payee')
  const recurrences = count('payment.agent_recurrence')
  // The reference SDK requires both with a recurrence.
  const isBounded =
    recurrences === 0 ||
    (recurrences === 1 && count('payment.amount_range') > 0 && count('payment.budget') > 0)
  return [
    limit('limits:amount', isCapped, 'The open mandate caps no amount'),
    limit('limits:payee', isScoped, 'The open mandate names no payees'),
    limit(
      'limits:recurrence',
      isBounded,
      'A recurring open mandate must have one agent_recurrence, an amount_range and a budget',
    ),
  ]
}

/** Whether the open mandate allows this instrument. One that names none allows any. */
export const namesInstrument = (
  { constraints, content }: OpenPaymentMandate,
  id: string,
): boolean => {
  const preset = member(content, 'payment_instrument')
  return (
    (!isObject(preset) || member(preset, 'id') === id) &&
    constraints.every(
      (one) => one.type !== 'payment.allowed_payment_instruments' || one.ids.includes(id),
    )
  )
}

function judgeConstraint(constraint: Constraint, facts: Facts): Check {
  const name = constraint.type === 'unresolved' ? constraint.name : constraint.type
  const verdict = verdictOn(constraint, facts)
  const check = `constraint:${name}`
  if (verdict === 'ok') return { check, ok: true, detail: 'satisfied' }
  return 'violated' in verdict
    ? { check, ok: false, detail: verdict.violated, code: 'mandate_constraint_violated' }
    : { check, ok: false, detail: verdict.unresolved, code: 'mandate_constraint_unresolved' }
}

function verdictOn(constraint: Constraint, { closed, references, at }: Facts): Verdict {
  switch (constraint.type) {
    case 'payment.amount_range':
      return onAmount(constraint, closed)
    case 'payment.allowed_payees':
      return allowed(constraint.ids.includes(closed.payee.id), 'The payee')
    case 'payment.allowed_payment_instruments':
      return allowed(constraint.ids.includes(closed.instrument.id), 'The payment instrument')
    case 'payment.allowed_pisps':
      return allowed(
        constraint.allowed.some((pisp) => isSamePisp(pisp, closed.pisp)),
        'The payment initiation provider',
      )
    case 'payment.budget':
      return constraint.currency === closed.amount.currency &&
        closed.amount.amount <= constraint.max
        ? 'ok'
        : { violated: 'The payment is above the budget, or in another currency' }
    case 'payment.agent_recurrence':
      return 'ok'
    case 'payment.execution_date':
      return onDate(constraint, closed, at)
    case 'payment.reference':
      return references.includes(constraint.conditionalTransactionId)
        ? 'ok'
        : { unresolved: 'The referenced checkout mandate is not one of this link' }
    case 'unresolved':
      return { unresolved: `A constraint cannot be evaluated: ${constraint.why}` }
  }
}

const allowed = (ok: boolean, what: string): Verdict =>
  ok ? 'ok' : { violated: `${what} is not among those that the open mandate allows and discloses` }

const isSamePisp = (
  pisp: NonNullable<ClosedPaymentMandate['pisp']>,
  other: ClosedPaymentMandate['pisp'],
): boolean =>
  pisp.legalName === other?.legalName &&
  pisp.brandName === other.brandName &&
  pisp.domainName === other.domainName

function onAmount(
  range: Extract<Constraint, { type: 'payment.amount_range' }>,
  { amount: { amount, currency } }: ClosedPaymentMandate,
): Verdict {
  if (currency !== range.currency) return { violated: 'The currency is not the one of the range' }
  if (amount > range.max) return { violated: 'The amount is above the allowed maximum' }
  return range.min !== undefined && amount < range.min
    ? { violated: 'The amount is below the allowed minimum' }
    : 'ok'
}

/**
 * Both the mandate's execution date and the time of payment must be in the window. A mandate without a date uses the
 * time of payment. A date without a time means the whole day in UTC.
 */
function onDate(
  { notBefore, notAfter }: Extract<Constraint, { type: 'payment.execution_date' }>,
  { executionDate }: ClosedPaymentMandate,
  at: Date,
): Verdict {
  const start = executionDate === undefined ? at : parseInstant(executionDate)
  if (!start) return { unresolved: 'The execution date cannot be read' }
  const end = executionDate !== undefined && isWholeDay(executionDate) ? endOfDay(start) : start
  const isIn = (from: Date, to: Date): boolean =>
    (!notBefore || to >= notBefore) && (!notAfter || from <= notAfter)
  return isIn(start, end) && isIn(at, at)
    ? 'ok'
    : { violated: 'The execution date is outside the allowed window' }
}

const endOfDay = (start: Date): Date => new Date(start.getTime() + 86_400_000 - 1)
