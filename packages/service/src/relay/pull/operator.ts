import { decodeFunctionResult } from 'viem'
import { askChain, type Chain } from '../../chain/chain.ts'
import { perChain } from '../../chain/per-chain.ts'
import { answerTo, revertReason } from '../../chain/transfers/simulate.ts'
import type { Address, Hex } from '../../kernel/assets.ts'
import { type BatchCall, batchSettlerAbi } from '../batch/contract.ts'
import { isSettler } from '../batch/settler.ts'

/** The contract that wallets approve, and the relayer whose account alone it obeys. */
export type Operator = { contract: Address; relayer: Address }

const known = perChain((): { operator?: Operator } => ({}))

/**
 * The contract through which this service pulls. Undefined if none is configured, if its code is not BatchSettler's, or if
 * its operator is none of our relayers: an allowance would be of no use then.
 */
export async function findOperator(chain: Chain): Promise<Operator | undefined> {
  const cache = known(chain)
  const { settler } = chain
  if (cache.operator || !settler) return cache.operator
  if (!(await isSettler(chain, settler))) return undefined
  const account = await askChain(() =>
    chain.rpc.readContract({ address: settler, abi: batchSettlerAbi, functionName: 'operator' }),
  )
  if (!chain.relayers.some(({ address }) => address === account)) return undefined
  cache.operator = { contract: settler, relayer: account }
  return cache.operator
}

/** Whether a call of one pull would move its money now. The contract does not revert for one that fails: it counts. */
export async function wouldMove(
  chain: Chain,
  call: BatchCall,
  { relayer }: Operator,
): Promise<boolean> {
  try {
    const data: Hex = (await answerTo(chain, { ...call, by: relayer })) ?? '0x'
    const count = decodeFunctionResult({ abi: batchSettlerAbi, functionName: 'pull', data })
    return count === 1n
  } catch (error) {
    if (revertReason(error) === undefined) throw error
    return false
  }
}
