import type { Hex } from '../../kernel/assets.ts'
import { unixSeconds } from '../../kernel/clock.ts'
import type { TransferAuthorization } from '../../protocols/evm/eip3009/authorization.ts'
import type { Chain } from '../chain.ts'
import {
  findAuthorizationUse,
  findCancellation,
  isAuthorizationUsed,
  type MinedTransaction,
  readBlock,
  readTransaction,
} from '../reads.ts'

/** The transfer that an EIP-3009 authorization makes. */
export type AgreedTransfer = Pick<TransferAuthorization, 'from' | 'to' | 'value' | 'nonce'>
/** The log that shows a transfer. */
export type TransferLogAt = { txHash: Hex; logIndex: number }

/**
 * The agreed transfer in a mined transaction, found by its nonce: the transaction may hold several transfers of the
 * same payer and amount.
 */
export function transferIn(
  mined: MinedTransaction | undefined,
  agreed: AgreedTransfer,
): TransferLogAt | undefined {
  const log = mined?.transfers.find(
    (transfer) =>
      transfer.authNonce === agreed.nonce &&
      transfer.from === agreed.from &&
      transfer.to === agreed.to &&
      transfer.value === agreed.value,
  )
  return mined && log && { txHash: mined.hash, logIndex: log.logIndex }
}

/**
 * The agreed transfer in any transaction since `fromBlock`. Any sender counts: the authorization allows only this one
 * transfer.
 */
export async function findTransfer(
  chain: Chain,
  agreed: AgreedTransfer,
  fromBlock: bigint,
): Promise<TransferLogAt | undefined> {
  const use = await findAuthorizationUse(chain, agreed, fromBlock)
  return use && transferIn(await readTransaction(chain, use.txHash), agreed)
}

/** How a submitted transfer ended, by the newest blocks. `own` is our transaction, if a block holds it. */
export type TransferEnd =
  | { kind: 'paid'; log: TransferLogAt; own: MinedTransaction | undefined }
  /** The token refused the transfer for good. */
  | { kind: 'refused' }
  | { kind: 'open' }

/** The sentence that explains a refused transfer. */
export const TRANSFER_REFUSED =
  'The token refused the transfer: the balance may have moved, or the authorization been cancelled.'

/**
 * Reads how a transfer ended that we submitted in the transaction `sentHash`: by its log there, or in the transaction
 * of another sender who was first. An RPC may know a block before its logs. So a used authorization without a transfer
 * counts as refused only if its cancellation is found; otherwise the money has moved, and we wait for the log.
 */
export async function readTransferEnd(
  chain: Chain,
  agreed: AgreedTransfer,
  { sentHash, fromBlock }: { sentHash: Hex; fromBlock: bigint },
): Promise<TransferEnd> {
  const own = await readTransaction(chain, sentHash)
  const log = transferIn(own, agreed) ?? (await findTransfer(chain, agreed, fromBlock))
  if (log) return { kind: 'paid', log, own }
  if (!own) return { kind: 'open' }
  if (!(await isAuthorizationUsed(chain, agreed.from, agreed.nonce))) return { kind: 'refused' }
  const cancelled = await findCancellation(chain, agreed, fromBlock)
  return own.isSafe && cancelled ? { kind: 'refused' } : { kind: 'open' }
}

/** The state of a transfer in the safe block. `open` is not decided yet. */
export type Standing = { kind: 'paid'; log: TransferLogAt } | { kind: 'open' } | { kind: 'missing' }

/**
 * Reads the state, in the safe block, of a transfer that a newer block showed. The safe block is read first, so
 * anything found later is either in it or not safe. `sentHash` is our own transaction if it was mined; `validBefore` is
 * in Unix seconds.
 */
export async function readStanding(
  chain: Chain,
  agreed: AgreedTransfer,
  of: { fromBlock: bigint; validBefore: bigint; sentHash: Hex | undefined },
): Promise<Standing> {
  const safe = await readBlock(chain, 'safe')
  const use = await findAuthorizationUse(chain, agreed, of.fromBlock)
  if (use && use.blockNumber > safe.number) return { kind: 'open' }
  if (use) {
    const log = transferIn(await readTransaction(chain, use.txHash), agreed)
    return log ? { kind: 'paid', log } : { kind: 'open' }
  }
  if (await isAuthorizationUsed(chain, agreed.from, agreed.nonce, safe.number)) {
    // Cancelled, or used while the node does not have the logs yet.
    const cancelled = await findCancellation(chain, agreed, of.fromBlock)
    return cancelled && cancelled.blockNumber <= safe.number
      ? { kind: 'missing' }
      : { kind: 'open' }
  }
  const isOver =
    unixSeconds(safe.at) > of.validBefore || (await isInBlock(chain, of.sentHash, safe.number))
  return isOver ? { kind: 'missing' } : { kind: 'open' }
}

/** Whether our own transaction is in a safe block. If so, it had no effect. */
async function isInBlock(chain: Chain, hash: Hex | undefined, safe: bigint): Promise<boolean> {
  const mined = hash && (await readTransaction(chain, hash))
  return mined !== undefined && mined.blockNumber <= safe
}
