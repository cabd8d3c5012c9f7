import { type Abi, parseAbi } from 'viem'
import { assert } from '../../../base/kernel/assert.ts'
import type { Address } from '../../../base/kernel/assets.ts'
import { askedOnce } from '../per-chain.ts'
import { hasCode } from '../reads.ts'

/** The lockup of every development chain. */
export const MINI_LOCKUP: Address = '0x5075727365720000000000000000000000000005'

/** A contract whose streams count as vesting. `alias` names it in the public address of a stream; null for our own. */
export type Lockup = { readonly address: Address; readonly alias: string | null; readonly abi: Abi }

const COMMON =
  'struct Common { address funder; address sender; address recipient; uint128 depositAmount; address token; bool cancelable; bool transferable; Timestamps timestamps; string shape; }'
const TIMES = 'struct Timestamps { uint40 start; uint40 end; }'
const UNLOCK = 'struct Unlock { uint128 start; uint128 cliff; }'
/** Sablier Lockup 4.0, and ours. */
const V4_ABI = parseAbi([
  TIMES,
  UNLOCK,
  COMMON,
  'event CreateLockupLinearStream(uint256 indexed streamId, Common commonParams, uint40 cliffTime, uint40 granularity, Unlock unlockAmounts)',
])
const V3_ABI = parseAbi([
  TIMES,
  UNLOCK,
  COMMON,
  'event CreateLockupLinearStream(uint256 indexed streamId, Common commonParams, uint40 cliffTime, Unlock unlockAmounts)',
])
const V2_ABI = parseAbi([
  TIMES,
  UNLOCK,
  'struct Amounts { uint128 deposit; uint128 brokerFee; }',
  'struct Common { address funder; address sender; address recipient; Amounts amounts; address token; bool cancelable; bool transferable; Timestamps timestamps; string shape; address broker; }',
  'event CreateLockupLinearStream(uint256 indexed streamId, Common commonParams, uint40 cliffTime, Unlock unlockAmounts)',
])
const V1_ABI = parseAbi([
  'struct Amounts { uint128 deposit; uint128 brokerFee; }',
  'struct Timestamps { uint40 start; uint40 cliff; uint40 end; }',
  'event CreateLockupLinearStream(uint256 streamId, address funder, address indexed sender, address indexed recipient, Amounts amounts, address indexed token, bool cancelable, bool transferable, Timestamps timestamps, address broker)',
])

/** Sablier's deployments, newest first. The embedded chain has the id of Base Sepolia. */
const LOCKUPS: Readonly<Record<number, readonly Lockup[]>> = {
  8453: [
    { address: '0xc19a09A66887017F603E5dF420ed3Cb9a5c07C0A', alias: 'LK3', abi: V4_ABI },
    { address: '0xe261B366f231B12FCB58D6BbD71e57fAEE82431D', alias: 'LK2', abi: V3_ABI },
    { address: '0xb5D78DD3276325f5FAF3106Cc4Acc56E28e0Fe3B', alias: 'LK', abi: V2_ABI },
    { address: '0x4CB16D4153123A74Bc724d161050959754f378D8', alias: 'LL3', abi: V1_ABI },
  ],
  84532: [
    { address: '0xA65A1ecEf02C2B9BDc604951c6A6D02335D4532e', alias: 'LK3', abi: V4_ABI },
    { address: '0x5C51EA827Bfa65f7c9AF699e19Ec9fB12A2D40E2', alias: 'LK2', abi: V3_ABI },
    { address: '0xa4777CA525d43a7aF55D45b11b430606d7416f8d', alias: 'LK', abi: V2_ABI },
    { address: '0xFE7fc0Bbde84C239C0aB89111D617dC7cc58049f', alias: 'LL3', abi: V1_ABI },
    // No key leads to this address, so that only a development chain can have code there.
    { address: MINI_LOCKUP, alias: null, abi: V4_ABI },
  ],
}

/** The lockups whose streams count on a chain of this id. */
export const lockupsOf = (chainId: number): readonly Lockup[] => LOCKUPS[chainId] ?? []

/** The lockup that new tokens are vested in: ours on the development chain, Sablier's newest elsewhere. Asked once. */
export const findLockup = askedOnce(
  async (chain): Promise<Address> => {
    const known = lockupsOf(chain.chainId)
    const [newest] = known
    assert(newest, 'a chain with Uniswap v4 has a lockup')
    const own = known.find(({ address }) => address === MINI_LOCKUP)
    return own && (await hasCode(chain, own.address)) ? own.address : newest.address
  },
  () => true,
)
