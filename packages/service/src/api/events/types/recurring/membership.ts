import { type TSchema, Type } from 'typebox'
import { NullableString, OneOf } from '../../../http/fields.ts'
import { defineEvent, Money } from '../../define.ts'

export const AUTO_RENEW_MODES = ['funded', 'wallet', 'soft'] as const

/** The fields of every event of a membership. The period and the status are null before the first payment. */
const membership = {
  wallet_address: Type.String(),
  plan: Type.String(),
  tier: Type.String(),
  billing_period: Type.String(),
  status: NullableString(),
  current_period_start: NullableString(),
  current_period_end: NullableString(),
  cancel_at_period_end: Type.Boolean(),
  auto_renew: Type.Boolean(),
  price: Money,
  payment_asset: Type.String(),
  payment_id: NullableString(),
}

const membershipEvent = <const T extends string, F extends Record<string, TSchema>>(
  type: T,
  when: string,
  fields: F,
) =>
  defineEvent({
    type: `membership.${type}`,
    when,
    to: 'wallet',
    subject: 'wallet_address',
    fields: { ...membership, ...fields },
  })

export const membershipActivated = membershipEvent('activated', 'the first period was paid', {})
export const membershipRenewed = membershipEvent('renewed', 'a further period was paid', {})
export const membershipPastDue = membershipEvent('past_due', 'a due payment failed', {})
export const membershipExpired = membershipEvent('expired', 'the membership ended', {})
export const membershipCancelScheduled = membershipEvent(
  'cancel_scheduled',
  'the wallet asked to end it with the current period',
  {},
)
export const membershipResumed = membershipEvent('resumed', 'the scheduled end was undone', {})

const autoRenew = { mode: OneOf(AUTO_RENEW_MODES), agreement_id: Type.String(), reserve: Money }
export const autoRenewEnabled = membershipEvent(
  'auto_renew_enabled',
  'the wallet enrolled in auto-renew; `reserve` is on the autopay card',
  autoRenew,
)
export const autoRenewDisabled = membershipEvent(
  'auto_renew_disabled',
  'auto-renew ended; `reserve` went back to the balance',
  autoRenew,
)
export const membershipPaymentDue = membershipEvent(
  'payment_due',
  'the balance does not cover a renewal without a reserve',
  { amount: Money, due_at: Type.String() },
)
