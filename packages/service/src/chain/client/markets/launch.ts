import {
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  parseAbi,
  parseAbiParameters,
} from 'viem'
import type { Address } from '../../../base/kernel/assets.ts'
import { PERMIT2 } from '../../../base/protocols/evm/permit2/abi.ts'
import { positionManagerAbi } from '../../../base/protocols/uniswap/abi.ts'
import type { PoolKey } from '../../../base/protocols/uniswap/pool-key.ts'
import { sqrtPriceAt } from '../../../base/protocols/uniswap/ticks.ts'
import { deploymentOf, type TokenTerms } from './build.ts'
import type { V4Contracts } from './contracts.ts'

export const LAUNCH_STEPS = ['deploy', 'vest', 'approve', 'list'] as const
export type LaunchStep = (typeof LAUNCH_STEPS)[number]
/** An unsigned transaction of the creator's wallet. `to` is null for the deployment. */
export type LaunchCall = { step: LaunchStep; to: Address | null; data: Hex }

/** A launch as it is prepared. Amounts are base units of the token. */
export type Launch = {
  terms: TokenTerms
  origin: Origin
  creator: Address
  token: Address
  key: PoolKey
  startTick: number
  lowerTick: number
  upperTick: number
  liquidity: bigint
  vestingSeconds: bigint
  /** Unix seconds until which the listing may be mined. */
  deadline: bigint
}

const PERMIT2_ABI = parseAbi([
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
])
const LOCKUP_ABI = parseAbi([
  'struct Create { address sender; address recipient; uint128 depositAmount; address token; bool cancelable; bool transferable; string shape; }',
  'struct Unlock { uint128 start; uint128 cliff; }',
  'struct Durations { uint40 cliff; uint40 total; }',
  'function createWithDurationsLL(Create params, Unlock unlockAmounts, uint40 granularity, Durations durations) payable returns (uint256 streamId)',
])
const MINT = parseAbiParameters(
  '(address currency0, address currency1, uint24 fee, int24 tickSpacing, address hooks) key, int24 tickLower, int24 tickUpper, uint256 liquidity, uint128 amount0Max, uint128 amount1Max, address owner, bytes hookData',
)
/** Actions of the PositionManager: MINT_POSITION, SETTLE_PAIR. */
const MINT_AND_SETTLE: Hex = '0x020d'

/** The deployer of contracts by CREATE2 that stands on every chain of the OP Stack, and on the embedded one. It has no owner. */
export const CREATE2_DEPLOYER: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

/** The origin of a token's address: the account's nonce, or a salt and the bytes for a wallet that is a contract. */
export type Origin = { nonce: bigint; salt: null } | { nonce: null; salt: Hex }

/** The address of the token, before it is there. */
export const tokenAddressOf = ({ nonce, salt }: Origin, terms: TokenTerms): Address =>
  nonce !== null
    ? getContractAddress({ from: terms.creator, nonce })
    : getContractAddress({
        opcode: 'CREATE2',
        from: CREATE2_DEPLOYER,
        salt,
        bytecode: deploymentOf(terms),
      })

/** The launch's transactions, in their order. Without a kept part there is nothing to vest. */
export function callsOf(launch: Launch, v4: V4Contracts): LaunchCall[] {
  const { terms, origin } = launch
  const vest: LaunchCall = { step: 'vest', to: terms.lockup, data: vestData(launch) }
  return [
    deployCall(terms, origin),
    ...(terms.kept > 0n ? [vest] : []),
    { step: 'approve', to: PERMIT2, data: approveData(launch, v4) },
    { step: 'list', to: v4.positionManager, data: listData(launch) },
  ]
}

function deployCall(terms: TokenTerms, { salt }: Origin): LaunchCall {
  const data = deploymentOf(terms)
  return salt === null
    ? { step: 'deploy', to: null, data }
    : { step: 'deploy', to: CREATE2_DEPLOYER, data: concatHex([salt, data]) }
}

/** Linear from now on, without a cliff. Nobody can cancel the stream or hand it on. */
const vestData = ({ terms, creator, token, vestingSeconds }: Launch): Hex =>
  encodeFunctionData({
    abi: LOCKUP_ABI,
    functionName: 'createWithDurationsLL',
    args: [
      {
        sender: creator,
        recipient: creator,
        depositAmount: terms.kept,
        token,
        cancelable: false,
        transferable: false,
        shape: 'linear',
      },
      { start: 0n, cliff: 0n },
      0,
      { cliff: 0, total: Number(vestingSeconds) },
    ],
  })

/** The PositionManager may take what is sold, until the listing's own deadline. */
const approveData = ({ terms, token, deadline }: Launch, v4: V4Contracts): Hex =>
  encodeFunctionData({
    abi: PERMIT2_ABI,
    functionName: 'approve',
    args: [token, v4.positionManager, terms.supply - terms.kept, Number(deadline)],
  })

/** Makes the pool and puts all that is sold into it. A pool that somebody made at a higher price would take USDC: none is given. */
function listData(launch: Launch): Hex {
  const { key, terms, token, creator, deadline } = launch
  const sold = terms.supply - terms.kept
  const [most0, most1] = key.currency0 === token ? [sold, 0n] : [0n, sold]
  const mint = encodeAbiParameters(MINT, [
    key,
    launch.lowerTick,
    launch.upperTick,
    launch.liquidity,
    most0,
    most1,
    creator,
    '0x',
  ])
  const settle = encodeAbiParameters(parseAbiParameters('address, address'), [
    key.currency0,
    key.currency1,
  ])
  const unlock = encodeAbiParameters(parseAbiParameters('bytes, bytes[]'), [
    MINT_AND_SETTLE,
    [mint, settle],
  ])
  const abi = positionManagerAbi
  const start = sqrtPriceAt(launch.startTick)
  return encodeFunctionData({
    abi,
    functionName: 'multicall',
    args: [
      [
        encodeFunctionData({ abi, functionName: 'initializePool', args: [key, start] }),
        encodeFunctionData({ abi, functionName: 'modifyLiquidities', args: [unlock, deadline] }),
      ],
    ],
  })
}
