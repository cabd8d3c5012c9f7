import { Type } from 'typebox'
import { defineEvent, type Fields, Money, Way } from '../define.ts'

const approvalEvent = <const T extends string, F extends Fields>(
  type: T,
  when: string,
  fields: F,
) =>
  defineEvent({
    type: `approval.${type}`,
    when,
    to: 'owner',
    subject: 'approval_id',
    fields: { approval_id: Type.String(), card_id: Type.String(), ...fields },
  })

const payment = { merchant: Type.String(), ...Way, amount: Money, expires_at: Type.String() }

/** `reason` is `above_amount`, `first_merchant`, or the rule of a decline that the owner allowed once. */
export const approvalRequested = approvalEvent(
  'requested',
  "a payment waits for the approval of the card's owner",
  { reason: Type.String(), ...payment },
)
export const approvalApproved = approvalEvent(
  'approved',
  'the owner let one payment pass; the grant ends at `expires_at`',
  { reason: Type.String(), ...payment },
)
export const approvalDenied = approvalEvent(
  'denied',
  'the owner refused a payment, or took a grant back',
  payment,
)
export const approvalExpired = approvalEvent(
  'expired',
  'a request was not answered in time, or a grant not used',
  payment,
)
