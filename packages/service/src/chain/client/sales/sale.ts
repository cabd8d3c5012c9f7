import { encodeFunctionData, parseAbi } from 'viem'
import type { Address, Hex } from '../../../base/kernel/assets.ts'
import {
  credentialMarketAbi,
  type SignedListing,
} from '../../../base/protocols/evm/credential-market.ts'
import { eip3009Abi } from '../../../base/protocols/evm/eip3009/abi.ts'
import { askChain, type Chain, type Rail } from '../chain.ts'
import { hasCode } from '../reads.ts'
import { balanceData } from '../tokens/calls.ts'
import { addressOf, readWords, type WordRead } from '../tokens/read-words.ts'

const ABI = parseAbi([
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function isApprovedForAll(address owner, address operator) view returns (bool)',
  'function getApproved(uint256 tokenId) view returns (address)',
  'function setApprovalForAll(address operator, bool approved)',
  'function state() view returns (uint256)',
])
/** States of a listing in the contract. */
const SOLD = 1
const CANCELLED = 2

/** The transaction by which a seller lets the market move the identity token. */
export const approvalOf = (registry: Address, market: Address): { to: Address; data: Hex } => ({
  to: registry,
  data: encodeFunctionData({ abi: ABI, functionName: 'setApprovalForAll', args: [market, true] }),
})

/** The facts that a sale depends on, in the newest block. */
export type SaleSight = {
  owner: Address | undefined
  isApproved: boolean
  /** The holder account's count of its own acts; 0 without code. */
  holderState: bigint | undefined
  holderUsdc: bigint | undefined
}
type Sold = Pick<SignedListing, 'registry' | 'tokenId' | 'seller' | 'holder'>

/** Reads what the sale of a token depends on, in two calls of the chain. */
export async function readSaleSight(
  rail: Rail,
  market: Address,
  { registry, tokenId, seller, holder }: Sold,
): Promise<SaleSight> {
  const read = (target: Address, data: Hex): WordRead => ({ target, data })
  const ask = {
    owner: encodeFunctionData({ abi: ABI, functionName: 'ownerOf', args: [tokenId] }),
    all: encodeFunctionData({
      abi: ABI,
      functionName: 'isApprovedForAll',
      args: [seller, market],
    }),
    one: encodeFunctionData({ abi: ABI, functionName: 'getApproved', args: [tokenId] }),
    state: encodeFunctionData({ abi: ABI, functionName: 'state' }),
  }
  const [isDeployed, [owner, all, one, state, holderUsdc]] = await Promise.all([
    hasCode(rail, holder),
    readWords(rail, [
      read(registry, ask.owner),
      read(registry, ask.all),
      read(registry, ask.one),
      read(holder, ask.state),
      read(rail.asset.contract, balanceData(holder)),
    ]),
  ])
  return {
    owner: owner === undefined ? undefined : addressOf(owner),
    isApproved: all === 1n || one === BigInt(market),
    holderState: isDeployed ? state : 0n,
    holderUsdc,
  }
}

export type SaleAsked = { market: Address; hash: Hex; buyer: Address }
/** How a sale stands in the newest safe block. */
export type SafeSale = {
  isSold: boolean
  isCancelled: boolean
  /** The payment's nonce is used or cancelled. */
  isSpent: boolean
  block: { number: bigint; seconds: bigint }
}

/** Reads how the sale stands in the newest safe block, where no reorganization changes it. */
export const readSafeSale = (
  { rpc, asset }: Rail,
  { market, hash, buyer }: SaleAsked,
): Promise<SafeSale> =>
  askChain(async () => {
    const block = await rpc.getBlock({ blockTag: 'safe' })
    const at = { blockNumber: block.number }
    const [state, isSpent] = await Promise.all([
      rpc.readContract({
        ...at,
        abi: credentialMarketAbi,
        address: market,
        functionName: 'stateOf',
        args: [hash],
      }),
      rpc.readContract({
        ...at,
        abi: eip3009Abi,
        address: asset.contract,
        functionName: 'authorizationState',
        args: [buyer, hash],
      }),
    ])
    return {
      isSold: state === SOLD,
      isCancelled: state === CANCELLED,
      isSpent,
      block: { number: block.number, seconds: block.timestamp },
    }
  })

/** Which of these listings are cancelled in a safe block, in the same order. */
export async function readCancelled(
  chain: Chain,
  listings: readonly { market: Address; hash: Hex }[],
): Promise<boolean[]> {
  const reads = listings.map(({ market, hash }) => ({
    target: market,
    data: encodeFunctionData({ abi: credentialMarketAbi, functionName: 'stateOf', args: [hash] }),
  }))
  return (await readWords(chain, reads, 'safe')).map((state) => state === BigInt(CANCELLED))
}
