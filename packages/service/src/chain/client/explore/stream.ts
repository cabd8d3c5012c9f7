import { encodeFunctionData, parseAbi } from 'viem'
import type { Address } from '../../../base/kernel/assets.ts'
import type { Chain } from '../chain.ts'
import { MINI_LOCKUP } from '../markets/lockups.ts'
import { addressOf, readWords, type WordRead } from '../tokens/read-words.ts'

/** The reads that Sablier Lockup and its stand-in share; each answers one word. */
const ABI = parseAbi([
  'function getRecipient(uint256 streamId) view returns (address)',
  'function getUnderlyingToken(uint256 streamId) view returns (address)',
  'function getDepositedAmount(uint256 streamId) view returns (uint128)',
  'function getWithdrawnAmount(uint256 streamId) view returns (uint128)',
  'function withdrawableAmountOf(uint256 streamId) view returns (uint128)',
  'function getStartTime(uint256 streamId) view returns (uint40)',
  'function getEndTime(uint256 streamId) view returns (uint40)',
])
type Getter = (typeof ABI)[number]['name']

const readOf = (contract: Address, functionName: Getter, streamId: bigint): WordRead => ({
  target: contract,
  data: encodeFunctionData({ abi: ABI, functionName, args: [streamId] }),
})

/** Reads of what was put into a stream, and of what has been taken out. */
export const streamReads = (
  contract: Address,
  streamId: bigint,
): { read: WordRead; less: WordRead } => ({
  read: readOf(contract, 'getDepositedAmount', streamId),
  less: readOf(contract, 'getWithdrawnAmount', streamId),
})

export type ShownStream = {
  recipient: Address
  token: Address
  /** Base units. */
  deposited: bigint
  withdrawn: bigint
  withdrawable: bigint
  startsAt: Date
  endsAt: Date
}

/** A stream of the development chain's lockup; undefined if there is none of this id. Throws `chain_unavailable`. */
export async function readShownStream(
  chain: Chain,
  streamId: bigint,
): Promise<ShownStream | undefined> {
  const words = await readWords(
    chain,
    ABI.map(({ name }) => readOf(MINI_LOCKUP, name, streamId)),
  )
  const [recipient, token, deposited, withdrawn, withdrawable, start, end] = words
  if (recipient === undefined || token === undefined || deposited === undefined) return undefined
  return {
    recipient: addressOf(recipient),
    token: addressOf(token),
    deposited,
    withdrawn: withdrawn ?? 0n,
    withdrawable: withdrawable ?? 0n,
    startsAt: new Date(Number(start ?? 0n) * 1000),
    endsAt: new Date(Number(end ?? 0n) * 1000),
  }
}
