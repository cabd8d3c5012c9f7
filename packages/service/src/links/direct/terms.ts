import { type Caller, mayUseCard } from '../../api/http/caller.ts'
import type { Reader } from '../../base/db/sql.ts'
import type { Address, Asset } from '../../base/kernel/assets.ts'
import { notFound, Problem } from '../../base/kernel/problem.ts'
import { DIRECT_RAILS, DIRECT_TOKEN_RAILS } from '../../base/protocols/rails.ts'
import type { Chain } from '../../chain/client/chain.ts'
import { assetAt, assetOf, defaultAsset } from '../../chain/client/rails.ts'
import { normalAddress } from '../../chain/client/reads.ts'
import { findCard } from '../../money/cards/store.ts'
import { findActiveToken, findToken } from '../../money/tokens/store.ts'
import type { LinkProtocol } from '../link/store.ts'

/** The token of a DIRECT link, as it stands when the link is made. */
export type DirectTerms = {
  contract: Address
  symbol: string
  decimals: number
  type: 'ERC20' | 'B20'
}

/**
 * The token of a link of this card: `asset` is USDC, or the id or the address of a token that the wallet registered.
 * Null for a CUSTODIAL card, whose links are in the card's asset. With the decimals of the link's amounts. Throws
 * `invalid_asset`.
 */
export async function readTerms(
  on: Reader,
  of: { caller: Caller; cardId: string; asset: string | undefined; chain: Chain },
): Promise<{ direct: DirectTerms | null; decimals: number }> {
  const { caller, cardId, asset, chain } = of
  const card = mayUseCard(caller, cardId) ? await findCard(on, cardId) : undefined
  if (card?.walletAddress !== caller.walletAddress) throw notFound('card')
  const is = (one: Asset): boolean =>
    asset === undefined || asset === one.symbol || isSame(asset, one.contract)
  if (card.settlementMode === 'CUSTODIAL') {
    const ours = assetOf(chain, card)
    if (is(ours)) return { direct: null, decimals: ours.decimals }
    throw invalidAsset(
      `asset must be ${ours.symbol}: other tokens are taken by links of DIRECT cards.`,
    )
  }
  const ours = chain.assets.find(is)
  if (ours || asset === undefined) {
    const { contract, symbol, decimals } = ours ?? defaultAsset(chain)
    return { direct: { contract, symbol, decimals, type: 'ERC20' }, decimals }
  }
  const token = asset.startsWith('0x')
    ? await findActiveToken(on, {
        network: chain.network,
        address: normalAddress(asset, 'asset'),
        walletAddress: caller.walletAddress,
      })
    : await findToken(on, asset)
  const isMine = token?.walletAddress === caller.walletAddress && token.status === 'ACTIVE'
  if (!token || !isMine || token.network !== chain.network)
    throw invalidAsset(
      `asset must be ${chain.assets.map(({ symbol }) => symbol).join(', ')}, or the id or the address of a token that you registered by POST /api/tokens.`,
    )
  const { address: contract, symbol, decimals, type } = token
  return { direct: { contract, symbol, decimals, type }, decimals }
}

const isSame = (text: string, address: Address): boolean =>
  text.toLowerCase() === address.toLowerCase()

const invalidAsset = (message: string): Problem =>
  new Problem('invalid_asset', message, { param: 'asset' })

/**
 * The ways of a new DIRECT link. Cards and mandates move money on the books, where a DIRECT seller has none. MPP's charge is
 * signed by EIP-3009, which only the service's own assets are known by.
 */
export function protocolsOf(
  terms: DirectTerms,
  asked: readonly LinkProtocol[] | undefined,
  chain: Pick<Chain, 'assets'>,
): LinkProtocol[] {
  const possible: readonly LinkProtocol[] = assetAt(chain, terms.contract)
    ? DIRECT_RAILS
    : DIRECT_TOKEN_RAILS
  if (!asked) return [...possible]
  const wrong = asked.filter((protocol) => !possible.includes(protocol))
  if (wrong.length > 0)
    throw new Problem(
      'invalid_field',
      `accepted_protocols of a DIRECT link in ${terms.symbol} may be ${possible.join(', ')}; not ${wrong.join(', ')}.`,
      { param: 'accepted_protocols' },
    )
  return [...asked]
}
