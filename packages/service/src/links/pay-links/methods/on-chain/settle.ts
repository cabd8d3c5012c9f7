import type { Uses } from '../../../../api/http/services.ts'
import type { Tx } from '../../../../base/db/sql.ts'
import { enqueue, PRIORITY_LATER } from '../../../../base/jobs/queue.ts'
import { isSystemAddress } from '../../../../base/kernel/address.ts'
import { assert } from '../../../../base/kernel/assert.ts'
import type { Address, Hex } from '../../../../base/kernel/assets.ts'
import { reach } from '../../../../base/kernel/fault-points.ts'
import { newId } from '../../../../base/kernel/ids.ts'
import { type Amount, minus } from '../../../../base/kernel/money.ts'
import { Problem } from '../../../../base/kernel/problem.ts'
import { assetOf, railOf } from '../../../../chain/client/rails.ts'
import {
  type MinedTransaction,
  readTransaction,
  type TransferLog,
} from '../../../../chain/client/reads.ts'
import { feeFor, feeRuleFor } from '../../../../money/settlements/fees.ts'
import {
  findExpectedPayments,
  findSettledBy,
  insertSettlements,
} from '../../../../money/settlements/on-chain/store.ts'
import type { LinkSettlement } from '../../../../money/settlements/settlement.ts'
import { creditException } from '../../../link/arrivals/exceptions.ts'
import { beforeItsEnd, mismatch } from '../../../link/arrivals/mismatch.ts'
import type { PaymentException } from '../../../link/arrivals/store-exceptions.ts'
import { creditSettlement } from '../../../link/credit.ts'
import { closedProblem } from '../../../link/link.ts'
import { lockLink, type PayLink, type PricedLink } from '../../../link/store.ts'
import { findTakenLogs, saveConfirmed } from '../../../link/store-logs.ts'
import { isWorthCarrying } from '../minimum.ts'
import { finishChainPaymentTask, sweepLinkTask } from '../tasks.ts'
import { queueSweep, sweepCall } from './sweep.ts'

export type ChainOutcome =
  | { kind: 'settled'; settlement: LinkSettlement; link: PayLink }
  | { kind: 'exception'; exception: PaymentException }
  | { kind: 'pending' }

const RETRY_SECONDS = 2

/**
 * Settles a link by a transfer that is on the chain already, once its block is safe. Only transfers to the link's own
 * address count, so they were made for this link and after it; each counts once. What does not fit the link is
 * credited to the seller's treasury balance as an exception.
 */
export async function settleOnChain(
  services: Uses<'chain' | 'db' | 'settings'>,
  at: Date,
  paid: { link: PayLink; txHash: Hex; from: Address | null },
): Promise<ChainOutcome> {
  const { chain, db } = services
  const { link, txHash } = paid
  const mined = await readTransaction(railOf(chain, link.asset), txHash)
  if (!mined) return { kind: 'pending' }
  const logs = paymentsIn(mined, paid)
  if (mined.isSafe) reach('pay_links.before_chain_settle')
  const outcome = await db.write(async (tx): Promise<ChainOutcome | undefined> => {
    const locked = await lockLink(tx, at, link.code)
    assert(locked, 'the link exists')
    const taken = await findTakenLogs(tx, { network: link.network, txHash })
    const fresh = logs.filter(({ logIndex }) => !taken.has(logIndex))
    if (fresh.length === 0) throw settledAlready()
    const left = await leaveSettled(tx, { link, fresh, mined })
    if (left.length === 0) return undefined
    const paidAt = mined.at < at ? mined.at : at
    const log = mined.isSafe ? await findFree(tx, paidAt, { link: locked, left }) : undefined
    if (!log || left.length > 1) {
      await finishChainPayment(tx, { link, txHash, delaySeconds: RETRY_SECONDS })
    }
    if (!log) return { kind: 'pending' }
    const ref = newId('stl', at)
    // Dust stays where it is, as a sweep of it would cost more than it brings.
    if (isWorthCarrying(services, log.value)) await sweepSoon(tx, at, { services, link, log, ref })
    return take(tx, at, { services, link: locked, log, txHash, ref, paidAt })
  })
  if (!outcome) throw settledAlready()
  if (outcome.kind !== 'pending') reach('pay_links.after_chain_settle')
  return outcome
}

async function sweepSoon(
  tx: Tx,
  at: Date,
  of: { services: Uses<'chain'>; link: PayLink; log: TransferLog; ref: LinkSettlement['id'] },
): Promise<void> {
  const { services, link, log, ref } = of
  const { chain } = services
  const call = await sweepCall(chain, at, { link, value: log.value, ref })
  await queueSweep(tx, at, { ref, call })
  await enqueue(tx, sweepLinkTask, { linkId: link.id, ref })
}

/**
 * The job that settles a link by a transaction that is on the chain, or records what does not fit it: one for each link
 * and transaction, however often it is reported.
 */
export const finishChainPayment = (
  tx: Tx,
  paid: { link: Pick<PayLink, 'code'>; txHash: Hex; delaySeconds?: number },
): Promise<void> =>
  enqueue(
    tx,
    finishChainPaymentTask,
    { code: paid.link.code, txHash: paid.txHash },
    {
      delaySeconds: paid.delaySeconds ?? 0,
      priority: PRIORITY_LATER,
    },
  )

/**
 * The transfers that have settled nothing yet. One whose authorization has settled something is that same payment,
 * though a reorganization has brought it to another place: that place is taken for it.
 */
async function leaveSettled(
  tx: Tx,
  { link, fresh, mined }: { link: PayLink; fresh: TransferLog[]; mined: MinedTransaction },
): Promise<TransferLog[]> {
  const authorizations = fresh.flatMap(({ from, authNonce }) =>
    authNonce === undefined ? [] : [{ payer: from, nonce: authNonce }],
  )
  if (authorizations.length === 0) return fresh
  const { network, asset } = link
  const settled = await findSettledBy(tx, { network, asset, authorizations })
  const settlementOf = (log: TransferLog) => settled.get(`${log.from} ${log.authNonce}`)
  for (const log of mined.isSafe ? fresh : []) {
    const id = settlementOf(log)
    const { logIndex } = log
    if (id) await saveConfirmed(tx, { id, network, log: { txHash: mined.hash, logIndex } })
  }
  return fresh.filter((log) => settlementOf(log) === undefined)
}

/**
 * A transfer that may be taken now. While a payment by authorization is on its way, a transfer like it may be that
 * one, and whether the link has a use left for another is not known.
 */
async function findFree(
  tx: Tx,
  paidAt: Date,
  { link, left }: { link: PayLink; left: TransferLog[] },
): Promise<TransferLog | undefined> {
  if (closedProblem(beforeItsEnd(link), paidAt)?.code === 'pay_link_busy') return undefined
  const expected = await findExpectedPayments(tx, link.id)
  return left.find((log) => !expected.some((e) => e.payer === log.from && e.amount === log.value))
}

const settledAlready = (): Problem =>
  new Problem(
    'already_settled',
    'This transaction has been accepted before; one transaction pays once.',
  )

function paymentsIn(
  mined: MinedTransaction,
  { link, from }: { link: PayLink; from: Address | null },
): TransferLog[] {
  if (!mined.succeeded)
    throw new Problem(
      'invalid_transaction',
      'The transaction was reverted by the chain; nothing was paid.',
      { param: 'tx_hash' },
    )
  const logs = mined.transfers.filter(
    (transfer) =>
      transfer.to === link.payTo &&
      transfer.value > 0n &&
      !isSystemAddress(transfer.from) &&
      (from === null || transfer.from === from),
  )
  if (logs.length === 0)
    throw new Problem(
      'invalid_transaction',
      `The transaction holds no ${link.asset} transfer${from ? ` from ${from}` : ' of a wallet'} to this link's address ${link.payTo}.`,
      { param: 'tx_hash' },
    )
  return logs
}

type Arrived = {
  services: Uses<'chain' | 'settings'>
  link: PricedLink
  log: TransferLog
  txHash: Hex
  ref: LinkSettlement['id']
  /** When its block was made: what counts for the end of the link. */
  paidAt: Date
}

/** Decides what arrived money is: a settlement, a settlement and an excess, or an exception. */
async function take(tx: Tx, at: Date, arrived: Arrived): Promise<ChainOutcome> {
  const { services, link, log, txHash } = arrived
  const asset = assetOf(services.chain, link)
  const wanted = link.amount ?? log.value
  const reason = mismatch(link, arrived.paidAt, log.value)
  const exceptionOf = (why: PaymentException['reason'], value: Amount) => ({
    link,
    exception: { reason: why, amount: value, payer: log.from },
    log: { txHash, logIndex: log.logIndex },
    isRest: why === 'over',
    asset,
    fee: feeRuleFor(link.feeRule, services.settings.fee),
  })
  if (reason) {
    // Nothing settles, and the money is still at the link's address: a failed settlement row records that.
    await insertSettlements(tx, [
      settlementOf(at, { ...arrived, value: log.value, state: 'failed', reason }),
    ])
    const exception = await creditException(tx, at, exceptionOf(reason, log.value))
    return { kind: 'exception', exception }
  }
  const settlement = settlementOf(at, { ...arrived, value: wanted, state: 'settled', reason: null })
  await insertSettlements(tx, [settlement])
  const used = await creditSettlement(tx, at, {
    link,
    settlement,
    log: { txHash, logIndex: log.logIndex },
    asset,
  })
  if (!used) throw settledAlready()
  if (log.value > wanted)
    await creditException(tx, at, exceptionOf('over', minus(log.value, wanted)))
  return { kind: 'settled', settlement, link: used }
}

function settlementOf(
  at: Date,
  of: Arrived & { value: Amount; state: 'settled' | 'failed'; reason: string | null },
): LinkSettlement {
  return {
    id: of.ref,
    payLinkId: of.link.id,
    protocol: 'onchain',
    payer: of.log.from,
    amount: of.value,
    fee: feeFor(of.value, {
      rule: of.link.feeRule,
      standard: of.services.settings.fee,
    }),
    network: of.link.network,
    asset: of.link.asset,
    state: of.state,
    reason: of.reason,
    authNonce: null,
    fromBlock: of.log.blockNumber,
    txHash: of.txHash,
    isSwept: false,
    createdAt: at,
    settledAt: of.state === 'settled' ? at : null,
  }
}
