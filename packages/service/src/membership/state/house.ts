import type { Services } from '../../http/services.ts'
import { Problem } from '../../kernel/problem.ts'
import type { House } from './state.ts'

/** The house's side of memberships on the service's chain. */
export const houseOf = ({ chain }: Services): House => ({
  address: chain.treasury.address,
  assetOf(symbol) {
    if (symbol === chain.asset.symbol) return chain.asset
    throw new Problem(
      'invalid_asset',
      `A membership is paid in ${chain.asset.symbol}. Leave payment_asset out or send that.`,
      { param: 'payment_asset' },
    )
  },
})
