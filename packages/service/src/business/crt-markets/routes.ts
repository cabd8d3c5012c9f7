import { Type } from 'typebox'
import { CursorQuery, checkAfter, HasMore, PAGE_DEFAULT, pageOf } from '../../api/http/fields.ts'
import { publicRoute, type Route } from '../../api/http/route.ts'
import type { Services } from '../../api/http/services.ts'
import { mustHaveMarkets } from './available.ts'
import { findMarketOf } from './find.ts'
import { launchRoutes } from './launch/routes.ts'
import { publicMarketRoutes } from './public/routes.ts'
import { type LiveMarket, listLiveMarkets } from './store.ts'
import { confirmVesting } from './vesting/routes.ts'
import { MarketBody, marketBody } from './view.ts'

const TAG = 'Token markets'

const list = publicRoute({
  method: 'GET',
  path: '/api/crt-markets',
  tag: TAG,
  summary: 'All live markets of credential tokens, newest first',
  description:
    "A card's owner may sell a token of the card, its credential token, on Uniswap v4. The token is no claim on the card's income. `after` is the token of the last market that you were shown.",
  query: Type.Object(CursorQuery, { additionalProperties: false }),
  response: Type.Object({
    chainId: Type.Integer({ description: 'Id of the chain' }),
    markets: Type.Array(MarketBody, { description: 'The markets, newest first' }),
    has_more: HasMore,
  }),
  attack: 'chain',
  costs: { statements: 200, rpc: 6 },
  errors: ['invalid_field', 'markets_unavailable', 'chain_unavailable'],
  inRefusals: { names: ['chainId'], of: ({ chain: { chainId } }) => ({ chainId }) },
  handle: async ({ query, services }) => {
    await mustHaveMarkets(services)
    const { chain, db } = services
    const limit = query.limit ?? PAGE_DEFAULT
    const after = await findAfter(services, query.after)
    const found = await listLiveMarkets(db.reader, chain.network, { after, limit })
    const { rows, hasMore } = pageOf(found, limit)
    return { chainId: chain.chainId, markets: rows.map(marketBody), has_more: hasMore }
  },
})

async function findAfter(
  services: Services,
  after: string | undefined,
): Promise<LiveMarket | undefined> {
  const found = after === undefined ? undefined : await findMarketOf(services, after)
  await checkAfter(after, async () => found !== undefined)
  return found
}

export const crtMarketRoutes: Route[] = [
  list,
  ...publicMarketRoutes,
  ...launchRoutes,
  confirmVesting,
]
