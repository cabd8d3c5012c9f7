import { assert } from '../../base/kernel/assert.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { Problem } from '../../base/kernel/problem.ts'
import type { Chain } from './chain.ts'
import { SAFE_LEVELS } from './credit-level.ts'
import { perChain } from './per-chain.ts'

const tokenRails = perChain((): { rail?: Chain } => ({}))

/**
 * The chain once for each asset that balances are kept in, USDC first: as `chain`, with that asset. Amounts of the service
 * token are no dollars, so every one of them waits for a safe block.
 */
export function railsOf(chain: Chain): readonly [Chain, ...Chain[]] {
  const asset = chain.serviceToken
  if (!asset) return [chain]
  assert(!isTokenRail(chain), 'the rails are those of the chain, not of one of them')
  const cache = tokenRails(chain)
  cache.rail ??= { ...chain, asset, creditLevels: SAFE_LEVELS }
  return [chain, cache.rail]
}

/** The rail of the asset with this symbol, USDC without one. Throws `invalid_asset`. */
export function railOf(chain: Chain, symbol: string | undefined): Chain {
  const rails = railsOf(chain)
  const rail = symbol === undefined ? rails[0] : rails.find(({ asset }) => asset.symbol === symbol)
  if (rail) return rail
  throw new Problem(
    'invalid_asset',
    `The asset must be one of ${rails.map(({ asset }) => asset.symbol).join(', ')}; leave it out for ${chain.asset.symbol}.`,
    { param: 'asset' },
  )
}

/** Whether this is the rail of the service token, which arrives at the treasury alone. */
export const isTokenRail = ({ asset, serviceToken }: Chain): boolean =>
  asset.contract === serviceToken?.contract

/** The assets that balances are kept in, USDC first. */
export const assetsOf = (chain: Chain): Asset[] => railsOf(chain).map(({ asset }) => asset)

/** As `assetsOf`, their symbols. */
export const symbolsOf = (chain: Chain): string[] => assetsOf(chain).map(({ symbol }) => symbol)

/**
 * The asset with this symbol, for amounts that are only shown. A token that was taken off the configuration has no decimals
 * here any more, so its amounts are shown in base units.
 */
export const shownAsset = (chain: Chain, symbol: string): Asset =>
  assetsOf(chain).find((asset) => asset.symbol === symbol) ?? {
    ...chain.asset,
    symbol,
    decimals: 0,
  }
