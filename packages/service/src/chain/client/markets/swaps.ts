import type { Hex } from 'viem'
import { poolManagerAbi } from '../../../base/protocols/uniswap/abi.ts'
import { askChain, type Chain } from '../chain.ts'
import { inFewerBlocks, type Range } from '../watch.ts'
import type { V4Contracts } from './contracts.ts'

/** A swap of a pool, and the pool's price after it. Amounts are what the pool took in (above zero) or gave out. */
export type Swap = {
  blockNumber: bigint
  /** Unix seconds. */
  time: number
  amount0: bigint
  amount1: bigint
  sqrtPrice: bigint
  tick: number
}

/** The most blocks whose time is asked for in one look. */
const TIMES_MAX = 100

/**
 * The pool's swaps in the range, or in its first part, in their order. `to` is the last block that was read, with its time:
 * some nodes refuse so many blocks, and some lag behind.
 */
export const readSwaps = (
  chain: Chain,
  v4: V4Contracts,
  of: { poolId: Hex; range: Range },
): Promise<{ to: { number: bigint; time: number }; swaps: Swap[] }> =>
  askChain(() => inFewerBlocks(of.range, (range) => readRange(chain, v4, { ...of, range })))

async function readRange(
  { rpc }: Chain,
  { poolManager }: V4Contracts,
  { poolId, range }: { poolId: Hex; range: Range },
) {
  // The head comes in the same request: a node that lags answers as if nothing had happened.
  const [head, logs] = await Promise.all([
    rpc.getBlockNumber({ cacheTime: 0 }),
    rpc.getContractEvents({
      address: poolManager,
      abi: poolManagerAbi,
      eventName: 'Swap',
      args: { id: poolId },
      fromBlock: range.from,
      toBlock: range.to,
      strict: true,
    }),
  ])
  if (head < range.from) throw new Error(`a node is at block ${head}, asked for ${range.from}`)
  const reached = head < range.to ? head : range.to
  const blocks = [...new Set(logs.map(({ blockNumber }) => blockNumber))]
  const beyond = blocks[TIMES_MAX]
  const last = beyond === undefined ? reached : beyond - 1n
  const times = await readTimes(rpc, [...blocks.slice(0, TIMES_MAX), last])
  const swaps = logs
    .filter(({ blockNumber }) => blockNumber <= last)
    .map(
      ({ blockNumber, args }): Swap => ({
        blockNumber,
        time: times.get(blockNumber) ?? 0,
        amount0: -args.amount0,
        amount1: -args.amount1,
        sqrtPrice: args.sqrtPriceX96,
        tick: args.tick,
      }),
    )
  return { to: { number: last, time: times.get(last) ?? 0 }, swaps }
}

async function readTimes(
  rpc: Chain['rpc'],
  blocks: readonly bigint[],
): Promise<Map<bigint, number>> {
  const found = await Promise.all(
    [...new Set(blocks)].map(async (blockNumber) => {
      const { timestamp } = await rpc.getBlock({ blockNumber })
      return [blockNumber, Number(timestamp)] as const
    }),
  )
  return new Map(found)
}
