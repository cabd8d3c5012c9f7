import { Type } from 'typebox'
import { NullableString } from '../../http/fields.ts'
import { defineEvent } from '../define.ts'

const keyEvent = <const T extends string>(type: T, when: string) =>
  defineEvent({
    type: `key.${type}`,
    when,
    to: 'owner',
    subject: 'key_hash',
    fields: {
      key_hash: Type.String(),
      key_hint: Type.String(),
      name: NullableString(),
      scopes: Type.Union([Type.Array(Type.String()), Type.Null()]),
    },
  })

export const keyCreated = keyEvent('created', 'an API key was made')
export const keyRevoked = keyEvent('revoked', 'an API key was revoked')

const tokenEvent = <const T extends string>(type: T, when: string) =>
  defineEvent({
    type: `token.${type}`,
    when,
    to: 'owner',
    subject: 'token_id',
    fields: {
      token_id: Type.String(),
      network: Type.String(),
      address: Type.String(),
      symbol: Type.String(),
      name: Type.String(),
      type: Type.String(),
      decimals: Type.Integer(),
    },
  })

export const tokenRegistered = tokenEvent('registered', 'a token was registered')
export const tokenRemoved = tokenEvent('removed', 'a registration was removed')
