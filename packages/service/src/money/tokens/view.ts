import { type Static, Type } from 'typebox'
import { AddressField, iso, NetworkField, Timestamp } from '../../api/http/fields.ts'
import { type Finding, SAFETY_QUESTIONS, type Safety } from './safety.ts'
import type { RegisteredToken } from './store.ts'

const FindingBody = Type.Object({
  finding: Type.Unsafe<Finding['finding']>({
    type: 'string',
    enum: ['yes', 'no', 'not_found'],
    description: 'not_found: nothing that is known for it, which does not exclude it',
  }),
  found_by: Type.String({ description: 'How it was found out' }),
})

const SafetyBody = Type.Unsafe<Safety>({
  type: 'object',
  description:
    'The risks of the token for its holders, and the features that it supports. A token that takes a fee on transfers is not registered',
  properties: Object.fromEntries(SAFETY_QUESTIONS.map((question) => [question, FindingBody])),
  required: [...SAFETY_QUESTIONS],
})

export const TokenBody = Type.Object({
  id: Type.String({ description: 'Id of the token' }),
  network: NetworkField,
  address: AddressField,
  symbol: Type.String({ description: "The token's own word: anybody can name a token anything" }),
  name: Type.String({ description: "The token's own words" }),
  decimals: Type.Integer({ description: 'Decimals of the token' }),
  type: Type.Unsafe<RegisteredToken['type']>({
    type: 'string',
    enum: ['ERC20', 'B20'],
    description: 'Kind of token',
  }),
  status: Type.Unsafe<RegisteredToken['status']>({
    type: 'string',
    enum: ['ACTIVE', 'REMOVED'],
    description: 'State of the token',
  }),
  safety: SafetyBody,
  created_at: Timestamp,
  checked_at: Timestamp,
})

export const viewToken = (token: RegisteredToken): Static<typeof TokenBody> => ({
  id: token.id,
  network: token.network,
  address: token.address,
  symbol: token.symbol,
  name: token.name,
  decimals: token.decimals,
  type: token.type,
  status: token.status,
  safety: token.safety,
  created_at: iso(token.createdAt),
  checked_at: iso(token.checkedAt),
})
