import { type Abi, type Address, type Hex, hashTypedData, zeroAddress } from 'viem'
import { serializeSignature, sign } from 'viem/accounts'
import { testChain } from '../packages/service/test/world/chain.ts'
import marketArtifact from './build/CredentialMarket.json' with { type: 'json' }
import registryArtifact from './build/HostileRegistry.json' with { type: 'json' }
import {
  type Contract,
  newContract,
  newSigner,
  type Signer,
  signMessage,
  type Token,
} from './token.ts'

/** One sale that CredentialMarket can make, in the order in which both the signed message and the call have it. */
export type Listing = {
  registry: Address
  tokenId: bigint
  seller: Address
  buyer: Address
  operator: Address
  price: bigint
  feeBps: number
  feeReceiver: Address
  expiry: bigint
  nonce: bigint
  holder: Address
  holderState: bigint
  minHolderUsdc: bigint
}

export const LISTING_TYPES = {
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

export const DOLLAR = 1_000_000n
export const PRICE = 250n * DOLLAR
export const FEE_BPS = 250
/** 2100-01-01, in seconds. */
export const LATER = 4_102_444_800n
/** Approves every sale of these tests. */
export const OPERATOR = newSigner()
/** The manners of HostileRegistry, in its order. */
export const MANNERS = ['HONEST', 'KEEPS', 'REENTERS', 'REENTERS_OR_FAILS'] as const

/** Errors of the registry and the token reach the caller of the market, so the tests name them too. */
const errors = registryArtifact.abi.filter(({ type }) => type === 'error')

/** A market for the token. */
export const newMarket = (usdc: Token): Promise<Contract> =>
  newContract(testChain(), { ...marketArtifact, abi: [...marketArtifact.abi, ...errors] }, [
    usdc.address,
  ])

export const newRegistry = (): Promise<Contract> => newContract(testChain(), registryArtifact)

/** Mints a token to a new seller, who approves the market, and lists it at terms that nothing speaks against. */
export async function list(
  { market, registry, admin }: { market: Contract; registry: Contract; admin: Address },
  terms: Partial<Listing> = {},
): Promise<{ listing: Listing; seller: Signer }> {
  const seller = newSigner()
  const listing: Listing = {
    registry: registry.address,
    tokenId: BigInt(seller.address),
    seller: seller.address,
    buyer: zeroAddress,
    operator: OPERATOR.address,
    price: PRICE,
    feeBps: FEE_BPS,
    feeReceiver: newSigner().address,
    expiry: LATER,
    nonce: 1n,
    holder: zeroAddress,
    holderState: 0n,
    minHolderUsdc: 0n,
    ...terms,
  }
  const args = [listing.seller, listing.tokenId]
  await registry.send({ from: admin, functionName: 'mint', args })
  const approval = { functionName: 'setApprovalForAll', args: [market.address, true] }
  await registry.send({ from: listing.seller, ...approval })
  return { listing, seller }
}

const domainOf = (market: Address) => ({
  name: 'CredentialMarket',
  version: '1',
  chainId: testChain().chainId,
  verifyingContract: market,
})

export const hashListing = (market: Address, listing: Listing): Hex =>
  hashTypedData({
    domain: domainOf(market),
    types: LISTING_TYPES,
    primaryType: 'Listing',
    message: listing,
  })

export const signListing = async (market: Address, listing: Listing, key: Hex): Promise<Hex> =>
  serializeSignature(await sign({ hash: hashListing(market, listing), privateKey: key }))

const APPROVAL_TYPES = {
  Approval: [
    { name: 'listingHash', type: 'bytes32' },
    { name: 'buyer', type: 'address' },
    { name: 'validBefore', type: 'uint256' },
  ],
} as const
export type Approval = { listingHash: Hex; buyer: Address; validBefore: bigint }

export const hashApproval = (market: Address, message: Approval): Hex =>
  hashTypedData({
    domain: domainOf(market),
    types: APPROVAL_TYPES,
    primaryType: 'Approval',
    message,
  })

/** The operator's consent to a sale. */
export const approve = async (market: Address, message: Approval, key: Hex): Promise<Hex> =>
  serializeSignature(await sign({ hash: hashApproval(market, message), privateKey: key }))

export type Payment = {
  from: Address
  to: Address
  value: bigint
  validAfter: bigint
  validBefore: bigint
  nonce: Hex
}

/** The buyer's payment of exactly this listing, unless the terms say otherwise. */
export async function pay(
  { usdc, market }: { usdc: Token; market: Contract },
  listing: Listing,
  buyer: Signer,
  terms: Partial<Payment> = {},
): Promise<{ payment: Payment; signature: Hex }> {
  const payment: Payment = {
    from: buyer.address,
    to: market.address,
    value: listing.price,
    validAfter: 0n,
    validBefore: LATER,
    nonce: hashListing(market.address, listing),
    ...terms,
  }
  const key = buyer.privateKey
  const { asBytes } = await signMessage(usdc, key, 'ReceiveWithAuthorization', payment)
  return { payment, signature: asBytes.at(-1) as Hex }
}

export const marketAbi = marketArtifact.abi as Abi
