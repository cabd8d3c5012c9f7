import { Type } from 'typebox'
import { NullableString, OneOf } from '../../http/fields.ts'
import { defineEvent, Money, SettlementMode, Way } from '../define.ts'

const Direction = OneOf(['sent', 'received'])

/** The fields of every payment event, from the side of the wallet that gets it. */
const pay = {
  settlement_id: Type.String(),
  transaction_id: NullableString(),
  direction: Direction,
  card_id: NullableString(),
  pay_link_code: NullableString(),
  agreement_id: NullableString(),
  ...Way,
  settlement_mode: SettlementMode,
  amount: Money,
  fee: Money,
  net_amount: Money,
  asset: Type.String(),
  network: Type.String(),
  tx_hash: NullableString(),
}

/** `fee` is the receiver's: `amount` less `fee` is `net_amount`. */
export const paymentSettled = defineEvent({
  type: 'payment.settled',
  when: 'money reached a card or wallet',
  to: 'receiver',
  subject: 'settlement_id',
  fact: 'sometimes',
  fields: {
    ...pay,
    receipt_id: NullableString(),
    receiver_card_id: NullableString(),
    memo: Type.String(),
    token_contract: NullableString(),
    // The wallet that has the money of a DIRECT payment: not the card's owner, if it was sold while the payment was on its way.
    pay_to: NullableString(),
    // In the service's asset, whatever the payment was made in.
    metered_fee: Type.Union([Type.Number({ minimum: 0 }), Type.Null()]),
  },
})

/** `amount` left the card, `fee` is the payer's part of it. `merchant` is a host, a link code or a wallet, never a card. */
export const paymentSent = defineEvent({
  type: 'payment.sent',
  when: 'a card paid',
  to: 'payer',
  subject: 'settlement_id',
  fact: 'sometimes',
  fields: { ...pay, merchant: Type.String(), memo: Type.String() },
})

export const PAYMENT_FAILURES = [
  'token_refused',
  'not_settled_in_time',
  'reorganised',
  'expired',
  'link_closed',
  'refused',
  'seller_unreachable',
] as const
export type PaymentFailure = (typeof PAYMENT_FAILURES)[number]

export const paymentFailed = defineEvent({
  type: 'payment.failed',
  when: 'a payment failed; also after `payment.sent`, if a reorganization undid it',
  to: 'the side concerned',
  subject: 'settlement_id',
  fact: 'sometimes',
  fields: {
    ...pay,
    merchant: NullableString(),
    payer: NullableString(),
    reason: OneOf(PAYMENT_FAILURES),
    detail: Type.String(),
  },
})

/** `transaction_id` is the payment that was refunded, `refund_id` the refund's own entry, `fee_kept` the fee of the payment. */
export const paymentRefunded = defineEvent({
  type: 'payment.refunded',
  when: 'a payment was refunded, in full or in part, and the fee was kept; one event a refund',
  to: 'both, each with its own ids',
  subject: 'settlement_id',
  fields: {
    settlement_id: Type.String(),
    transaction_id: Type.String(),
    direction: Direction,
    card_id: Type.String(),
    pay_link_code: NullableString(),
    ...Way,
    refund_id: Type.String(),
    refund_of: Type.String(),
    amount: Money,
    refunded: Money,
    fee_kept: Money,
    asset: Type.String(),
    network: Type.String(),
  },
})

const exception = {
  exception_id: Type.String(),
  pay_link_code: Type.String(),
  reason: OneOf(['late', 'short', 'over', 'closed', 'unknown']),
  settlement_mode: SettlementMode,
  payer: Type.String(),
  asset: Type.String(),
  network: Type.String(),
  tx_hash: Type.String(),
  amount: Money,
}

export const paymentException = defineEvent({
  type: 'payment.exception',
  when: 'money came late, short, over, or to a closed link',
  to: 'seller',
  subject: 'exception_id',
  fact: 'always',
  fields: exception,
})

export const paymentExceptionResolved = defineEvent({
  type: 'payment.exception_resolved',
  when: 'the seller kept or refunded that money',
  to: 'seller',
  subject: 'exception_id',
  fields: {
    ...exception,
    status: OneOf(['KEPT', 'REFUNDED']),
    fee: Money,
    withdrawal_id: NullableString(),
  },
})

export const paymentExceptionReopened = defineEvent({
  type: 'payment.exception_reopened',
  when: 'the refund of that money could not be paid: it is back, to be kept or refunded',
  to: 'seller',
  subject: 'exception_id',
  fields: { ...exception, fee: Money, withdrawal_id: Type.String() },
})
