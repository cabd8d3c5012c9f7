import { BaseError, ContractFunctionRevertedError, parseAbi } from 'viem'
import type { Address } from '../../../base/kernel/assets.ts'
import { askChain, type Chain } from '../chain.ts'

const ABI = parseAbi(['function tokenURI(uint256 tokenId) view returns (string)'])

/** The URI of a token, which its owner may have changed; empty for a token that was burned. */
export const readTokenUri = (
  { rpc }: Chain,
  { registry: address, tokenId }: { registry: Address; tokenId: bigint },
): Promise<string> =>
  askChain(() =>
    rpc
      .readContract({ abi: ABI, address, functionName: 'tokenURI', args: [tokenId] })
      .catch(emptyIfReverted),
  )

function emptyIfReverted(error: unknown): string {
  const isRevert =
    error instanceof BaseError && error.walk((e) => e instanceof ContractFunctionRevertedError)
  if (isRevert) return ''
  throw error
}
