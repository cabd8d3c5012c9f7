import { Type } from 'typebox'
import { NullableString } from '../../../http/fields.ts'
import { defineEvent } from '../../define.ts'

export const identityUpdated = defineEvent({
  type: 'credential.identity_updated',
  when: "the state of the card's identity token changed",
  to: 'owner',
  subject: 'card_id',
  fields: {
    card_id: Type.String(),
    identity_status: Type.String(),
    identity_token: NullableString(),
    holder_address: NullableString(),
    tx_hash: NullableString(),
    attested: Type.Boolean(),
  },
})
