import { Type } from 'typebox'
import { NullableString } from '../../http/fields.ts'
import { defineEvent, type Fields, Money, Way } from '../define.ts'

const cardEvent = <const T extends string, F extends Fields>(type: T, when: string, fields: F) =>
  defineEvent({
    type: `card.${type}`,
    when,
    to: 'owner',
    subject: 'card_id',
    fields: { card_id: Type.String(), ...fields },
  })

export const cardIssued = cardEvent('issued', 'a card was issued', {
  purpose: Type.String(),
  status: Type.String(),
  parent_card_id: NullableString(),
  limit_amount: Money,
})
export const cardActivated = cardEvent('activated', "the card's funding was confirmed", {
  tx_hash: Type.String(),
})
export const cardFundingFailed = cardEvent('funding_failed', "the card's funding failed", {
  reason: Type.String(),
})
export const cardFunded = cardEvent('funded', 'a card was topped up', {
  added: Money,
  new_limit: Money,
})

const state = { reason: NullableString() }
export const cardFrozen = cardEvent('frozen', 'the card was frozen', state)
export const cardUnfrozen = cardEvent('unfrozen', 'the card was unfrozen', state)
export const cardExpired = cardEvent('expired', "the card's time was up", state)

export const cardClosed = cardEvent('closed', 'the card was cancelled', { returned: Money })
export const cardClaimed = cardEvent('claimed', 'money was claimed back from the card', {
  claimed: Money,
})
/** The subject is the wallet's address, or the hash of the key whose cards are meant. */
export const limitsUpdated = defineEvent({
  type: 'limits.updated',
  when: 'the limits over all cards, or over those of a key, changed',
  to: 'owner',
  subject: 'subject',
  fields: { subject: Type.String(), changed: Type.Array(Type.String()) },
})
/** `changed` names the controls as the API does, or `token`. */
export const cardUpdated = cardEvent('updated', 'controls or token of the card changed', {
  changed: Type.Array(Type.String()),
})
export const cardDeclined = cardEvent('declined', "the card's policy refused a payment", {
  code: Type.String(),
  merchant: Type.String(),
  ...Way,
  amount: Money,
})
