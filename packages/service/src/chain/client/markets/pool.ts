import { getAddress, type Hex } from 'viem'
import type { Address } from '../../../base/kernel/assets.ts'
import { positionManagerAbi, quoterAbi, stateViewAbi } from '../../../base/protocols/uniswap/abi.ts'
import { NO_HOOKS, type PoolKey } from '../../../base/protocols/uniswap/pool-key.ts'
import { askChain, type Chain } from '../chain.ts'
import { unlessRefused } from '../nodes/refusal.ts'
import type { V4Contracts } from './contracts.ts'

/** A pool at the newest block, or at `blockNumber`. A pool that nobody made has the price zero. */
export type PoolState = { sqrtPrice: bigint; tick: number; liquidity: bigint }

export const readPool = (
  { rpc }: Chain,
  { stateView }: V4Contracts,
  of: { poolId: Hex; blockNumber?: bigint },
): Promise<PoolState> =>
  askChain(async () => {
    const at = of.blockNumber === undefined ? {} : { blockNumber: of.blockNumber }
    const read = { abi: stateViewAbi, address: stateView, args: [of.poolId], ...at } as const
    const [[sqrtPrice, tick], liquidity] = await Promise.all([
      rpc.readContract({ ...read, functionName: 'getSlot0' }),
      rpc.readContract({ ...read, functionName: 'getLiquidity' }),
    ])
    return { sqrtPrice, tick, liquidity }
  })

/** The base units that a swap of exactly `amount` pays out, fees taken. Undefined if the pool has too little for it. */
export async function readQuote(
  { rpc }: Chain,
  { quoter }: V4Contracts,
  of: { key: PoolKey; isFirstIn: boolean; amount: bigint },
): Promise<bigint | undefined> {
  const { key: poolKey, isFirstIn: zeroForOne, amount: exactAmount } = of
  const ask = () =>
    rpc.simulateContract({
      address: quoter,
      abi: quoterAbi,
      functionName: 'quoteExactInputSingle',
      args: [{ poolKey, zeroForOne, exactAmount, hookData: '0x' }],
      // The quote depends on no account.
      account: NO_HOOKS,
    })
  const answer = await askChain(() => unlessRefused(ask))
  return answer?.result[0]
}

/** The account that holds the position and may take its liquidity out. Undefined once the position is burnt. */
export async function readPosition(
  { rpc }: Chain,
  { positionManager: address }: V4Contracts,
  positionId: bigint,
): Promise<{ owner: Address; liquidity: bigint } | undefined> {
  const read = { abi: positionManagerAbi, address, args: [positionId] } as const
  const ask = () =>
    Promise.all([
      rpc.readContract({ ...read, functionName: 'ownerOf' }),
      rpc.readContract({ ...read, functionName: 'getPositionLiquidity' }),
    ])
  const answer = await askChain(() => unlessRefused(ask))
  return answer && { owner: getAddress(answer[0]), liquidity: answer[1] }
}
