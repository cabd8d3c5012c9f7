import type { Address, Hex } from '../../../base/kernel/assets.ts'
import { UPTO_PERMIT2_PROXY } from '../../../base/protocols/evm/permit2/abi.ts'
import type { Chain } from '../../client/chain.ts'
import { railAt } from '../../client/rails.ts'
import { readTransaction, type TransferLogAt } from '../../client/reads.ts'
import { findAuthorizationUse } from './find-use.ts'
import {
  type AgreedPermit,
  findPermitTransfer,
  findRecentPermitTransfer,
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
  transferIn,
} from './standing.ts'

/** A payer's signed transfer that a relayer submits, by either method. */
export type ClaimedTransfer = {
  payer: Address
  payTo: Address
  amount: bigint
  nonce: Hex
  /** No earlier block can hold it. */
  fromBlock: bigint
  token: Address
} & (
  | { method: 'eip3009' }
  | {
      method: 'permit2' | 'upto'
      /** The transaction that it was reported to be in. */
      txHash: Hex | null
      /** Whether a log has not yet paid for anything else. */
      isFree(log: TransferLogAt): Promise<boolean>
    }
)
type ClaimedPermit = Exclude<ClaimedTransfer, { method: 'eip3009' }>

/** Reads how the transfer ended, in our transaction or in another one that was first. */
export async function readClaimedEnd(
  chain: Chain,
  claimed: ClaimedTransfer,
  sentHash: Hex,
): Promise<TransferEnd> {
  const { fromBlock } = claimed
  if (claimed.method === 'eip3009')
    return readTransferEnd(railAt(chain, claimed.token), agreedBy(claimed), {
      sentHash,
      fromBlock,
    })
  const permit = soughtBy(claimed)
  const paid =
    (await permitTransferIn(chain, sentHash, permit)) ??
    (await findPermitTransfer(chain, permit, fromBlock))
  if (paid)
    return { kind: 'paid', log: { txHash: paid.txHash, logIndex: paid.logIndex }, own: undefined }
  const isRefused = await isPermitRefused(chain, permitOf(claimed), sentHash)
  return { kind: isRefused ? 'refused' : 'open' }
}

/** Finds the transfer if somebody else submitted it, in a block that was made at `since` or later. */
export async function findSubmittedSince(
  chain: Chain,
  claimed: ClaimedTransfer,
  since: Date,
): Promise<TransferLogAt | undefined> {
  const { fromBlock } = claimed
  if (claimed.method !== 'eip3009')
    return findRecentPermitTransfer(chain, soughtBy(claimed), { fromBlock, since })
  const agreed = agreedBy(claimed)
  const rail = railAt(chain, claimed.token)
  const use = await findAuthorizationUse(rail, agreed, fromBlock)
  const mined = use && (await readTransaction(rail, use.txHash))
  return mined && mined.at >= since ? transferIn(mined, agreed) : undefined
}

/** The state of the transfer in the safe block. `sentHash` is our own transaction if one was mined. */
export function readClaimedStanding(
  chain: Chain,
  claimed: ClaimedTransfer,
  { sentHash, validBefore }: { sentHash: Hex | undefined; validBefore: bigint },
): Promise<Standing> {
  const of = { fromBlock: claimed.fromBlock, validBefore, sentHash }
  return claimed.method === 'eip3009'
    ? readStanding(railAt(chain, claimed.token), agreedBy(claimed), of)
    : readPermitTransferStanding(chain, soughtBy(claimed), { ...of, reportedHash: claimed.txHash })
}

const agreedBy = ({ payer, payTo, amount, nonce }: ClaimedTransfer): AgreedTransfer => ({
  from: payer,
  to: payTo,
  value: amount,
  nonce,
})

const permitOf = (claimed: ClaimedPermit): AgreedPermit => ({
  ...agreedBy(claimed),
  token: claimed.token,
  ...(claimed.method === 'upto' ? { proxy: UPTO_PERMIT2_PROXY } : {}),
})

const soughtBy = (claimed: ClaimedPermit): SoughtPermit => ({
  ...permitOf(claimed),
  isFree: claimed.isFree,
})
