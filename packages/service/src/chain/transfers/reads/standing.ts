import type { Hex } from '../../../base/kernel/assets.ts'
import { unixSeconds } from '../../../base/kernel/clock.ts'
import type { TransferAuthorization } from '../../../base/protocols/evm/eip3009/authorization.ts'
import type { Rail } from '../../client/chain.ts'
import {
  isAuthorizationUsed,
  type MinedTransaction,
  readBlock,
  readTransaction,
  type TransferLogAt,
} from '../../client/reads.ts'
import { findAuthorizationUse, findCancellation } from './find-use.ts'

/** The transfer that an EIP-3009 authorization makes. */
export type AgreedTransfer = Pick<TransferAuthorization, 'from' | 'to' | 'value' | 'nonce'>

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
  rail: Rail,
  agreed: AgreedTransfer,
  fromBlock: bigint,
): Promise<TransferLogAt | undefined> {
  const use = await findAuthorizationUse(rail, agreed, fromBlock)
  return use && transferIn(await readTransaction(rail, use.txHash), agreed)
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
  rail: Rail,
  agreed: AgreedTransfer,
  { sentHash, fromBlock }: { sentHash: Hex; fromBlock: bigint },
): Promise<TransferEnd> {
  const own = await readTransaction(rail, sentHash)
  const log = transferIn(own, agreed) ?? (await findTransfer(rail, agreed, fromBlock))
  if (log) return { kind: 'paid', log, own }
  if (!own) return { kind: 'open' }
  if (!(await isAuthorizationUsed(rail, agreed.from, agreed.nonce))) return { kind: 'refused' }
  const cancelled = await findCancellation(rail, agreed, fromBlock)
  return own.isSafe && cancelled ? { kind: 'refused' } : { kind: 'open' }
}

/** The transaction that used an authorization. */
export type Use = { txHash: Hex; blockNumber: bigint }
type Authorization = Pick<AgreedTransfer, 'from' | 'nonce'>

/** The transaction that used the authorization since `fromBlock`, by the newest block. */
export async function findUse(
  rail: Rail,
  authorization: Authorization,
  fromBlock: bigint,
): Promise<Use | undefined> {
  if (!(await isAuthorizationUsed(rail, authorization.from, authorization.nonce))) return undefined
  return findAuthorizationUse(rail, authorization, fromBlock)
}

/** The state of an authorization. `never`: it expired unused, and no block can use it any more. */
export type UseStanding =
  | { kind: 'used'; use: Use; isSafe: boolean }
  | { kind: 'never' }
  | { kind: 'open' }

/**
 * Reads whether an authorization was used. The safe block is read first, so a use found later is either in it or not
 * safe. `never` takes a safe block past `validBefore`, so a node that lags behind cannot make a used authorization look
 * unused.
 */
export async function readUse(
  rail: Rail,
  authorization: Authorization,
  of: { fromBlock: bigint; validBefore: bigint },
): Promise<UseStanding> {
  const { from, nonce } = authorization
  const safe = await readBlock(rail, 'safe')
  const use = await findUse(rail, authorization, of.fromBlock)
  if (use) return { kind: 'used', use, isSafe: use.blockNumber <= safe.number }
  if (unixSeconds(safe.at) <= of.validBefore) return { kind: 'open' }
  return { kind: (await isAuthorizationUsed(rail, from, nonce, safe.number)) ? 'open' : 'never' }
}

/** The state of a transfer in the safe block. `open` is not decided yet. */
export type Standing = { kind: 'paid'; log: TransferLogAt } | { kind: 'open' } | { kind: 'missing' }

/**
 * Reads the state, in the safe block, of a transfer that a newer block showed. `sentHash` is our own transaction if it
 * was mined; `validBefore` is in Unix seconds.
 */
export async function readStanding(
  rail: Rail,
  agreed: AgreedTransfer,
  of: { fromBlock: bigint; validBefore: bigint; sentHash: Hex | undefined },
): Promise<Standing> {
  const standing = await readUse(rail, agreed, of)
  if (standing.kind === 'never') return { kind: 'missing' }
  if (standing.kind === 'open')
    return { kind: (await isLost(rail, agreed, of)) ? 'missing' : 'open' }
  if (!standing.isSafe) return { kind: 'open' }
  const log = transferIn(await readTransaction(rail, standing.use.txHash), agreed)
  return log ? { kind: 'paid', log } : { kind: 'open' }
}

/** Whether a safe block holds the cancellation, or our own transaction, which then had no effect. */
async function isLost(
  rail: Rail,
  { from, nonce }: Authorization,
  { fromBlock, sentHash }: { fromBlock: bigint; sentHash: Hex | undefined },
): Promise<boolean> {
  const safe = await readBlock(rail, 'safe')
  // If it is used without a cancellation, the node does not have the logs yet.
  const found = (await isAuthorizationUsed(rail, from, nonce, safe.number))
    ? await findCancellation(rail, { from, nonce }, fromBlock)
    : sentHash && (await readTransaction(rail, sentHash))
  return found !== undefined && found.blockNumber <= safe.number
}
