import type { Chain } from '../chain/chain.ts'
import { MULTICALL3 } from '../chain/multicall.ts'
import { IDENTITY_REGISTRIES } from '../chain/public/contracts.ts'
import { assetsOf } from '../chain/rails.ts'
import type { Services } from '../http/services.ts'
import type { Address } from '../kernel/assets.ts'
import { PERMIT2 } from '../protocols/evm/permit2/abi.ts'
import { listKnownTokens } from '../tokens/store.ts'

export type KnownToken = { address: Address; symbol: string; decimals: number }

/** As many as one call of the chain reads. */
const TOKENS_MAX = 100

/** The tokens that balances are kept in, then those that wallets have registered. */
export async function readKnownTokens({ chain, db }: Services): Promise<KnownToken[]> {
  const kept = assetsOf(chain).map(({ contract, symbol, decimals }) => ({
    address: contract,
    symbol,
    decimals,
  }))
  const of = { network: chain.network, limit: TOKENS_MAX }
  const registered = await listKnownTokens(db.reader, of)
  const isKept = (address: Address) => kept.some((token) => token.address === address)
  return [...kept, ...registered.filter(({ address }) => !isKept(address))]
}

/** The name that the service has for an address; undefined for a stranger. */
export function nameOf(chain: Chain, address: string): string | undefined {
  const names: [string | undefined, string][] = [
    [chain.treasury.address, 'treasury of this service'],
    [chain.settler, 'BatchSettler'],
    [IDENTITY_REGISTRIES[chain.network], 'registry of identity tokens'],
    [PERMIT2, 'Permit2'],
    [MULTICALL3, 'Multicall3'],
    ...assetsOf(chain).map(({ contract, symbol }): [string, string] => [contract, symbol]),
    ...chain.relayers.map((relayer): [string, string] => [relayer.address, 'relayer']),
  ]
  return names.find(([known]) => known?.toLowerCase() === address.toLowerCase())?.[1]
}
