import type { Services } from '../../../api/http/services.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { assetsOf } from '../../../chain/client/rails.ts'
import type { House } from './state.ts'

/** The house's side of memberships on the service's chain. */
export function houseOf({ chain }: Services): House {
  const assets = assetsOf(chain)
  return {
    address: chain.treasury.address,
    assets,
    assetOf(symbol) {
      const asset = assets.find((one) => one.symbol === symbol)
      if (asset) return asset
      throw new Problem(
        'invalid_asset',
        `A membership is paid in ${assets.map((one) => one.symbol).join(' or ')}. Leave payment_asset out for ${chain.asset.symbol}.`,
        { param: 'payment_asset' },
      )
    },
  }
}
