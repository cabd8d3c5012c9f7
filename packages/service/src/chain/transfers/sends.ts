import type { Address, Hex } from '../../base/kernel/assets.ts'
import type { Chain } from '../client/chain.ts'
import { readBlock } from '../client/reads.ts'
import type { SendState } from '../relay/store.ts'

/** Whether the send's block is safe, so that no reorganization changes its result. */
export async function isSendSafe(
  chain: Chain,
  { state, blockNumber }: Pick<SendState, 'state' | 'blockNumber'>,
): Promise<boolean> {
  if (state !== 'mined' || blockNumber === null) return false
  return blockNumber <= (await readBlock(chain, 'safe')).number
}

/** Whether no relayer has taken the send, so that it can be withdrawn. */
export const isUnsent = ({ state, nonce, batchId }: SendState): boolean =>
  state === 'queued' && nonce === null && batchId === null

/** The call of a stored send, as it was queued. */
export const callOfSend = ({
  toAddress,
  data,
  gas,
  onlyRelayer,
}: SendState): { to: Address; data: Hex; gas: bigint; by?: Address } => ({
  to: toAddress,
  data: `0x${data.toString('hex')}`,
  gas,
  ...(onlyRelayer ? { by: onlyRelayer } : {}),
})
