import { type TSchema, Type } from 'typebox'
import { NullableString, OneOf } from '../../http/fields.ts'
import { defineEvent, type Fields, Money } from '../define.ts'

export const AGREEMENT_STATUSES = [
  'ACTIVE',
  'PAST_DUE',
  'PAUSED',
  'CANCELLED',
  'COMPLETED',
] as const
export const TRIGGER_TYPES = ['interval', 'threshold'] as const
/** The side of an agreement that asked for a change. */
export const PARTIES = ['payer', 'merchant'] as const
export const CANCEL_REASONS = [
  'payer',
  'merchant',
  'payment_failed',
  'mandate_revoked',
  'mandate_expired',
  'key_revoked',
  'pay_link_closed',
  'card_closed',
  'card_sold',
  'replaced',
] as const
export type CancelReason = (typeof CANCEL_REASONS)[number]
export const COMPLETE_REASONS = ['budget', 'occurrences'] as const
export type CompleteReason = (typeof COMPLETE_REASONS)[number]

const NullableInteger = Type.Union([Type.Integer(), Type.Null()])

/** The fields of every event of an agreement. `payer_card_id` is null in the merchant's copy. */
const agreement = {
  agreement_id: Type.String(),
  merchant_wallet: Type.String(),
  payer_wallet: Type.String(),
  pay_link_code: NullableString(),
  plan_ref: NullableString(),
  payer_card_id: NullableString(),
  amount: Money,
  asset: Type.String(),
  network: Type.String(),
  status: OneOf(AGREEMENT_STATUSES),
  trigger_type: OneOf(TRIGGER_TYPES),
  period_days: NullableInteger,
  next_charge_at: NullableString(),
} satisfies Fields

const agreementEvent = <const T extends string, F extends Record<string, TSchema>>(
  type: T,
  when: string,
  fields: F,
) =>
  defineEvent({
    type: `agreement.${type}`,
    when,
    to: 'payer, merchant',
    subject: 'agreement_id',
    fields: { ...agreement, ...fields },
  })

const charge = { charge_id: Type.String(), period_key: Type.String() }

export const agreementCreated = agreementEvent('created', 'an agreement was made', {
  description: NullableString(),
})
export const agreementCharged = agreementEvent('charged', 'a charge succeeded', {
  ...charge,
  settlement_id: Type.String(),
  charges_made: Type.Integer(),
  total_charged: Money,
})
/** In the merchant's copy `error` is `payment_failed`: the cause is the payer's business. */
export const agreementChargeFailed = agreementEvent(
  'charge_failed',
  'an attempt to charge failed',
  {
    ...charge,
    error: Type.String(),
    failure_count: Type.Integer(),
    next_attempt_at: NullableString(),
  },
)

const asked = { by: OneOf(PARTIES) }
export const agreementPaused = agreementEvent('paused', 'a party paused the agreement', asked)
export const agreementResumed = agreementEvent('resumed', 'the party that paused resumed it', asked)
export const agreementCancelScheduled = agreementEvent(
  'cancel_scheduled',
  'a party asked to end it with the current period',
  asked,
)
export const agreementCancelled = agreementEvent('cancelled', 'the agreement ended', {
  reason: OneOf(CANCEL_REASONS),
})
export const agreementCompleted = agreementEvent(
  'completed',
  'the budget or the occurrences of the open mandate are used up',
  { reason: OneOf(COMPLETE_REASONS) },
)
export const agreementMerchantChanged = agreementEvent(
  'merchant_changed',
  'the card of the paid link was sold',
  { previous_merchant_wallet: Type.String() },
)
