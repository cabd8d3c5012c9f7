import type { Services, Uses } from '../../api/http/services.ts'
import { type Address, NOBODY } from '../../base/kernel/assets.ts'
import { PERMIT2 } from '../../base/protocols/evm/permit2/abi.ts'
import { listLiveMarkets } from '../../business/crt-markets/store.ts'
import { TOKEN_DECIMALS } from '../../business/crt-markets/view.ts'
import { v4Of } from '../../chain/client/markets/contracts.ts'
import { CREATE2_DEPLOYER } from '../../chain/client/markets/launch.ts'
import { MINI_LOCKUP } from '../../chain/client/markets/lockups.ts'
import { MULTICALL3 } from '../../chain/client/multicall.ts'
import {
  ACCOUNT_REGISTRY,
  DEV_MINTER,
  EAS,
  IDENTITY_REGISTRIES,
  SCHEMA_REGISTRY,
} from '../../chain/client/public/contracts.ts'
import { assetsOf } from '../../chain/client/rails.ts'
import { listKnownTokens } from '../../money/tokens/store.ts'

export type KnownToken = { address: Address; symbol: string; decimals: number }
/** The service, and the tokens that it has names for. */
export type Site = Uses<'chain' | 'settings'> & { tokens: readonly KnownToken[] }

/** As many as one call of the chain reads. */
const TOKENS_MAX = 100

/** The tokens that balances are kept in, then those that wallets have registered, then the newest credential tokens. */
async function readKnownTokens({ chain, db }: Services): Promise<KnownToken[]> {
  const kept = assetsOf(chain).map(({ contract, symbol, decimals }) => ({
    address: contract,
    symbol,
    decimals,
  }))
  const { network } = chain
  const [registered, markets] = await Promise.all([
    listKnownTokens(db.reader, { network, limit: TOKENS_MAX }),
    listLiveMarkets(db.reader, network, { after: undefined, limit: TOKENS_MAX }),
  ])
  const ofCards = markets.map(({ token, symbol }) => {
    return { address: token, symbol, decimals: TOKEN_DECIMALS }
  })
  const all = [...registered, ...ofCards].filter(
    ({ address }) => !kept.some((token) => token.address === address),
  )
  const known = new Map(all.map((token) => [token.address, token]))
  return [...kept, ...known.values()].slice(0, TOKENS_MAX)
}

/** The names for the addresses on a page. */
export const readSite = async (services: Services): Promise<Site> => ({
  chain: services.chain,
  settings: services.settings,
  tokens: await readKnownTokens(services),
})

/** The name that the service has for an address, or the symbol of a token; undefined for a stranger. */
export function nameOf({ chain, settings, tokens }: Site, address: string): string | undefined {
  const v4 = v4Of(chain.chainId)
  const names: [string | undefined, string][] = [
    [chain.treasury.address, 'treasury of this service'],
    [chain.settler, 'BatchSettler'],
    [IDENTITY_REGISTRIES[chain.network], 'registry of identity tokens'],
    [ACCOUNT_REGISTRY, 'registry of holder accounts (ERC-6551)'],
    [EAS, 'Ethereum Attestation Service'],
    [SCHEMA_REGISTRY, 'schemas of attestations'],
    [DEV_MINTER, 'minter of test money'],
    [PERMIT2, 'Permit2'],
    [MULTICALL3, 'Multicall3'],
    [settings.identity?.vault, 'vault of identity tokens'],
    [settings.onChainSales?.market, 'market of cards'],
    [MINI_LOCKUP, 'lockup of vesting streams'],
    [v4?.poolManager, 'Uniswap PoolManager'],
    [v4?.positionManager, 'Uniswap PositionManager'],
    [CREATE2_DEPLOYER, 'CREATE2 deployer'],
    [NOBODY, 'nobody'],
    ...chain.relayers.map((relayer): [string, string] => [relayer.address, 'relayer']),
    ...tokens.map((token): [string, string] => [token.address, token.symbol]),
  ]
  return names.find(([known]) => known?.toLowerCase() === address.toLowerCase())?.[1]
}
