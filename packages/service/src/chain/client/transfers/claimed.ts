import type { Address, Hex } from '../../../base/kernel/assets.ts'
import { UPTO_PERMIT2_PROXY } from '../../../base/protocols/evm/permit2/abi.ts'
import type { Mechanism } from '../../../base/protocols/x402/challenge.ts'
import type { Chain } from '../chain.ts'
import {
  type AgreedPermit,
  findPermitTransfer,
  isPermitRefused,
  permitTransferIn,
  readPermitTransferStanding,
  type SoughtPermit,
} from './permit2.ts'
import {
  type AgreedTransfer,
  readStanding,
  readTransferEnd,
  type Standing,
  type TransferEnd,
  type TransferLogAt,
} from './standing.ts'

/** A payer's signed transfer that a relayer submits, by either method. */
export type ClaimedTransfer = {
  method: Mechanism
  token: Address
  payer: Address
  payTo: Address
  amount: bigint
  nonce: Hex
  fromBlock: bigint
  /** Unix seconds. */
  validBefore: bigint
  /** The transaction that it was reported to be in. */
  txHash: Hex | null
  /** Whether a log has not yet paid for anything else. */
  isFree(log: TransferLogAt): Promise<boolean>
}

/** Reads how the transfer ended, in our transaction or in another one that was first. */
export async function readClaimedEnd(
  chain: Chain,
  claimed: ClaimedTransfer,
  sentHash: Hex,
): Promise<TransferEnd> {
  const { fromBlock } = claimed
  if (claimed.method === 'eip3009')
    return readTransferEnd(chain, agreedBy(claimed), { sentHash, fromBlock })
  const permit = soughtBy(claimed)
  const paid =
    (await permitTransferIn(chain, sentHash, permit)) ??
    (await findPermitTransfer(chain, permit, fromBlock))
  if (paid)
    return { kind: 'paid', log: { txHash: paid.txHash, logIndex: paid.logIndex }, own: undefined }
  const isRefused = await isPermitRefused(chain, permitOf(claimed), sentHash)
  return { kind: isRefused ? 'refused' : 'open' }
}

/** The state of the transfer in the safe block. */
export function readClaimedStanding(
  chain: Chain,
  claimed: ClaimedTransfer,
  sentHash: Hex | undefined,
): Promise<Standing> {
  const { fromBlock, validBefore, method, txHash: reportedHash } = claimed
  const of = { fromBlock, validBefore, sentHash, reportedHash }
  return method === 'eip3009'
    ? readStanding(chain, agreedBy(claimed), of)
    : readPermitTransferStanding(chain, soughtBy(claimed), of)
}

export const agreedBy = ({ payer, payTo, amount, nonce }: ClaimedTransfer): AgreedTransfer => ({
  from: payer,
  to: payTo,
  value: amount,
  nonce,
})

const permitOf = (claimed: ClaimedTransfer): AgreedPermit => ({
  ...agreedBy(claimed),
  token: claimed.token,
  ...(claimed.method === 'upto' ? { proxy: UPTO_PERMIT2_PROXY } : {}),
})

export const soughtBy = (claimed: ClaimedTransfer): SoughtPermit => ({
  ...permitOf(claimed),
  isFree: claimed.isFree,
})
