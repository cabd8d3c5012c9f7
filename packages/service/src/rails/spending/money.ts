import type { Asset } from '../../base/kernel/assets.ts'
import type { Chain } from '../../chain/client/chain.ts'
import { defaultAsset } from '../../chain/client/rails.ts'

/** The asset that URLs are paid in, by cards that hold it: what sellers of the web ask for. */
export const spentAsset = (chain: Pick<Chain, 'assets'>): Asset => defaultAsset(chain)
