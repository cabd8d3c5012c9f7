import { Type } from 'typebox'
import { defineEvent } from '../../define.ts'

export const marketListed = defineEvent({
  type: 'market.listed',
  when: 'a credential token is for sale: its pool was confirmed',
  to: 'owner',
  subject: 'card_id',
  fact: 'always',
  fields: {
    card_id: Type.String(),
    token: Type.String(),
    symbol: Type.String(),
    pool_id: Type.String(),
    deploy_tx: Type.String(),
    list_tx: Type.String(),
    supply: Type.Number({ description: 'Whole tokens' }),
  },
})

export const marketVested = defineEvent({
  type: 'market.vested',
  when: "the creator's kept part of a credential token is locked",
  to: 'owner',
  subject: 'card_id',
  fact: 'always',
  fields: {
    card_id: Type.String(),
    token: Type.String(),
    vesting_tx: Type.String(),
    stream_id: Type.String(),
    stream_url: Type.String(),
    keep_bps: Type.Integer(),
  },
})
