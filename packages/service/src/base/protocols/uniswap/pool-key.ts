import { type Address, encodeAbiParameters, type Hex, keccak256, parseAbiParameters } from 'viem'

/** Names a pool of Uniswap v4. */
export type PoolKey = {
  currency0: Address
  currency1: Address
  /** Hundredths of a basis point. */
  fee: number
  tickSpacing: number
  hooks: Address
}

export const NO_HOOKS: Address = '0x0000000000000000000000000000000000000000'
const KEY = parseAbiParameters('address, address, uint24, int24, address')

/** Whether the token is the first currency of a pool against this asset. */
export const isFirst = (token: Address, asset: Address): boolean => BigInt(token) < BigInt(asset)

/** The key of the pool without hooks of the token against the asset. */
export function poolKeyOf(
  token: Address,
  asset: Address,
  { fee, tickSpacing }: { fee: number; tickSpacing: number },
): PoolKey {
  const [currency0, currency1] = isFirst(token, asset) ? [token, asset] : [asset, token]
  return { currency0, currency1, fee, tickSpacing, hooks: NO_HOOKS }
}

export const poolIdOf = (key: PoolKey): Hex =>
  keccak256(
    encodeAbiParameters(KEY, [key.currency0, key.currency1, key.fee, key.tickSpacing, key.hooks]),
  )
