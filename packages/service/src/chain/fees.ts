import type { Head } from './head.ts'

/** Wei per gas. */
export type Fees = { maxFee: bigint; maxTip: bigint }

const MIN_TIP = 1_000_000n
/** The base fee may triple before a transaction has to wait; rising by an eighth a block, that takes nine blocks. */
const BASE_FEE_ROOM = 3n

/** Fees for a transaction that is signed now. They are at least an eighth above those of an earlier attempt. */
export function feesFor(head: Head, before?: Fees): Fees {
  const more = (fee: bigint): bigint => (fee * 9n) / 8n + 1n
  const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)
  const maxTip = before ? max(more(before.maxTip), MIN_TIP) : MIN_TIP
  const asked = head.baseFee * BASE_FEE_ROOM + maxTip
  return { maxTip, maxFee: before ? max(more(before.maxFee), asked) : asked }
}
