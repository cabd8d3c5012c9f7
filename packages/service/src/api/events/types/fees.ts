import { Type } from 'typebox'
import { NullableString, OneOf } from '../../http/fields.ts'
import { defineEvent, Money } from '../define.ts'

export const feesLowBalance = defineEvent({
  type: 'fees.low_balance',
  when: 'the fee meter fell below its mark; once, until it is above again',
  to: 'owner',
  subject: 'wallet_address',
  fields: {
    wallet_address: Type.String(),
    balance: Money,
    mark: Money,
    owed: Money,
    asset: Type.String(),
    network: Type.String(),
  },
})

export const feesToppedUp = defineEvent({
  type: 'fees.topped_up',
  when: 'the fee meter was topped up; fees that were owed are paid from it first',
  to: 'owner',
  subject: 'wallet_address',
  fields: {
    wallet_address: Type.String(),
    amount: Money,
    balance: Money,
    owed: Money,
    source: OneOf(['manual', 'agreement']),
    agreement_id: NullableString(),
    asset: Type.String(),
    network: Type.String(),
  },
})

export const feesChanged = defineEvent({
  type: 'fees.changed',
  when: 'the operator set a fee; `subject` is the wallet or the tier',
  to: 'owner; operators, for a tier and the default',
  subject: 'subject',
  fields: {
    scope: OneOf(['default', 'tier', 'wallet']),
    subject: Type.String(),
    kind: OneOf(['settlement', 'payment', 'sale', 'direct_overage']),
    bps: Type.Integer(),
    flat: Money,
    effective_at: Type.String(),
  },
})
