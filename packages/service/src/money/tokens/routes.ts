import { Type } from 'typebox'
import {
  AddressField,
  CursorQuery,
  checkAfter,
  checkNetwork,
  HasMore,
  idParam,
  NetworkField,
  PAGE_DEFAULT,
  pageOf,
  Success,
} from '../../api/http/fields.ts'
import { keyRoute, type Route } from '../../api/http/route.ts'
import { isReservedAddress } from '../../base/kernel/address.ts'
import { notFound, Problem } from '../../base/kernel/problem.ts'
import { normalAddress } from '../../chain/client/reads.ts'
import { inspectToken, registerToken, unregisterToken } from './register.ts'
import { countTokens, findActiveToken, findToken, listTokens } from './store.ts'
import { TokenBody, viewToken } from './view.ts'

const TAG = 'Tokens'
const TOKENS_MAX = 100
/** Each registration makes some fifty RPC calls, and a wallet needs no money for it. */
const REGISTRATIONS_PER_MINUTE = 30

const register = keyRoute({
  method: 'POST',
  path: '/api/tokens',
  tag: TAG,
  summary: 'Register a token that you want to be paid in',
  description:
    'Reads it from the chain and simulates a transfer of it; one that fails, or takes a fee, is refused. The x402 facilitator then settles payments in it by Permit2. To register it again reads it again.',
  scope: 'facilitator:write',
  perMinute: REGISTRATIONS_PER_MINUTE,
  body: Type.Object(
    { network: NetworkField, address: AddressField },
    { additionalProperties: false },
  ),
  response: Type.Object({ token: TokenBody }),
  attack: { capped: '100 tokens a wallet' },
  costs: { statements: 300, rows: 1, rpc: 1_800 },
  errors: [
    'invalid_network',
    'invalid_address',
    'invalid_asset',
    'invalid_state',
    'token_unreadable',
    'token_not_transferable',
    'token_takes_fee',
    'chain_unavailable',
  ],
  handle: async ({ body, caller, at, services, write }) => {
    const { settings, chain, db } = services
    checkNetwork(settings, body)
    const { walletAddress } = caller
    const address = normalAddress(body.address, 'address')
    if (isReservedAddress(address))
      throw new Problem(
        'invalid_address',
        'The chain reserves this address: no token can be there.',
        {
          param: 'address',
        },
      )
    const registered = { network: chain.network, address, walletAddress }
    const isNew = (await findActiveToken(db.reader, registered)) === undefined
    if (isNew && (await countTokens(db.reader, walletAddress)) >= TOKENS_MAX)
      throw new Problem(
        'invalid_state',
        `A wallet has ${TOKENS_MAX} tokens at most. Remove one that you no longer take.`,
      )
    const token = await inspectToken(services, at, { walletAddress, address })
    return write(async (tx) => ({ token: viewToken(await registerToken(tx, at, token)) }))
  },
})

const list = keyRoute({
  method: 'GET',
  path: '/api/tokens',
  tag: TAG,
  summary: 'Tokens that you have registered, newest first',
  description: 'The facilitator settles in these for you, beside USDC.',
  scope: 'facilitator:read',
  query: Type.Object(CursorQuery, { additionalProperties: false }),
  response: Type.Object({
    tokens: Type.Array(TokenBody, { description: 'The tokens, newest first' }),
    has_more: HasMore,
  }),
  attack: 'none',
  costs: { statements: 300 },
  errors: [],
  handle: async ({ query, caller, services }) => {
    const limit = query.limit ?? PAGE_DEFAULT
    const page = { after: query.after, limit }
    await checkAfter(query.after, async (id) => {
      const last = await findToken(services.db.reader, id)
      return last?.walletAddress === caller.walletAddress
    })
    const found = await listTokens(services.db.reader, caller.walletAddress, page)
    const { rows, hasMore } = pageOf(found, limit)
    return { tokens: rows.map(viewToken), has_more: hasMore }
  },
})

const read = keyRoute({
  method: 'GET',
  path: '/api/tokens/{id}',
  tag: TAG,
  summary: 'One token that you have registered, or had',
  description: 'With what the chain tells of it and what is known against it.',
  scope: 'facilitator:read',
  params: idParam('token'),
  response: Type.Object({ token: TokenBody }),
  attack: 'none',
  costs: { statements: 300 },
  errors: ['not_found'],
  handle: async ({ params, caller, services }) => {
    const token = await findToken(services.db.reader, params.id)
    if (token?.walletAddress !== caller.walletAddress) throw notFound('token')
    return { token: viewToken(token) }
  },
})

const remove = keyRoute({
  method: 'DELETE',
  path: '/api/tokens/{id}',
  tag: TAG,
  summary: 'Take no more payments in a token',
  description: 'Payments that are on their way are brought to their end.',
  scope: 'facilitator:write',
  params: idParam('token'),
  response: Type.Object({ success: Success }),
  attack: 'none',
  costs: { statements: 600 },
  errors: ['not_found'],
  handle: ({ params, caller, at, write }) =>
    write(async (tx) => {
      const { walletAddress } = caller
      await unregisterToken(tx, at, { id: params.id, walletAddress })
      return { success: true }
    }),
})

export const tokenRoutes: Route[] = [register, list, read, remove]
