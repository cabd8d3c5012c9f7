import type { Asset } from '../../base/kernel/assets.ts'
import type { Chain } from '../../chain/client/chain.ts'
import { defaultAsset } from '../../chain/client/rails.ts'

/** The asset that cards are sold for: one, since a sale on chain takes the asset that its market was deployed with. */
export const priceAsset = (chain: Pick<Chain, 'assets'>): Asset => defaultAsset(chain)
