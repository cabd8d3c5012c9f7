import { parseInstant } from '../read/fields.ts'
import type { Presentation } from '../read/presentation.ts'
import { type Check, failed, judged } from './checks.ts'
import { judgeOpen } from './judge-open.ts'

/** A link's price in minor units of one currency. `min` and `max` are equal if the amount is fixed. */
export type Price = { readonly currency: string; readonly min: bigint; readonly max: bigint }

/** The facts that a mandate is checked against. */
export type Expected = {
  /** The names of this service. */
  readonly audiences: readonly string[]
  /** Only if we issued one. */
  readonly nonce?: string
  /** The names of this link's payee. Only `id` is compared, exactly. */
  readonly payeeIds: readonly string[]
  readonly prices: readonly Price[]
  /** The checkout that `transaction_id` names. `unknown`: we did not publish it. */
  readonly checkout: 'this_link' | 'other_link' | 'expired' | 'unknown'
  readonly requiresCheckout: boolean
  /** Hashes published for this link. `payment.reference` may name them. */
  readonly references: readonly string[]
}

const FUTURE_SKEW_MS = 60_000

/**
 * Every check that needs no state, in the order of refusals: times, audience, scope, limits of the open mandate. The caller
 * checks signatures, usage, revocation and the link's state.
 */
export const evaluate = (presentation: Presentation, expected: Expected, at: Date): Check[] => [
  ...evaluateTimes(presentation, at),
  ...evaluateAudience(presentation, expected),
  ...evaluateScope(presentation, expected),
  ...judgeOpen(presentation, expected.references, at),
]

/** `exp` is exact. `iat` and `nbf` may be 60 seconds ahead, for clocks that run fast. */
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

/** A mandate that an agent closed must name us. Any other must not name another audience. */
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

/** An unknown `transaction_id` is the merchant's own checkout. It is accepted unless the link requires ours. */
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
