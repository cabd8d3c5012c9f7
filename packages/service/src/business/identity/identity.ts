import type { Reader } from '../../base/db/sql.ts'
import type { Address, Network } from '../../base/kernel/assets.ts'
import { type Custody, findIdentityRows, IDENTITY_STATES, type IdentityRow } from './store.ts'

export const IDENTITY_STATUSES = ['NONE', ...IDENTITY_STATES] as const
type IdentityStatus = (typeof IDENTITY_STATUSES)[number]
/** The holder account: none, an address without code yet, or a contract. */
export const CHAIN_STATUSES = ['NONE', 'RESERVED', 'DEPLOYED'] as const
type ChainStatus = (typeof CHAIN_STATUSES)[number]

/** A card's identity as others see it. */
export type Identity = {
  status: IdentityStatus
  /** CAIP-19; null before the mint is final. */
  identityToken: string | null
  /** The ERC-6551 account of the identity token; null before the mint is final. */
  holderAddress: Address | null
  chainStatus: ChainStatus
  /** Whether a live attestation of the holder account exists, as last seen. */
  attested: boolean
  custody: Custody
}

export const NO_IDENTITY: Identity = {
  status: 'NONE',
  identityToken: null,
  holderAddress: null,
  chainStatus: 'NONE',
  attested: false,
  custody: 'CUSTODIAL',
}

/** The identity of each of the cards, NONE where there is none, as it was last seen on the chain. */
export async function readIdentities(
  on: Reader,
  cardIds: readonly string[],
): Promise<Map<string, Identity>> {
  const found = cardIds.length === 0 ? [] : await findIdentityRows(on, cardIds)
  const known = new Map<string, Identity>(found.map((row) => [row.cardId, identityOf(row)]))
  return new Map(cardIds.map((id) => [id, known.get(id) ?? NO_IDENTITY]))
}

export function identityOf(row: IdentityRow): Identity {
  const { state, holderAddress, isDeployed, isAttested, custody } = row
  return {
    status: state,
    identityToken: tokenNameOf(row),
    holderAddress,
    chainStatus: holderAddress === null ? 'NONE' : isDeployed ? 'DEPLOYED' : 'RESERVED',
    attested: isAttested && state !== 'DETACHED',
    custody,
  }
}

/** The CAIP-19 id of the identity token. */
const tokenNameOf = (row: {
  network: Network
  registry: Address
  tokenId: bigint | null
}): string | null =>
  row.tokenId === null ? null : `${row.network}/erc721:${row.registry.toLowerCase()}/${row.tokenId}`

/** Whether the token is on its way to another owner: such a card is not sold. */
export const isMoving = ({ status }: Pick<Identity, 'status'>): boolean => status === 'TRANSFERRING'
