import { encodeFunctionData, hashTypedData, parseAbi } from 'viem'
import type { Address, Asset, Hex } from '../../kernel/assets.ts'
import { authorizationFields } from './eip3009/abi.ts'
import type { TransferAuthorization } from './eip3009/authorization.ts'

/** One sale of an identity token that CredentialMarket can make, as its seller signs it. */
export type SignedListing = {
  readonly registry: Address
  readonly tokenId: bigint
  readonly seller: Address
  /** The only account that may buy; zero for anyone. */
  readonly buyer: Address
  /** The service that keeps what is sold with the token: it approves each sale. */
  readonly operator: Address
  /** Base units of USDC, fee included. */
  readonly price: bigint
  readonly feeBps: number
  readonly feeReceiver: Address
  /** Unix seconds: the last at which it can be bought. */
  readonly expiry: bigint
  readonly nonce: bigint
  /** The token's ERC-6551 account. It must not have acted since, and hold at least this much USDC. */
  readonly holder: Address
  readonly holderState: bigint
  readonly minHolderUsdc: bigint
}

/** The members in the order that both the signed message and the call have. */
const listingTypes = {
  Listing: [
    { name: 'registry', type: 'address' },
    { name: 'tokenId', type: 'uint256' },
    { name: 'seller', type: 'address' },
    { name: 'buyer', type: 'address' },
    { name: 'operator', type: 'address' },
    { name: 'price', type: 'uint256' },
    { name: 'feeBps', type: 'uint16' },
    { name: 'feeReceiver', type: 'address' },
    { name: 'expiry', type: 'uint64' },
    { name: 'nonce', type: 'uint256' },
    { name: 'holder', type: 'address' },
    { name: 'holderState', type: 'uint256' },
    { name: 'minHolderUsdc', type: 'uint256' },
  ],
} as const

export const credentialMarketAbi = parseAbi([
  'struct Listing { address registry; uint256 tokenId; address seller; address buyer; address operator; uint256 price; uint16 feeBps; address feeReceiver; uint64 expiry; uint256 nonce; address holder; uint256 holderState; uint256 minHolderUsdc; }',
  'function stateOf(bytes32 listingHash) view returns (uint8)',
  'function cancel(Listing listing)',
  'function fulfil(Listing listing, bytes sellerSignature, address buyer, uint256 validAfter, uint256 validBefore, bytes authorization, bytes approval)',
  'event Sold(bytes32 indexed listingHash, address indexed registry, uint256 indexed tokenId, address seller, address buyer, uint256 price, uint256 fee)',
])

/** The contract and its chain. */
export type MarketPlace = { readonly market: Address; readonly chainId: number }

const domainOf = ({ market, chainId }: MarketPlace) =>
  ({ name: 'CredentialMarket', version: '1', chainId, verifyingContract: market }) as const

/** The typed data that the seller signs. */
export const listingTypedData = (place: MarketPlace, message: SignedListing) =>
  ({
    domain: domainOf(place),
    types: listingTypes,
    primaryType: 'Listing',
    message,
  }) as const

/** The digest that the seller signs, which is the nonce of the buyer's payment. */
export const hashListing = (place: MarketPlace, listing: SignedListing): Hex =>
  hashTypedData(listingTypedData(place, listing))

const approvalTypes = {
  Approval: [
    { name: 'listingHash', type: 'bytes32' },
    { name: 'buyer', type: 'address' },
    { name: 'validBefore', type: 'uint256' },
  ],
} as const

/** The typed data by which the operator lets this buyer have it, until the payment ends. */
export const approvalTypedData = (
  place: MarketPlace,
  message: { listingHash: Hex } & Pick<ListingPayment, 'buyer' | 'validBefore'>,
) =>
  ({
    domain: domainOf(place),
    types: approvalTypes,
    primaryType: 'Approval',
    message,
  }) as const

/** The reason of a sale that lacks the operator's approval alone: the contract asks for it last. */
export const NOT_APPROVED = 'CredentialMarket: not approved'

/** The typed data of a payment that only its payee can submit. */
export const receiveTypedData = (asset: Asset, message: TransferAuthorization) =>
  ({
    domain: {
      name: asset.eip712.name,
      version: asset.eip712.version,
      chainId: asset.chainId,
      verifyingContract: asset.contract,
    },
    types: { ReceiveWithAuthorization: authorizationFields },
    primaryType: 'ReceiveWithAuthorization',
    message,
  }) as const

/** A buyer's payment of a listing, without what the listing says. */
export type ListingPayment = {
  readonly buyer: Address
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly signature: Hex
}

/** The call that sells the token. Anyone may relay it. */
export const fulfilData = (
  { listing, sellerSignature }: { listing: SignedListing; sellerSignature: Hex },
  { buyer, validAfter, validBefore, signature }: ListingPayment,
  approval: Hex,
): Hex =>
  encodeFunctionData({
    abi: credentialMarketAbi,
    functionName: 'fulfil',
    args: [listing, sellerSignature, buyer, validAfter, validBefore, signature, approval],
  })
