import { type AbiFunction, type Hex, parseAbi, toFunctionSelector } from 'viem'
import { credentialMarketAbi } from '../../../base/protocols/evm/credential-market.ts'
import { eip3009Abi } from '../../../base/protocols/evm/eip3009/abi.ts'
import { positionManagerAbi } from '../../../base/protocols/uniswap/abi.ts'
import { vaultAbi } from '../identity/vault.ts'
import { multicallAbi } from '../multicall.ts'
import { tokenAbi } from '../tokens/calls.ts'

/** Calls of wallets and relayers that no ABI of this room has. */
const OTHERS = parseAbi([
  'function mint(address to, uint256 amount)',
  'function setApprovalForAll(address operator, bool approved)',
  'function safeTransferFrom(address from, address to, uint256 tokenId)',
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
  'function createAccount(address implementation, bytes32 salt, uint256 chainId, address tokenContract, uint256 tokenId)',
  'function execute(address to, uint256 value, bytes data, uint8 operation) payable',
  'function withdraw(uint256 streamId, address to, uint128 amount) payable',
  'struct Create { address sender; address recipient; uint128 depositAmount; address token; bool cancelable; bool transferable; string shape; }',
  'struct Unlock { uint128 start; uint128 cliff; }',
  'struct Durations { uint40 cliff; uint40 total; }',
  'function createWithDurationsLL(Create params, Unlock unlockAmounts, uint40 granularity, Durations durations) payable',
  'struct Authorization { address from; address to; uint256 value; uint256 validAfter; uint256 validBefore; bytes32 nonce; bytes signature; }',
  'struct Pull { address from; address to; uint256 value; bytes32 ref; }',
  'function settle(address token, uint256 gasPerItem, Authorization[] items)',
  'function pull(address token, uint256 gasPerItem, Pull[] items)',
])
const FUNCTIONS = [
  ...OTHERS,
  ...tokenAbi,
  ...eip3009Abi,
  ...multicallAbi,
  ...vaultAbi,
  ...credentialMarketAbi,
  ...positionManagerAbi,
].filter((item): item is AbiFunction & typeof item => item.type === 'function')

const NAMES = new Map(FUNCTIONS.map((item) => [toFunctionSelector(item), item.name]))

/** The function's name by the first four bytes of a call; undefined for one that we do not know. */
export const functionName = (selector: string): string | undefined => NAMES.get(selector as Hex)
