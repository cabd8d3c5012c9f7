import {
  findAuthorizationUse,
  findCancellation,
  isAuthorizationUsed,
  readBlock,
  readTransaction,
} from '../chain/reads.ts'
import { findSend } from '../chain/sender-carry.ts'
import type { Tx } from '../db/sql.ts'
import type { Services } from '../http/services.ts'
import { enqueue } from '../jobs/queue.ts'
import type { Address, Hex } from '../kernel/assets.ts'
import { unixSeconds } from '../kernel/clock.ts'
import type { PaidLog } from './credit.ts'
import {
  findConfirmation,
  findLinkById,
  findSettlement,
  type Settlement,
  saveConfirmed,
  saveMissing,
} from './store.ts'

export const CONFIRM_TASK = 'confirm_link_settlement'
/** Seconds to the next look at the chain: each waits longer, as a safe block on Base is minutes old. */
const LOOK_FIRST_SECONDS = 3
const LOOK_LAST_SECONDS = 60

/** A reorganisation may bring a transaction into a block that is lower than the newest was. */
export const REORGANISATION_BLOCKS = 32n
export const settleRef = (id: string): string => `settle:${id}`

/** The job that looks at a credited settlement until its block is safe. */
export const confirmLater = (tx: Tx, id: string, looks: number): Promise<void> =>
  enqueue(
    tx,
    CONFIRM_TASK,
    { id, looks },
    {
      key: `confirm:${id}`,
      delaySeconds: Math.min(LOOK_FIRST_SECONDS * (looks + 1), LOOK_LAST_SECONDS),
    },
  )

/**
 * Looks once whether a settlement that was credited at its first confirmation is in a safe block. A reorganisation that
 * takes its block away is waited out: the relayer sends it again. What a safe block says was never paid is marked and
 * logged as an alarm; nothing takes the credit back by itself. True once it is known. Should a missing one
 * be paid after all, the watcher hands it to `settleOnChain`, which takes it for this settlement.
 */
export async function confirmSettlement(services: Services, id: string): Promise<boolean> {
  const { db, log } = services
  const settlement = await findSettlement(db.reader, id)
  const confirmation = await findConfirmation(db.reader, id)
  if (settlement?.state !== 'settled' || confirmation?.state !== 'waiting') return true
  const standing = await readStanding(services, settlement, confirmation.validBefore)
  if (standing.kind === 'paid') {
    const { network } = settlement
    await db.write((tx) => saveConfirmed(tx, { id, network, log: standing.log }))
    return true
  }
  if (standing.kind === 'open') return false
  if (await db.write((tx) => saveMissing(tx, id)))
    log.error(
      { settlement: id, payer: settlement.payer, txHash: settlement.txHash },
      'a payment that was credited is not on the chain: a reorganisation took it away, and it was not made again',
    )
  return true
}

type Standing = { kind: 'paid'; log: PaidLog } | { kind: 'open' } | { kind: 'missing' }

/** What the safe block says of the payment. It is read first: what is found later is older than it or not safe. */
async function readStanding(
  services: Services,
  settlement: Settlement,
  validBefore: bigint,
): Promise<Standing> {
  const { chain, db } = services
  const safe = await readBlock(chain, 'safe')
  const authorization = { from: settlement.payer as Address, nonce: settlement.authNonce as Hex }
  const fromBlock = settlement.fromBlock ?? 0n
  const use = await findAuthorizationUse(chain, authorization, fromBlock)
  if (use && use.blockNumber > safe.number) return { kind: 'open' }
  if (use) {
    const link = await findLinkById(db.reader, settlement.payLinkId)
    const mined = await readTransaction(chain, use.txHash)
    const log = mined?.transfers.find(
      (transfer) =>
        transfer.authNonce === settlement.authNonce &&
        transfer.from === settlement.payer &&
        transfer.to === link?.depositAddress,
    )
    return log
      ? { kind: 'paid', log: { txHash: use.txHash, logIndex: log.logIndex } }
      : { kind: 'open' }
  }
  const { from, nonce } = authorization
  if (await isAuthorizationUsed(chain, from, nonce, safe.number)) {
    // Cancelled; or used, and the node that was asked has not its logs yet.
    const cancelled = await findCancellation(chain, authorization, fromBlock)
    return cancelled && cancelled.blockNumber <= safe.number
      ? { kind: 'missing' }
      : { kind: 'open' }
  }
  const isOver =
    unixSeconds(safe.at) > validBefore || (await isSentInVain(services, settlement.id, safe.number))
  return isOver ? { kind: 'missing' } : { kind: 'open' }
}

/** Whether our own transaction stands in a safe block, where it had no effect. */
async function isSentInVain(services: Services, id: string, safe: bigint): Promise<boolean> {
  const send = await findSend(services, settleRef(id))
  if (send?.state !== 'mined' || !send.hash) return false
  const mined = await readTransaction(services.chain, send.hash)
  return mined !== undefined && mined.blockNumber <= safe
}
