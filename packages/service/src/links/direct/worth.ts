import type { Asset } from '../../base/kernel/assets.ts'
import { amount } from '../../base/kernel/money.ts'
import type { Worth } from '../../members/meter/terms.ts'
import { leastOf } from '../link/link.ts'
import type { PayLink } from '../link/store.ts'

/**
 * The worth of a payment of a DIRECT link to the seller's meter, which is in `asset`. If the link is in another token, only the
 * seller can say what is worth something: by the link's amount, or by its least.
 */
export function worthOf({ asset, link }: { asset: Asset; link: PayLink }, value: bigint): Worth {
  if (link.token === asset.contract) return amount(value)
  const least = leastOf(link)
  return least !== null && value >= least ? 'named' : 'unknown'
}
