import { Type } from 'typebox'
import { AddressField, OneOf } from '../../../api/http/fields.ts'
import { publicRoute, type Route } from '../../../api/http/route.ts'
import type { Services } from '../../../api/http/services.ts'
import { formatAmount, toNumber } from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { findMarketOf } from '../find.ts'
import { moneyOf } from '../money.ts'
import type { LiveMarket } from '../store.ts'
import { TOKEN_DECIMALS } from '../view.ts'
import { DetailBody, INTERVALS, readDetail } from './detail.ts'
import { quote, SIDES } from './quote.ts'

const TAG = 'Token markets'
const TokenParam = Type.Object({
  token: Type.String({ maxLength: 64, description: 'Contract of the credential token' }),
})

/** The live market of a token. Throws `not_found` for anything else. */
async function mustFindMarket(services: Services, text: string): Promise<LiveMarket> {
  const market = await findMarketOf(services, text)
  if (market) return market
  throw new Problem('not_found', 'No live market has this token. Check its address.')
}

const detail = publicRoute({
  method: 'GET',
  path: '/api/crt-markets/{token}',
  tag: TAG,
  summary: 'Price, liquidity and history of a token',
  description:
    'The spot price is of the newest block, and one swap can move it; the average is weighted by time, and is what holdings are valued at. Also tells who may take the liquidity away.',
  params: TokenParam,
  query: Type.Object(
    { interval: Type.Optional(OneOf(INTERVALS, 'Length of a candle; 1h without it')) },
    { additionalProperties: false },
  ),
  response: DetailBody,
  attack: 'chain',
  costs: { statements: 0, rpc: 120 },
  errors: ['not_found', 'rate_limited', 'markets_unavailable', 'chain_unavailable'],
  handle: async ({ params, query, client, at, services }) => {
    const market = await mustFindMarket(services, params.token)
    return readDetail(services, at, { client, market, interval: query.interval ?? '1h' })
  },
})

const readQuote = publicRoute({
  method: 'GET',
  path: '/api/crt-markets/{token}/quote',
  tag: TAG,
  summary: 'The exact outcome of a swap, if it were made now',
  description:
    "By Uniswap's own quoter, with the fee taken: a swap in the same state of the pool gives this to the base unit. It is no offer: others may swap before you.",
  params: TokenParam,
  query: Type.Object(
    {
      side: OneOf(SIDES, 'buy: USDC for tokens; sell: tokens for USDC'),
      amount: Type.String({
        maxLength: 80,
        description: 'What you put in: whole USDC if you buy, whole tokens if you sell',
      }),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    token: AddressField,
    side: OneOf(SIDES, 'As asked'),
    amount_in: Type.Number({ description: 'What goes in, in whole units' }),
    amount_in_atomic: Type.String({ description: 'The same in base units, exact' }),
    amount_out: Type.Number({ description: 'What comes out, in whole units' }),
    amount_out_atomic: Type.String({ description: 'The same in base units, exact' }),
    price: Type.Number({ description: 'USDC a token, all in all' }),
  }),
  attack: 'chain',
  costs: { statements: 200, rpc: 120 },
  errors: [
    'not_found',
    'invalid_amount',
    'quote_unavailable',
    'rate_limited',
    'markets_unavailable',
    'chain_unavailable',
  ],
  handle: async ({ params, query, client, at, services }) => {
    const market = await mustFindMarket(services, params.token)
    const { side } = query
    const swap = await quote(services, at, { client, market, side, amount: query.amount })
    const { decimals } = moneyOf(services.chain)
    const [into, from] = side === 'buy' ? [decimals, TOKEN_DECIMALS] : [TOKEN_DECIMALS, decimals]
    const [usdc, tokens] = side === 'buy' ? [swap.in, swap.out] : [swap.out, swap.in]
    return {
      token: market.token,
      side,
      amount_in: toNumber(swap.in, into),
      amount_in_atomic: String(swap.in),
      amount_out: toNumber(swap.out, from),
      amount_out_atomic: String(swap.out),
      price: Number(formatAmount((usdc * 10n ** 30n) / tokens, TOKEN_DECIMALS)),
    }
  },
})

export const publicMarketRoutes: Route[] = [detail, readQuote]
