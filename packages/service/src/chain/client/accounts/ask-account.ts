import { BaseError, CounterfactualDeploymentFailedError, encodeFunctionData, parseAbi } from 'viem'
import type { Address, Hex } from '../../../base/kernel/assets.ts'
import { askChain, type Chain } from '../chain.ts'
import { revertReason } from '../simulate.ts'

const ABI = parseAbi([
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
])
/** The one answer of an account that means yes (EIP-1271). */
const YES = `0x1626ba7e${'0'.repeat(56)}`
/** Deploying a Safe or a Coinbase wallet and verifying a passkey in it takes less than a million. */
const ASK_GAS = 5_000_000n

/**
 * Asks the account whether the signature is its own (EIP-1271). With a `deployment`, the same call deploys the account
 * first. An address without code answers no.
 */
export function askAccount(
  chain: Chain,
  to: Address,
  { hash, signature }: { hash: Hex; signature: Hex },
  deployment?: { target: Address; callData: Hex },
): Promise<boolean> {
  const data = encodeFunctionData({ abi: ABI, args: [hash, signature] })
  // Some accounts treat a call from the zero address as a simulation and check nothing.
  const account = chain.treasury.address
  const deploying = deployment && {
    factory: deployment.target,
    factoryData: deployment.callData,
  }
  return askChain(async () => {
    try {
      const answer = await chain.rpc.call({ account, to, data, gas: ASK_GAS, ...deploying })
      return answer.data?.slice(0, YES.length) === YES
    } catch (error) {
      if (isRefusal(error)) return false
      throw error
    }
  })
}

/**
 * Whether the account or its deployment failed. Any other error is the node's own and says nothing about the signature.
 */
const isRefusal = (error: unknown): boolean =>
  revertReason(error) !== undefined ||
  (error instanceof BaseError &&
    error.walk((cause) => cause instanceof CounterfactualDeploymentFailedError) !== null)
