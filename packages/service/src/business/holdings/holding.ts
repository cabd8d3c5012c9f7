import type { Address, Asset, Network } from '../../base/kernel/assets.ts'

export const PLACES = ['treasury', 'card', 'fee_meter', 'wallet', 'holder', 'vesting'] as const
export type Place = (typeof PLACES)[number]

/** A token that can be held. Its symbol is its own word: anybody can name a token anything. */
export type HeldToken = {
  network: Network
  symbol: string
  decimals: number
  contract: Address
  /** Undefined for a token that we know no value of. */
  price?: Price
}

/** `par`: a dollar each. `pool_twap`: the price in its pool, averaged over time. */
export type Price = {
  source: 'par' | 'pool_twap'
  /** USDC a whole token, times 1e18. */
  usdc: bigint
  /** When the price was read; null for one that does not change. */
  at: Date | null
}

/** An amount of one token at one place. */
export type Holding = {
  token: HeldToken
  where: Place
  /** The name of the place: the wallet, the card, the holder account, or the stream. */
  ref: string
  /** Base units; undefined if the token's contract does not answer. */
  amount: bigint | undefined
}

/** How a token that is not kept here is priced: by its pool, if it has one. */
export const pooled = ({ price, at }: { price: bigint; at: Date }): Price => ({
  source: 'pool_twap',
  usdc: price,
  at,
})

const ONE = 10n ** 18n
const PAR: Price = { source: 'par', usdc: ONE, at: null }

/** An asset of the ledger. USDC alone is worth a dollar. */
export const heldAsset = (asset: Asset, usdc: Asset): HeldToken => ({
  network: asset.network,
  symbol: asset.symbol,
  decimals: asset.decimals,
  contract: asset.contract,
  ...(asset === usdc ? { price: PAR } : {}),
})

/** The value in base units of USDC, rounded down; undefined if the amount or the price is not known. */
export function worthOf({ amount, token }: Holding, usdc: Asset): bigint | undefined {
  if (amount === undefined || !token.price) return undefined
  const scaled = amount * token.price.usdc * 10n ** BigInt(usdc.decimals)
  return scaled / (ONE * 10n ** BigInt(token.decimals))
}
