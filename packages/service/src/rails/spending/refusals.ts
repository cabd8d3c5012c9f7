import type { ProblemCode } from '../../base/kernel/problem.ts'
import { DECLINES } from '../../money/cards/policy.ts'

/** Reasons why a payment cannot be requested, or not from this seller. */
export const ASK_ERRORS: readonly ProblemCode[] = [
  'invalid_amount',
  'invalid_card_token',
  'not_found',
  'no_payable_option',
]
/** Reasons why the seller could not be asked. */
export const SELLER_ERRORS: readonly ProblemCode[] = [
  'url_not_allowed',
  'upstream_failed',
  'rate_limited',
  'overloaded',
]
/** Reasons why a link of this service refuses a card payment after its demand. */
export const LINK_ERRORS: readonly ProblemCode[] = [
  'invalid_payment',
  'invalid_state',
  'pay_link_busy',
  'pay_link_expired',
  'pay_link_cancelled',
  'pay_link_completed',
]
/** Reasons why the card does not pay, or why the key may not use it. */
export const CARD_ERRORS: readonly ProblemCode[] = [...DECLINES, 'forbidden_scope']
