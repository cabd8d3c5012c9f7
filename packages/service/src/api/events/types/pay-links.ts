import { Type } from 'typebox'
import { defineEvent, MoneyOrNull } from '../define.ts'

const OF_LINK = {
  to: 'seller',
  subject: 'pay_link_id',
  fields: {
    pay_link_id: Type.String(),
    pay_link_code: Type.String(),
    card_id: Type.String(),
    status: Type.String(),
    memo: Type.String(),
    amount: MoneyOrNull,
    asset: Type.String(),
  },
} as const
const linkEvent = <const T extends string>(type: T, when: string) =>
  defineEvent({ type: `paylink.${type}`, when, ...OF_LINK })

export const payLinkCreated = linkEvent('created', 'a pay link was made')
export const payLinkCompleted = defineEvent({
  type: 'paylink.completed',
  when: 'the last use of the link was paid',
  ...OF_LINK,
  // A transfer to the link paid its last use.
  fact: 'sometimes',
})
export const payLinkExpired = linkEvent('expired', "the link's time was up")
export const payLinkCancelled = linkEvent('cancelled', 'the seller cancelled the link')
