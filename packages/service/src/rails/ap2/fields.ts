import { Type } from 'typebox'

export const strict = { additionalProperties: false }
export const CardIdField = Type.String({ maxLength: 64, description: 'Id of the card' })
export const CardTokenField = Type.String({
  maxLength: 100,
  description: 'The token of the card: it authorizes what is signed for it',
})
export const MandateField = Type.String({ maxLength: 65_536, description: 'SD-JWT' })
export const JwkIn = Type.Record(Type.String({ maxLength: 32 }), Type.Unknown(), {
  maxProperties: 16,
  description: 'EC P-256 public key (RFC 7517); one with the private member `d` is refused',
})
/** Both mean dollars of the card: cents, or the millionths that USDC has. */
export type Currency = 'USD' | 'USDC'
export const CurrencyField = Type.Unsafe<Currency>({
  type: 'string',
  enum: ['USD', 'USDC'],
  description: 'USD counts cents; USDC, our extension, millionths',
})
