import type { Asset } from '../../base/kernel/assets.ts'
import type { Chain, Rail } from '../../chain/client/chain.ts'
import { defaultAsset, defaultRail } from '../../chain/client/rails.ts'

/** The asset that cards are sold for: one, since a sale on chain takes the asset that its market was deployed with. */
export const priceAsset = (chain: Pick<Chain, 'assets'>): Asset => defaultAsset(chain)
/** The asset with its contract on chain. */
export const priceRail = (chain: Chain): Rail => defaultRail(chain)
