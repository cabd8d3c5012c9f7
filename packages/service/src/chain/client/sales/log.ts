import { decodeFunctionData, getAbiItem, getAddress, toFunctionSelector } from 'viem'
import type { Address, Hex } from '../../../base/kernel/assets.ts'
import {
  credentialMarketAbi,
  hashListing,
  type ListingPayment,
  type SignedListing,
} from '../../../base/protocols/evm/credential-market.ts'
import { askChain, type Chain } from '../chain.ts'

/** Most nodes search so many blocks at once. */
export const BLOCKS_AT_ONCE = 2_000n

/** A sale as the contract logged it. */
export type SoldLog = {
  hash: Hex
  tokenId: bigint
  seller: Address
  buyer: Address
  price: bigint
  fee: bigint
  txHash: Hex
  blockNumber: bigint
  logIndex: number
}
type Range = { market: Address; fromBlock: bigint; toBlock: bigint }
type Filter = { listingHash?: Hex; registry?: Address }

/** The sales of these blocks, at most `BLOCKS_AT_ONCE`. */
export async function readSold(
  { rpc }: Chain,
  { market: address, ...range }: Range,
  args: Filter,
): Promise<SoldLog[]> {
  const abi = credentialMarketAbi
  const asked = { abi, address, eventName: 'Sold', args, ...range, strict: true } as const
  const logs = await askChain(() => rpc.getContractEvents(asked))
  return logs.map(({ args: sold, transactionHash: txHash, blockNumber, logIndex }) => {
    const { listingHash: hash, seller, buyer, ...terms } = sold
    const wallets = { seller: getAddress(seller), buyer: getAddress(buyer) }
    return { ...terms, ...wallets, hash, txHash, blockNumber, logIndex }
  })
}

/** The log of the sale, whoever relayed it and whoever bought. */
export async function findSold(
  chain: Chain,
  { market, hash: listingHash, fromBlock, toBlock }: Range & { hash: Hex },
): Promise<SoldLog | undefined> {
  for (let from = fromBlock; from <= toBlock; from += BLOCKS_AT_ONCE) {
    const last = from + BLOCKS_AT_ONCE - 1n
    const range = { market, fromBlock: from, toBlock: last < toBlock ? last : toBlock }
    const [log] = await readSold(chain, range, { listingHash })
    if (log) return log
  }
  return undefined
}

/** A sale in the data of its transaction: the terms as their seller signed them, and the payment. */
export type SaleCall = {
  listing: SignedListing
  sellerSignature: Hex
  payment: ListingPayment
}

const SELECTOR = toFunctionSelector(getAbiItem({ abi: credentialMarketAbi, name: 'fulfil' })).slice(
  2,
)
/** Data that names the call more often was made to keep us busy. */
const MOST_TRIED = 50

/**
 * The terms of a sale, found in the data of its transaction, also inside the call of another contract. The hash of the log
 * proves them. Undefined if the data does not show them.
 */
export async function readSaleCall(
  { rpc, chainId }: Chain,
  { market, hash, txHash }: { market: Address; hash: Hex; txHash: Hex },
): Promise<SaleCall | undefined> {
  const { input } = await askChain(() => rpc.getTransaction({ hash: txHash }))
  const tails = input.split(SELECTOR).slice(1, MOST_TRIED)
  const calls = tails.map((_, i) => decodeCall(`0x${SELECTOR}${tails.slice(i).join(SELECTOR)}`))
  return calls.find((call) => call && hashListing({ market, chainId }, call.listing) === hash)
}

function decodeCall(data: Hex): SaleCall | undefined {
  try {
    const { functionName, args } = decodeFunctionData({ abi: credentialMarketAbi, data })
    if (functionName !== 'fulfil') return undefined
    const [listing, sellerSignature, buyer, validAfter, validBefore, signature] = args
    return { listing, sellerSignature, payment: { buyer, validAfter, validBefore, signature } }
  } catch {
    // The same four bytes in other data.
    return undefined
  }
}
