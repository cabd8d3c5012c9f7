import { assert } from '../../base/kernel/assert.ts'
import { type Address, type Asset, NOBODY } from '../../base/kernel/assets.ts'
import { Problem } from '../../base/kernel/problem.ts'
import type { Chain, Rail } from './chain.ts'
import { SAFE_LEVELS } from './credit-level.ts'
import { perChain } from './per-chain.ts'

/** The part of the chain that says which assets there are. */
export type Assets = Pick<Chain, 'assets' | 'serviceToken'>

const otherRails = perChain((): { rails?: readonly Rail[] } => ({}))

/**
 * The chain once for each asset that balances are kept in, the default one first. Amounts of another asset are no dollars, so
 * every one of them waits for a safe block.
 */
export function railsOf(chain: Chain): readonly [Rail, ...Rail[]] {
  const [asset, ...others] = assetsOf(chain)
  assert(isRailOf(chain, asset), 'the rails are those of the chain, not of one of them')
  const cache = otherRails(chain)
  cache.rails ??= others.map((other) => ({ ...chain, asset: other, creditLevels: SAFE_LEVELS }))
  return [chain, ...cache.rails]
}

/** The chain is opened as the rail of its default asset. */
const isRailOf = (chain: Chain, asset: Asset): chain is Rail =>
  'asset' in chain && chain.asset === asset

/** The rail of the default asset, USDC. */
export const defaultRail = (chain: Chain): Rail => railOf(chain, undefined)

/** The rail of the asset with this symbol, the default one without a symbol. Throws `invalid_asset`. */
export function railOf(chain: Chain, symbol: string | undefined): Rail {
  const rails = railsOf(chain)
  const rail = symbol === undefined ? rails[0] : rails.find(({ asset }) => asset.symbol === symbol)
  return rail ?? unknownAsset(chain)
}

/** The rail of the asset at this address, which must be one of ours. */
export function railAt(chain: Chain, contract: Address): Rail {
  const rail = railsOf(chain).find(({ asset }) => asset.contract === contract)
  assert(rail, `${contract} is an asset of this service`)
  return rail
}

/** Whether this is the rail of the service token, which arrives at the treasury alone. */
export const isTokenRail = ({ asset, serviceToken }: Rail): boolean =>
  asset.contract === serviceToken?.contract

/** The assets that balances are kept in, USDC first. */
export const assetsOf = ({ assets, serviceToken }: Assets): [Asset, ...Asset[]] =>
  serviceToken ? [...assets, serviceToken] : [...assets]

/** As `assetsOf`, their symbols. */
export const symbolsOf = (chain: Assets): string[] => assetsOf(chain).map(({ symbol }) => symbol)

/** The asset of what names none. */
export const defaultAsset = ({ assets: [asset] }: Pick<Chain, 'assets'>): Asset => asset

/** The asset with this symbol that a card or link is made in, the default one without a symbol. Throws `invalid_asset`. */
export function assetNamed({ assets }: Pick<Chain, 'assets'>, symbol: string | undefined): Asset {
  const asset = symbol === undefined ? assets[0] : assets.find((one) => one.symbol === symbol)
  if (asset) return asset
  throw new Problem(
    'invalid_asset',
    `The asset here is ${assets.map((one) => one.symbol).join(' or ')}; leave asset out or send that.`,
    { param: 'asset' },
  )
}

/** The asset that a row is in. Throws `invalid_asset` for a token that was taken off the configuration. */
export const assetOf = (chain: Assets, { asset: symbol }: { asset: string }): Asset =>
  assetsOf(chain).find((asset) => asset.symbol === symbol) ?? unknownAsset(chain)

/**
 * As `assetOf`, for amounts that are only shown. A token that was taken off the configuration has no decimals here any more, so
 * its amounts are shown in base units.
 */
export const shownAsset = (chain: Assets, { asset: symbol }: { asset: string }): Asset =>
  assetsOf(chain).find((asset) => asset.symbol === symbol) ?? {
    ...defaultAsset(chain),
    symbol,
    decimals: 0,
    contract: NOBODY,
  }

/** The asset at this address, if cards and links may be in it. */
export const assetAt = ({ assets }: Pick<Chain, 'assets'>, contract: Address): Asset | undefined =>
  assets.find((asset) => asset.contract === contract)

function unknownAsset(chain: Assets): never {
  throw new Problem(
    'invalid_asset',
    `The asset must be one of ${symbolsOf(chain).join(', ')}; leave it out for ${defaultAsset(chain).symbol}.`,
    { param: 'asset' },
  )
}
