import { amount } from '../../base/kernel/money.ts'
import type { Chain } from '../../chain/client/chain.ts'
import type { Worth } from '../../members/meter/terms.ts'
import { assetOf, leastOf } from '../link/link.ts'
import type { PayLink } from '../link/store.ts'

/**
 * The worth of a payment of a DIRECT link. In another token than ours only the seller can say what is worth something: by the
 * link's amount, or by its least.
 */
export function worthOf(
  { chain, link }: { chain: Pick<Chain, 'asset'>; link: PayLink },
  value: bigint,
): Worth {
  if (assetOf(chain, link) === chain.asset) return amount(value)
  const least = leastOf(link)
  return least !== null && value >= least ? 'named' : 'unknown'
}
