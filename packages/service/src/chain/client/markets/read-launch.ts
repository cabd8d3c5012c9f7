import {
  erc20Abi,
  type Hex,
  isAddressEqual,
  parseAbi,
  parseEventLogs,
  type TransactionReceipt,
  zeroAddress,
} from 'viem'
import type { Address } from '../../../base/kernel/assets.ts'
import { poolManagerAbi } from '../../../base/protocols/uniswap/abi.ts'
import { askChain, type Chain } from '../chain.ts'
import { unlessRefused } from '../nodes/refusal.ts'
import { readInput } from '../reads.ts'
import { cardWord, deploymentOf, isOurBuild, type TokenTerms } from './build.ts'
import type { V4Contracts } from './contracts.ts'
import { type Origin, tokenAddressOf } from './launch.ts'

const CARD_ABI = parseAbi(['function cardId() view returns (bytes32)'])

/** The fault of a deployment; undefined if it made exactly the token that was prepared. */
export async function faultOfDeployment(
  chain: Chain,
  receipt: TransactionReceipt,
  of: { origin: Origin; token: Address; terms: TokenTerms },
): Promise<'other_address' | 'other_contract' | undefined> {
  const { origin, token, terms } = of
  return origin.salt === null
    ? faultOfOwn(chain, receipt, { token, terms })
    : faultOfSalted(chain, receipt, { origin, token, terms })
}

/** The address commits to the deployer, the salt and the bytes, so whoever sent them made this token. */
async function faultOfSalted(
  chain: Chain,
  { logs }: TransactionReceipt,
  of: { origin: Origin; token: Address; terms: TokenTerms },
): Promise<'other_contract' | undefined> {
  const { origin, token, terms } = of
  if (!isAddressEqual(tokenAddressOf(origin, terms), token)) return 'other_contract'
  const made = logs.filter(({ address }) => isAddressEqual(address, token))
  const isMinted = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: made }).some(
    ({ args }) => args.from === zeroAddress && args.value === terms.supply,
  )
  return isMinted && (await isSuchToken(chain, token, terms)) ? undefined : 'other_contract'
}

async function faultOfOwn(
  chain: Chain,
  receipt: TransactionReceipt,
  { token, terms }: { token: Address; terms: TokenTerms },
): Promise<'other_address' | 'other_contract' | undefined> {
  const made = receipt.contractAddress
  if (!made || !isAddressEqual(receipt.from, terms.creator)) return 'other_contract'
  // The bytes tell what the constructor wrote, which the code that it left does not.
  const input = await askChain(() => readInput(chain, receipt.transactionHash))
  if (input.toLowerCase() !== deploymentOf(terms).toLowerCase()) return 'other_contract'
  if (!isAddressEqual(made, token)) return 'other_address'
  return (await isSuchToken(chain, token, terms)) ? undefined : 'other_contract'
}

async function isSuchToken({ rpc }: Chain, address: Address, terms: TokenTerms): Promise<boolean> {
  const read = { address, abi: erc20Abi } as const
  const ask = () =>
    Promise.all([
      rpc.getCode({ address }),
      rpc.readContract({ ...read, functionName: 'totalSupply' }),
      rpc.readContract({ ...read, functionName: 'decimals' }),
      rpc.readContract({ address, abi: CARD_ABI, functionName: 'cardId' }),
    ])
  const answer = await askChain(() => unlessRefused(ask))
  if (!answer) return false
  const [code, supply, decimals, cardId] = answer
  return (
    isOurBuild(code ?? '0x') &&
    supply === terms.supply &&
    decimals === 18 &&
    cardId === cardWord(terms.cardId)
  )
}

/** A position that the transaction opened in the pool by the PositionManager, and the price if it also made the pool. */
export type Listed = {
  lowerTick: number
  upperTick: number
  liquidity: bigint
  positionId: bigint
  /** Undefined if somebody had made the pool before. */
  start: { sqrtPrice: bigint; tick: number } | undefined
}

/** The positions that the transaction opened in the pool. Only logs of the chain's own PoolManager count. */
export function positionsIn({ logs }: TransactionReceipt, v4: V4Contracts, poolId: Hex): Listed[] {
  const ofPools = logs.filter(({ address }) => isAddressEqual(address, v4.poolManager))
  const start = parseEventLogs({
    abi: poolManagerAbi,
    eventName: 'Initialize',
    logs: ofPools,
  }).find(({ args }) => args.id === poolId)
  return parseEventLogs({ abi: poolManagerAbi, eventName: 'ModifyLiquidity', logs: ofPools })
    .filter(({ args }) => args.id === poolId && args.liquidityDelta > 0n)
    .filter(({ args }) => isAddressEqual(args.sender, v4.positionManager))
    .map(
      ({ args }): Listed => ({
        lowerTick: args.tickLower,
        upperTick: args.tickUpper,
        liquidity: args.liquidityDelta,
        positionId: BigInt(args.salt),
        start: start && { sqrtPrice: start.args.sqrtPriceX96, tick: start.args.tick },
      }),
    )
    .filter(({ positionId }) => isOpened(logs, v4, positionId))
}

const NFT_ABI = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 indexed id)',
])

/** Whether the position was made here, and not only added to. */
const isOpened = (
  logs: TransactionReceipt['logs'],
  { positionManager }: V4Contracts,
  positionId: bigint,
): boolean =>
  parseEventLogs({ abi: NFT_ABI, logs }).some(
    ({ address, args }) => isAddressEqual(address, positionManager) && args.id === positionId,
  )
