import type { Uses } from '../../../api/http/services.ts'
import { formatAmount, parsePositiveAmount } from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { poolKeyOf } from '../../../base/protocols/uniswap/pool-key.ts'
import { readQuote } from '../../../chain/client/markets/pool.ts'
import { mustHaveMarkets } from '../available.ts'
import { moneyOf } from '../money.ts'
import { type LiveMarket, TOKEN_UNIT } from '../store.ts'
import { TOKEN_DECIMALS } from '../view.ts'
import { askRarely } from './ration.ts'

export const SIDES = ['buy', 'sell'] as const
export type Side = (typeof SIDES)[number]
/** Base units that go in and come out. */
export type Quote = { in: bigint; out: bigint }

/** Within a block the quote stays the same. */
const KEPT_MS = 1_000

/** The exact outcome of a swap in the newest block: for USDC if you buy, for tokens if you sell. Throws `quote_unavailable`. */
export async function quote(
  services: Uses<'chain' | 'settings'>,
  at: Date,
  of: { client: string; market: LiveMarket; side: Side; amount: string },
): Promise<Quote> {
  const { chain } = services
  const { market, side } = of
  const decimals = side === 'buy' ? moneyOf(chain).decimals : TOKEN_DECIMALS
  const amount = parsePositiveAmount(of.amount, decimals)
  if (side === 'sell' && amount > market.supply * TOKEN_UNIT)
    throw new Problem(
      'invalid_amount',
      `amount is more than the ${formatAmount(market.supply, 0)} tokens that there are.`,
      { param: 'amount' },
    )
  const out = await askRarely(services, at, {
    client: of.client,
    key: `quote:${market.token}:${side}:${amount}`,
    keptMs: KEPT_MS,
    ask: async () => {
      const v4 = await mustHaveMarkets(services)
      const { contract: money } = moneyOf(chain)
      const key = poolKeyOf(market.token, money, market)
      const paid = side === 'buy' ? money : market.token
      return readQuote(chain, v4, { key, isFirstIn: key.currency0 === paid, amount })
    },
  })
  if (out === undefined || out === 0n)
    throw new Problem(
      'quote_unavailable',
      'The pool has too little for a swap of this amount. Ask for less.',
    )
  return { in: amount, out }
}
