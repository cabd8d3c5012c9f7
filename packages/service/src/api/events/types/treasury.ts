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

const addressEvent = <const T extends string>(type: T, when: string) =>
  defineEvent({
    type: `withdrawal.address_${type}`,
    when,
    to: 'owner',
    subject: 'address_id',
    fact: 'never',
    fields: { address_id: Type.String(), address: Type.String(), usable_at: Type.String() },
  })

export const payoutAddressAdded = addressEvent(
  'added',
  'an address was added that withdrawals may go to; if it was not by you, remove it and revoke the key',
)
export const payoutAddressRemoved = addressEvent('removed', 'withdrawals go to the address no more')
