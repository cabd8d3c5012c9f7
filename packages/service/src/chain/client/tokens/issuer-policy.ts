import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import type { Address } from '../../../base/kernel/assets.ts'
import type { Rail } from '../chain.ts'
import { callToken, wordOf } from './calls.ts'

const ABI = parseAbi([
  'function paused() view returns (bool)',
  'function isBlacklisted(address account) view returns (bool)',
])

/** Whether the issuer of the rail's asset blocks all transfers, or those of an account. A token that does not say blocks none. */
export function issuerPolicyOf(rail: Rail): {
  isPaused(): Promise<boolean>
  isBlacklisted(account: Address): Promise<boolean>
} {
  const isYes = async (data: Hex) => wordOf(await callToken(rail, rail.asset.contract, data)) === 1n
  return {
    isPaused: () => isYes(encodeFunctionData({ abi: ABI, functionName: 'paused' })),
    isBlacklisted: (account) =>
      isYes(encodeFunctionData({ abi: ABI, functionName: 'isBlacklisted', args: [account] })),
  }
}
