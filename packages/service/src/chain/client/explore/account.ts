import { getAddress } from 'viem'
import type { Address } from '../../../base/kernel/assets.ts'
import { askChain, type Chain } from '../chain.ts'
import { readCode } from '../reads.ts'

export type ShownAccount = {
  wei: bigint
  /** Transactions that it has sent, or contracts that it has made. */
  nonce: number
  hasCode: boolean
  /** The token that it belongs to, if it is an ERC-6551 account with code. */
  boundTo: { chainId: bigint; registry: Address; tokenId: bigint } | undefined
}

/** An ERC-6551 account runs another contract's code and carries its salt, chain, registry and token behind it. */
const BOUND =
  /^0x363d3d373d3d3d363d73[0-9a-f]{40}5af43d82803e903d91602b57fd5bf3[0-9a-f]{64}([0-9a-f]{64})0{24}([0-9a-f]{40})([0-9a-f]{64})$/

/** The account as the newest block shows it. Throws `chain_unavailable`. */
export async function readShownAccount(chain: Chain, address: Address): Promise<ShownAccount> {
  const [code, [wei, nonce]] = await Promise.all([
    readCode(chain, address),
    askChain(() =>
      Promise.all([chain.rpc.getBalance({ address }), chain.rpc.getTransactionCount({ address })]),
    ),
  ])
  return { wei, nonce, hasCode: code !== '0x', boundTo: boundTo(code) }
}

function boundTo(code: string): ShownAccount['boundTo'] {
  const [, chainId, registry, tokenId] = BOUND.exec(code) ?? []
  if (!chainId || !registry || !tokenId) return undefined
  return {
    chainId: BigInt(`0x${chainId}`),
    registry: getAddress(`0x${registry}`),
    tokenId: BigInt(`0x${tokenId}`),
  }
}
