import { Type } from 'typebox'
import { CursorQuery, checkAfter, HasMore, PAGE_DEFAULT, pageOf } from '../../api/http/fields.ts'
import { publicRoute, type Route } from '../../api/http/route.ts'
import type { Reader } from '../../base/db/sql.ts'
import type { Chain } from '../../chain/client/chain.ts'
import { mustHaveMarkets } from './available.ts'
import { findMarket } from './find.ts'
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
  handle: async ({ query, read, services }) => {
    await mustHaveMarkets(services)
    const { chainId, network } = services.chain
    const limit = query.limit ?? PAGE_DEFAULT
    const found = await read(async (on) => {
      const after = await findAfter(on, network, query.after)
      return listLiveMarkets(on, network, { after, limit })
    })
    const { rows, hasMore } = pageOf(found, limit)
    return { chainId, markets: rows.map(marketBody), has_more: hasMore }
  },
})

async function findAfter(
  on: Reader,
  network: Chain['network'],
  after: string | undefined,
): Promise<LiveMarket | undefined> {
  const found = after === undefined ? undefined : await findMarket(on, { network, text: after })
  await checkAfter(after, async () => found !== undefined)
  return found
}

export const crtMarketRoutes: Route[] = [
  list,
  ...publicMarketRoutes,
  ...launchRoutes,
  confirmVesting,
]
