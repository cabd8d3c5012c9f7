import { Type } from 'typebox'
import {
  CursorQuery,
  checkAfter,
  HasMore,
  NullableString,
  PAGE_DEFAULT,
} from '../../api/http/fields.ts'
import { keyRoute, type Route } from '../../api/http/route.ts'
import { toNumber } from '../../base/kernel/money.ts'
import { assetsOf, defaultAsset } from '../../chain/client/rails.ts'
import { findCard } from '../../money/cards/store.ts'
import { worthOf } from './holding.ts'
import { readHoldings } from './read.ts'
import { HoldingBody, viewHolding } from './view.ts'

/** Each page may ask the chain. */
const PER_MINUTE = 120

const list = keyRoute({
  method: 'GET',
  path: '/api/holdings',
  tag: 'Treasury',
  summary: 'Everything that you hold, here and on chain',
  description:
    'Balances that this service keeps, held money included, and what the chain shows at your address, at the accounts of your identity tokens and in vesting streams. If the chain does not answer, the answer has `chain: "unavailable"` and only the balances kept here. Empty places on chain are left out. `limit` counts cards: ask again with `next_after` until it is null.',
  scope: 'treasury:read',
  perMinute: PER_MINUTE,
  query: Type.Object(CursorQuery, { additionalProperties: false }),
  response: Type.Object({
    holdings: Type.Array(HoldingBody, { description: 'One entry for each token at each place' }),
    total_value_usdc: Type.Number({
      description: 'Sum of the values in this answer, in USDC; what has no price is not in it',
    }),
    has_more: HasMore,
    next_after: NullableString('The `after` of the next page; null if there is none'),
    chain: Type.Optional(
      Type.Unsafe<'unavailable'>({
        type: 'string',
        enum: ['unavailable'],
        description: 'Present if the chain did not answer: what is held on chain is missing',
      }),
    ),
  }),
  attack: 'chain',
  costs: { statements: 1_000, rpc: 100 },
  errors: ['invalid_field'],
  handle: async ({ query, caller, services }) => {
    const { chain, db } = services
    const { walletAddress: wallet, cardIds } = caller
    await checkAfter(query.after, async (id) => {
      const card = await findCard(db.reader, id)
      return card?.walletAddress === wallet && (cardIds === null || cardIds.includes(id))
    })
    const { after, limit = PAGE_DEFAULT } = query
    const { holdings, nextAfter, isChainUnavailable } = await readHoldings(services, {
      wallet,
      cardIds,
      after,
      limit,
    })
    const usdc = defaultAsset(chain)
    const total = holdings.reduce((sum, holding) => sum + (worthOf(holding, usdc) ?? 0n), 0n)
    const assets = { usdc, kept: assetsOf(chain) }
    return {
      holdings: holdings.map((holding) => viewHolding(holding, assets)),
      total_value_usdc: toNumber(total, usdc.decimals),
      has_more: nextAfter !== undefined,
      next_after: nextAfter ?? null,
      ...(isChainUnavailable ? { chain: 'unavailable' as const } : {}),
    }
  },
})

export const holdingRoutes: Route[] = [list]
