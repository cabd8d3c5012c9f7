import type { Hex } from '../kernel/assets.ts'
import { unixSeconds } from '../kernel/clock.ts'
import type { TransferAuthorization } from '../protocols/evm/eip3009/authorization.ts'
import type { Chain } from './chain.ts'
import {
  findAuthorizationUse,
  findCancellation,
  isAuthorizationUsed,
  type MinedTransaction,
  readBlock,
  readTransaction,
} from './reads.ts'

/** A transfer that an EIP-3009 authorization makes, as it was agreed. */
export type AgreedTransfer = Pick<TransferAuthorization, 'from' | 'to' | 'value' | 'nonce'>
/** Where the chain shows a transfer. */
export type TransferLogAt = { txHash: Hex; logIndex: number }

/** The agreed transfer in a mined transaction. It is told by its authorization: one may hold several of the same payer and amount. */
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

/** The agreed transfer wherever the chain shows it since `fromBlock`: whoever carried it there made the same one. */
export async function findTransfer(
  chain: Chain,
  agreed: AgreedTransfer,
  fromBlock: bigint,
): Promise<TransferLogAt | undefined> {
  const use = await findAuthorizationUse(chain, agreed, fromBlock)
  return use && transferIn(await readTransaction(chain, use.txHash), agreed)
}

/**
 * Whether the token has refused the transfer for good in our transaction `hash`. An RPC may know the block and not yet
 * its logs, so a used authorization without a transfer is a cancelled one only where the cancellation is seen: else the
 * money has moved, and is waited for.
 */
export async function isTransferRefused(
  chain: Chain,
  agreed: AgreedTransfer,
  { hash, fromBlock }: { hash: Hex; fromBlock: bigint },
): Promise<boolean> {
  const own = await readTransaction(chain, hash)
  if (!own) return false
  if (!(await isAuthorizationUsed(chain, agreed.from, agreed.nonce))) return true
  const cancelled = await findCancellation(chain, agreed, fromBlock)
  return own.isSafe && cancelled !== undefined
}

/** What the safe block says of a transfer: `open` is not decided yet. */
export type Standing = { kind: 'paid'; log: TransferLogAt } | { kind: 'open' } | { kind: 'missing' }

/**
 * What the safe block says of a transfer that a younger block showed. It is read first: what is found later is older
 * than it or not safe. `sentHash` is our own transaction where one was mined, `validBefore` Unix seconds.
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
    // Cancelled; or used, and the node that was asked has not its logs yet.
    const cancelled = await findCancellation(chain, agreed, of.fromBlock)
    return cancelled && cancelled.blockNumber <= safe.number
      ? { kind: 'missing' }
      : { kind: 'open' }
  }
  const isOver =
    unixSeconds(safe.at) > of.validBefore || (await isInBlock(chain, of.sentHash, safe.number))
  return isOver ? { kind: 'missing' } : { kind: 'open' }
}

/** Whether our own transaction stands in a safe block, where it had no effect. */
async function isInBlock(chain: Chain, hash: Hex | undefined, safe: bigint): Promise<boolean> {
  const mined = hash && (await readTransaction(chain, hash))
  return mined !== undefined && mined.blockNumber <= safe
}
