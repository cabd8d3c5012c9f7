import { isAddressEqual, parseAbi, parseEventLogs } from 'viem'
import type { Address, Hex } from '../../kernel/assets.ts'

/** The event by which BatchSettler says that it moved an allowance. */
export const pulledAbi = parseAbi([
  'event Pulled(bytes32 indexed ref, address indexed from, address indexed to, address token, uint256 value)',
])

type Log = Parameters<typeof parseEventLogs<typeof pulledAbi, true, 'Pulled'>>[0]['logs'][number]
type Transfer = { txHash: Hex; logIndex: number; from: Address; to: Address }

/** The refs of the pulls that made these transfers, by place: the token logs its transfer before the contract's event. */
export function refsOfPulls(
  logs: readonly Log[],
  {
    settler,
    token,
    transfers,
  }: { settler: Address; token: Address; transfers: readonly Transfer[] },
): Map<string, Hex> {
  const refs = new Map<string, Hex>()
  const events = parseEventLogs({ abi: pulledAbi, eventName: 'Pulled', logs: [...logs] })
  for (const { address, args, logIndex, transactionHash } of events) {
    if (!isAddressEqual(address, settler) || !isAddressEqual(args.token, token)) continue
    const made = transfers.findLast(
      (one) =>
        one.txHash === transactionHash &&
        one.logIndex < logIndex &&
        isAddressEqual(one.from, args.from) &&
        isAddressEqual(one.to, args.to) &&
        !refs.has(placeOf(one)),
    )
    if (made) refs.set(placeOf(made), args.ref.toLowerCase() as Hex)
  }
  return refs
}

/** A log's place on its chain. */
export const placeOf = (log: { txHash: string; logIndex: number }): string =>
  `${log.txHash} ${log.logIndex}`
