import { decodeFunctionResult, getAddress } from 'viem'
import type { Address, Hex } from '../../../base/kernel/assets.ts'
import { askChain, type Chain } from '../../client/chain.ts'
import { askedOnce } from '../../client/per-chain.ts'
import { answerTo, revertReason, type SimulatedCall } from '../../client/simulate.ts'
import { batchSettlerAbi } from '../batch/contract.ts'
import { isSettler } from '../batch/settler.ts'

/** The contract that wallets approve, and the relayer whose account alone it obeys. */
export type Operator = { contract: Address; relayer: Address }

/**
 * The contract through which this service pulls. Undefined if none is configured, if its code is not BatchSettler's, or if
 * its operator is none of our relayers: an allowance would be of no use then. The chain is asked once.
 */
export const findOperator = askedOnce(
  (chain) => readOperator(chain),
  (operator) => operator !== undefined,
)

async function readOperator(chain: Chain): Promise<Operator | undefined> {
  const { settler } = chain
  if (!settler) return undefined
  if (!(await isSettler(chain, settler))) return undefined
  const account = await askChain(() =>
    chain.rpc.readContract({ address: settler, abi: batchSettlerAbi, functionName: 'operator' }),
  )
  if (!chain.relayers.some(({ address }) => address === account)) return undefined
  return { contract: getAddress(settler), relayer: account }
}

/** Whether a call of one pull would move its money now. The contract does not revert for one that fails: it counts. */
export async function wouldMove(chain: Chain, call: SimulatedCall): Promise<boolean> {
  try {
    const data: Hex = (await answerTo(chain, call)) ?? '0x'
    const count = decodeFunctionResult({ abi: batchSettlerAbi, functionName: 'pull', data })
    return count === 1n
  } catch (error) {
    if (revertReason(error) === undefined) throw error
    return false
  }
}
