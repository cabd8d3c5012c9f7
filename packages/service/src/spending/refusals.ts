import { DECLINES } from '../cards/policy.ts'
import type { ProblemCode } from '../kernel/problem.ts'

/** Why a payment cannot be asked for, or not of this seller. */
export const ASK_ERRORS: readonly ProblemCode[] = [
  'invalid_amount',
  'invalid_card_token',
  'not_found',
  'no_payable_option',
]
/** Why the seller could not be asked. */
export const SELLER_ERRORS: readonly ProblemCode[] = [
  'url_not_allowed',
  'upstream_failed',
  'rate_limited',
  'overloaded',
]
/** Why a link of this service, asked for as a URL, takes no card payment between its demand and the payment. */
export const LINK_ERRORS: readonly ProblemCode[] = [
  'invalid_payment',
  'invalid_state',
  'pay_link_busy',
  'pay_link_expired',
  'pay_link_cancelled',
  'pay_link_completed',
]
/** Why the card does not pay, or the key may not have it pay. */
export const CARD_ERRORS: readonly ProblemCode[] = [...DECLINES, 'forbidden_scope']
