import { getAddress, isAddressEqual, parseEventLogs, type TransactionReceipt } from 'viem'
import type { Address } from '../../../base/kernel/assets.ts'
import type { Chain } from '../chain.ts'
import { type Lockup, lockupsOf } from './lockups.ts'

/** A vesting stream as its creation log describes it. Amounts are base units; times are Unix seconds. */
export type Stream = {
  lockup: Lockup
  streamId: bigint
  funder: Address
  sender: Address
  recipient: Address
  token: Address
  /** Without what becomes free at the start or at the cliff. */
  locked: bigint
  isCancelable: boolean
  isTransferable: boolean
  starts: number
  ends: number
}

type Unlock = { start: bigint; cliff: bigint }
type Times = { start: number; end: number }
type Shared = {
  funder: Address
  sender: Address
  recipient: Address
  token: Address
  cancelable: boolean
  transferable: boolean
  timestamps: Times
}
type Args = { streamId: bigint } & (
  | {
      commonParams: Shared & ({ depositAmount: bigint } | { amounts: { deposit: bigint } })
      unlockAmounts: Unlock
    }
  | (Shared & { amounts: { deposit: bigint } })
)

/** The linear streams that the transaction made in lockups of our list. A log of any other contract is none. */
export const streamsIn = ({ chainId }: Chain, { logs }: TransactionReceipt): Stream[] =>
  lockupsOf(chainId).flatMap((lockup) => {
    const own = logs.filter(({ address }) => isAddressEqual(address, lockup.address))
    return parseEventLogs({ abi: lockup.abi, logs: own }).map((log) =>
      streamOf(lockup, (log as unknown as { args: Args }).args),
    )
  })

function streamOf(lockup: Lockup, args: Args): Stream {
  const shared = 'commonParams' in args ? args.commonParams : args
  const deposit = 'depositAmount' in shared ? shared.depositAmount : shared.amounts.deposit
  const free = 'unlockAmounts' in args ? args.unlockAmounts.start + args.unlockAmounts.cliff : 0n
  return {
    lockup,
    streamId: args.streamId,
    funder: getAddress(shared.funder),
    sender: getAddress(shared.sender),
    recipient: getAddress(shared.recipient),
    token: getAddress(shared.token),
    locked: deposit > free ? deposit - free : 0n,
    isCancelable: shared.cancelable,
    isTransferable: shared.transferable,
    starts: shared.timestamps.start,
    ends: shared.timestamps.end,
  }
}
