import { Type } from 'typebox'
import { NullableString, OneOf } from '../../http/fields.ts'
import { defineEvent } from '../define.ts'

/** A field that the mandate lacks is null. */
export const mandateIssued = defineEvent({
  type: 'mandate.issued',
  when: 'the service signed a mandate',
  to: 'card owner',
  subject: 'mandate_id',
  fields: {
    mandate_id: Type.String(),
    card_id: Type.String(),
    kind: OneOf(['open', 'closed']),
    currency: Type.String(),
    expires_at: NullableString(),
    agent_kid: NullableString(),
    payee: NullableString(),
    minor_units: Type.Union([Type.Integer(), Type.Null()]),
    open_id: NullableString(),
    reference: NullableString(),
    mandate_sd_hash: NullableString(),
  },
})

export const mandateRevoked = defineEvent({
  type: 'mandate.revoked',
  when: 'an open mandate was revoked',
  to: 'card owners',
  subject: 'mandate_id',
  fields: { mandate_id: Type.String(), open_id: Type.String(), card_id: NullableString() },
})

export const mandateReceipt = defineEvent({
  type: 'mandate.receipt',
  when: "a seller's receipt was accepted",
  to: 'card owner',
  subject: 'mandate_id',
  fields: {
    mandate_id: Type.String(),
    reference: Type.String(),
    status: Type.String(),
    iss: NullableString(),
    signature: OneOf(['verified', 'unverified']),
    receipt: Type.String(),
  },
})
