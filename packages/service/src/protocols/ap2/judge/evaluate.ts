import { parseInstant } from '../read/fields.ts'
import type { Presentation } from '../read/presentation.ts'
import { type Ap2Code, Ap2Refusal } from '../refusal.ts'
import { judgeOpen } from './judge.ts'

/** The result of one check; a dry run shows them all. `code` says why it failed. */
export type Check = {
  readonly check: string
  readonly ok: boolean
  readonly detail: string
  readonly code?: Ap2Code
}

/** What a link costs in one currency, in its minor units; `min` and `max` are equal where the amount is fixed. */
export type Price = { readonly currency: string; readonly min: bigint; readonly max: bigint }

/** What the verifier knows of the link and of itself. */
export type Expected = {
  /** Names that this service goes by. */
  readonly audiences: readonly string[]
  /** Only where we issued one. */
  readonly nonce?: string
  /** Names of the payee of this link. Compared exactly, and nothing but `id` is. */
  readonly payeeIds: readonly string[]
  readonly prices: readonly Price[]
  /** What the caller found the `transaction_id` to be: a checkout that we published, or none. */
  readonly checkout: 'this_link' | 'other_link' | 'expired' | 'unknown'
  readonly requiresCheckout: boolean
  /** Hashes published for this link, which `payment.reference` may name. */
  readonly references: readonly string[]
}

const FUTURE_SKEW_MS = 60_000

export const passed = (check: string, detail: string): Check => ({ check, ok: true, detail })
export const failed = (check: string, code: Ap2Code, detail: string): Check => ({
  check,
  ok: false,
  detail,
  code,
})
const judged = (check: string, ok: boolean, code: Ap2Code, detail: string): Check =>
  ok ? passed(check, 'as it should be') : failed(check, code, detail)

/**
 * Every check that needs no state, in the order of refusals: times, audience, scope, limits of the open mandate. Pure;
 * signatures, usage, revocation and the link's own state are the caller's.
 */
export const evaluate = (presentation: Presentation, expected: Expected, at: Date): Check[] => [
  ...evaluateTimes(presentation, at),
  ...evaluateAudience(presentation, expected),
  ...evaluateScope(presentation, expected),
  ...judgeOpen(presentation, expected.references, at),
]

/** The first failed check as a refusal that names them all; `undefined` when every one is ok. */
export function refusalOf(checks: readonly Check[]): Ap2Refusal | undefined {
  const failures = checks.filter(({ ok }) => !ok)
  const [first] = failures
  return first?.code === undefined
    ? undefined
    : new Ap2Refusal(
        first.code,
        first.detail,
        failures.map(({ check, detail }) => `${check}: ${detail}`),
      )
}

/** No leniency for `exp`; 60 seconds for an `iat` or `nbf` of somebody whose clock runs ahead. */
export function evaluateTimes(
  { expiresAt, validFrom, closed: { executionDate } }: Presentation,
  at: Date,
): Check[] {
  const due = parseInstant(executionDate)
  const isBegun = !validFrom || validFrom.getTime() <= at.getTime() + FUTURE_SKEW_MS
  return [
    !expiresAt
      ? failed('expiry', 'mandate_expiry_missing', 'A mandate without any exp is not accepted')
      : judged('expiry', at < expiresAt, 'mandate_expired', 'The mandate has expired'),
    judged('validity', isBegun, 'mandate_not_yet_valid', 'The mandate is not valid yet'),
    judged(
      'execution_date',
      !due || due <= at,
      'mandate_not_yet_valid',
      'The mandate is for a payment at a later date',
    ),
  ]
}

/** An agent's mandate must name us; any other must not name somebody else. */
export function evaluateAudience(
  { shape, audience, nonce }: Presentation,
  expected: Pick<Expected, 'audiences' | 'nonce'>,
): Check[] {
  const isOurs =
    (shape === 'direct' || audience.length > 0) &&
    audience.every((name) => expected.audiences.includes(name))
  const isFresh =
    expected.nonce === undefined ||
    (shape === 'direct' && nonce === undefined) ||
    nonce === expected.nonce
  return [
    judged('audience', isOurs, 'mandate_audience_mismatch', 'The mandate is for another audience'),
    judged('nonce', isFresh, 'mandate_nonce_mismatch', 'The nonce is not the one that was issued'),
  ]
}

/** Payee, currency, amount and checkout against the link. */
export function evaluateScope({ closed }: Presentation, expected: Expected): Check[] {
  const { amount, currency } = closed.amount
  const price = expected.prices.find((one) => one.currency === currency)
  const isPriced = !price || (amount >= price.min && amount <= price.max)
  return [
    judged(
      'payee',
      expected.payeeIds.includes(closed.payee.id),
      'mandate_scope_mismatch',
      'The mandate names another payee than this link',
    ),
    judged(
      'currency',
      price !== undefined,
      'mandate_currency_mismatch',
      'The link cannot be paid in the currency of the mandate',
    ),
    judged(
      'amount',
      isPriced,
      'mandate_amount_mismatch',
      'The amount of the mandate is not the amount of the link',
    ),
    judgeCheckout(expected),
  ]
}

/** An unknown `transaction_id` is a checkout of the merchant's own: accepted unless the link wants ours. */
function judgeCheckout({ checkout, requiresCheckout }: Expected): Check {
  const name = 'transaction_id'
  if (checkout === 'other_link')
    return failed(name, 'mandate_checkout_mismatch', 'The checkout belongs to another link')
  if (checkout === 'expired')
    return failed(name, 'mandate_checkout_mismatch', 'The checkout has expired')
  return judged(
    name,
    checkout === 'this_link' || !requiresCheckout,
    'mandate_checkout_mismatch',
    'The link takes only payments of the checkout it published',
  )
}
