import { type TSchema, Type } from 'typebox'
import { NullableString } from '../../../http/fields.ts'
import { defineEvent, Money, MoneyOrNull } from '../../define.ts'

/** The fields of every event of a listing. */
const listing = {
  listing_id: Type.String(),
  card_id: Type.String(),
  seller: Type.String(),
  price: Money,
  currency: Type.String(),
  status: Type.String(),
}

const listingEvent = <const T extends string, F extends Record<string, TSchema>>(
  type: T,
  said: { when: string; to: string; fields: F },
) =>
  defineEvent({
    type: `listing.${type}`,
    when: said.when,
    to: said.to,
    subject: 'listing_id',
    fields: { ...listing, ...said.fields },
  })

export const listingCreated = listingEvent('created', {
  when: 'a card was listed for sale',
  to: 'seller',
  fields: { reason: NullableString() },
})
export const listingCancelled = listingEvent('cancelled', {
  when: 'a listing ended without a sale',
  to: 'seller',
  fields: { reason: NullableString() },
})
/** In the buyer's copy `fee` and `net_amount` are null: they are the seller's business. */
export const listingSold = defineEvent({
  type: 'listing.sold',
  when: 'a listed card was sold',
  to: 'seller, buyer',
  subject: 'listing_id',
  // A sale on the chain.
  fact: 'sometimes',
  fields: {
    ...listing,
    buyer: Type.String(),
    fee: MoneyOrNull,
    net_amount: MoneyOrNull,
    settled_tx: NullableString(),
    changed: Type.Array(Type.String(), {
      description:
        'The parts of the version that changed after the payment and before the hand-over, such as an agreement that its payer ended',
    }),
  },
})
export const credentialTransferred = defineEvent({
  type: 'credential.transferred',
  when: 'a card changed its owner, by a sale or a transfer',
  to: 'both owners',
  subject: 'card_id',
  // A sale on the chain.
  fact: 'sometimes',
  fields: {
    card_id: Type.String(),
    from_wallet: Type.String(),
    to_wallet: Type.String(),
    listing_id: NullableString(),
    price: MoneyOrNull,
  },
})
