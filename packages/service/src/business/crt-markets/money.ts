import type { Asset } from '../../base/kernel/assets.ts'
import type { Chain } from '../../chain/client/chain.ts'
import { defaultAsset } from '../../chain/client/rails.ts'

/** The asset that pools sell credential tokens for: one for all markets, since the sign of a price depends on its address. */
export const moneyOf = (chain: Pick<Chain, 'assets'>): Asset => defaultAsset(chain)
