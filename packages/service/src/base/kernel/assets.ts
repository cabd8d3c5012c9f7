/** A checksummed EVM address. */
export type Address = `0x${string}`
export type Hex = `0x${string}`
/** The zero address: an owner, buyer or receiver that is nobody. */
export const NOBODY: Address = '0x0000000000000000000000000000000000000000'
/** A CAIP-2 chain id, e.g. `eip155:8453`. */
export type Network = `eip155:${number}`

/** A token that the ledger can hold. The EIP-712 name and version are our constants, never taken from a peer. */
export type Asset = {
  readonly network: Network
  readonly chainId: number
  readonly symbol: string
  readonly decimals: number
  readonly contract: Address
  readonly eip712: { readonly name: string; readonly version: string }
  /** The ISO 4217 code of the money that it stands for, in which AP2 mandates count it. None for a token of its own worth. */
  readonly currency?: string
}

/** Whether the asset is worth money. */
export const isMainnet = ({ chainId }: Asset): boolean => chainId === 8453

/** USDC has another EIP-712 name on each chain. The version is 2 on both. */
export const USDC: Readonly<Record<number, Asset>> = {
  8453: {
    network: 'eip155:8453',
    chainId: 8453,
    symbol: 'USDC',
    decimals: 6,
    contract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    eip712: { name: 'USD Coin', version: '2' },
    currency: 'USD',
  },
  84532: {
    network: 'eip155:84532',
    chainId: 84532,
    symbol: 'USDC',
    decimals: 6,
    contract: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    eip712: { name: 'USDC', version: '2' },
    currency: 'USD',
  },
}

/** Further assets that cards and links may be in, by chain id: none so far. Each has EIP-3009. */
export const BESIDES_USDC: Readonly<Record<number, readonly Asset[]>> = {}
