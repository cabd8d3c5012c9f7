import { Type } from 'typebox'
import { NullableString } from '../../http/fields.ts'
import { defineEvent, type FactRule, Money } from '../define.ts'

export const fundingConfirmed = defineEvent({
  type: 'funding.confirmed',
  when: 'a deposit was credited',
  to: 'owner',
  subject: 'deposit_id',
  fact: 'always',
  fields: {
    deposit_id: Type.String(),
    asset: Type.String(),
    network: Type.String(),
    tx_hash: Type.String(),
    amount: Money,
  },
})

const withdrawalEvent = <const T extends string, const R extends FactRule>(
  type: T,
  when: string,
  fact: R,
) =>
  defineEvent({
    type: `withdrawal.${type}`,
    when,
    to: 'owner',
    subject: 'withdrawal_id',
    fact,
    fields: {
      withdrawal_id: Type.String(),
      status: Type.String(),
      amount: Money,
      fee_amount: Money,
      net_amount: Money,
      asset: Type.String(),
      network: Type.String(),
      to_address: Type.String(),
      tx_hash: NullableString(),
      reason: NullableString(),
    },
  })

export const withdrawalProcessing = withdrawalEvent('processing', 'a withdrawal began', 'never')
export const withdrawalCompleted = withdrawalEvent('completed', 'its payout is final', 'always')
export const withdrawalFailed = withdrawalEvent('failed', 'it failed; the money is back', 'always')
