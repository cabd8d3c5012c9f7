import type { BuiltEvent } from '../../../api/events/define.ts'
import { record } from '../../../api/events/record.ts'
import type { Tx } from '../../../base/db/sql.ts'
import { assert } from '../../../base/kernel/assert.ts'
import { newId } from '../../../base/kernel/ids.ts'
import { type Amount, least, minus, ZERO } from '../../../base/kernel/money.ts'
import type { Assets } from '../../../chain/client/rails.ts'
import type { TransferLogAt } from '../../../chain/client/reads.ts'
import { release } from '../../../chain/relay/gas/reserve.ts'
import { meterSettlement } from '../../../members/meter/meter.ts'
import { meterAsset } from '../../../members/meter/terms.ts'
import { insertTransactions } from '../../../money/cards/transactions.ts'
import { keepDirectException } from '../../link/arrivals/exceptions.ts'
import { beforeItsEnd, mismatch } from '../../link/arrivals/mismatch.ts'
import type { PaymentException } from '../../link/arrivals/store-exceptions.ts'
import { assetOfLink, closedProblem, completion, leastOf, withUse } from '../../link/link.ts'
import { findLinkById, lockLink, type PayLink, saveLinks } from '../../link/store.ts'
import { takeLog } from '../../link/store-logs.ts'
import { directFailed, directSettled } from '../events.ts'
import { type DirectSettlement, lockDirect, saveFailed, saveSettled } from '../store.ts'
import { worthOf } from '../worth.ts'
import { directRef } from './claim.ts'

/** A transfer that the chain shows, and the part of it that the seller's balance confirms. */
export type Shown = {
  log: TransferLogAt
  arrived: Amount
  /** When its block was made: what counts for the end of the link. */
  paidAt: Date
  isFinal: boolean
}

type Locked = { chain: Assets; link: PayLink; settlement: DirectSettlement }

/** The settlement and its link, both locked, if the settlement has no end yet. */
async function lockOpen(
  tx: Tx,
  at: Date,
  { chain, settlement: { id, payLinkId } }: Pick<Locked, 'chain' | 'settlement'>,
): Promise<Locked | undefined> {
  const found = await findLinkById(tx, payLinkId)
  const link = found && (await lockLink(tx, at, found.code))
  const settlement = await lockDirect(tx, id)
  assert(link && settlement, 'a settlement and its link stay')
  return settlement.state === 'settling' ? { chain, link, settlement } : undefined
}

/**
 * Ends a settlement by its transfer: it settles the link, or is kept as an exception. Either way the money is with the
 * seller, so it is metered, unless it is less than the price or than its fee. A settlement that has ended stays as it is.
 */
export async function takeDirect(
  tx: Tx,
  at: Date,
  of: { chain: Assets; settlement: DirectSettlement; shown: Shown },
): Promise<void> {
  const open = await lockOpen(tx, at, of)
  if (!open) return
  const { shown } = of
  if (isUndecided(open, shown)) return
  const locked = { ...open, link: await freed(tx, at, open, 'settled') }
  const { id, network, nonce } = open.settlement
  const isFree = await takeLog(tx, { network, ...shown.log, directId: id })
  if (!isFree || shown.arrived === ZERO) {
    await failLocked(tx, at, locked, isFree ? NOTHING_ARRIVED : LOG_TAKEN)
    return
  }
  const reason =
    nonce === null ? mismatch(locked.link, shown.paidAt, shown.arrived) : shortOf(open, shown)
  if (reason) await except(tx, at, { ...locked, shown, reason })
  else await settle(tx, at, { ...locked, shown })
}

/**
 * Whether a transfer that was reported must wait: while signed transfers of others are on their way, it is not known
 * whether the link has a use left for it.
 */
const isUndecided = ({ link, settlement }: Locked, { paidAt }: Shown): boolean =>
  settlement.nonce === null && closedProblem(beforeItsEnd(link), paidAt)?.code === 'pay_link_busy'

const NOTHING_ARRIVED = "The token logged a transfer, and the seller's balance did not grow by it."
const LOG_TAKEN = 'The transfer has paid for something else.'

/** A signed transfer is for the exact amount, and its use of the link was reserved. */
const shortOf = ({ settlement }: Locked, { arrived }: Shown): 'short' | undefined =>
  arrived < settlement.amount ? 'short' : undefined

/** Gives back what a signed transfer had reserved: its use of the link, and its payer's share of the gas. */
async function freed(
  tx: Tx,
  at: Date,
  { link, settlement }: Locked,
  outcome: 'settled' | 'failed' | 'unsent',
): Promise<PayLink> {
  if (settlement.nonce === null) return link
  await release(tx, at, [{ ref: directRef(settlement.id), outcome }])
  const after = { ...link, reserved: link.reserved - 1 }
  await saveLinks(tx, [after])
  return after
}

/** Fails a settlement whose transfer never came, and tells the seller. */
export async function failDirect(
  tx: Tx,
  at: Date,
  of: { chain: Assets; settlement: DirectSettlement; reason: string },
): Promise<void> {
  const open = await lockOpen(tx, at, of)
  if (!open) return
  const link = await freed(tx, at, open, 'failed')
  await failLocked(tx, at, { ...open, link }, of.reason)
}

async function failLocked(tx: Tx, at: Date, locked: Locked, detail: string): Promise<void> {
  const isFailed = await saveFailed(tx, locked.settlement.id, detail)
  assert(isFailed, 'the settlement was locked open')
  await record(tx, at, [directFailed({ ...locked, reason: 'token_refused', detail })])
}

type Taking = Locked & { shown: Shown }

/**
 * Whether an exception may count. A transfer that its sender made and that is below the price does not: anybody could send a
 * seller grains to use its quota up. One that a relayer submitted may.
 */
const mayCount = ({ link, settlement, shown }: Taking): boolean =>
  settlement.nonce !== null || shown.arrived >= (leastOf(link) ?? ZERO)

/** Meters what is worth its fee, as it was signed or as it arrived. Null for what is not. */
async function meter(tx: Tx, at: Date, taking: Taking): Promise<Amount | null> {
  const { chain, link, settlement, shown } = taking
  const { walletAddress, id: settlementId } = settlement
  const asset = meterAsset(chain)
  const worth = worthOf(
    { asset, link },
    settlement.nonce === null ? shown.arrived : settlement.amount,
  )
  const metered = await meterSettlement(tx, at, { walletAddress, settlementId, asset, worth })
  return metered.meteredFee
}

/** The link as it was for its payer: of the wallet that has the money, though its card may have been sold since. */
const ofPaid = ({ link, settlement }: Locked): PayLink => ({
  ...link,
  walletAddress: settlement.walletAddress,
})

async function except(
  tx: Tx,
  at: Date,
  taking: Taking & { reason: PaymentException['reason'] },
): Promise<void> {
  const { chain, link, settlement, shown, reason } = taking
  const meteredFee = mayCount(taking) ? await meter(tx, at, taking) : null
  const { id: exceptionId } = await keepDirectException(tx, at, {
    link: ofPaid(taking),
    log: shown.log,
    asset: assetOfLink(chain, link),
    exception: { reason, amount: shown.arrived, payer: settlement.payer },
  })
  await saveSettled(tx, at, {
    id: settlement.id,
    amount: shown.arrived,
    ...shown.log,
    isFinal: shown.isFinal,
    exceptionId,
    transactionId: null,
    meteredFee,
  })
}

/** For the wallet that has the money, and for the card's owner, if it was sold meanwhile: that one pays no fee for it. */
function settledEvents(taking: Taking, settlement: DirectSettlement): BuiltEvent[] {
  const { chain, link } = taking
  const toPaid = directSettled({ chain, link: ofPaid(taking), settlement })
  if (link.walletAddress === settlement.walletAddress) return [toPaid]
  return [toPaid, directSettled({ chain, link, settlement: { ...settlement, meteredFee: ZERO } })]
}

/** The link is paid: its use, what the card received, the fee, the events, and an excess. */
async function settle(tx: Tx, at: Date, taking: Taking): Promise<void> {
  const { chain, link, settlement, shown } = taking
  const asset = assetOfLink(chain, link)
  const amount =
    settlement.nonce === null
      ? least(link.amount ?? shown.arrived, shown.arrived)
      : settlement.amount
  const used = withUse(link, at)
  await saveLinks(tx, [used])
  const transactionId = newId('txn', at)
  const { id, cardId, payer, protocol, network } = settlement
  // A card that is sold takes along what it has received.
  const { walletAddress } = link
  const settled: DirectSettlement = {
    ...settlement,
    amount,
    state: 'settled',
    ...shown.log,
    transactionId,
    settledAt: at,
    meteredFee: await meter(tx, at, taking),
  }
  await insertTransactions(tx, [
    {
      id: transactionId,
      cardId,
      walletAddress,
      direction: 'received',
      amount,
      fee: ZERO,
      merchant: payer,
      protocol,
      status: 'SETTLED',
      network,
      asset: asset.symbol,
      token: asset.contract,
      tokenDecimals: asset.decimals,
      txHash: shown.log.txHash,
      ref: id,
      memo: link.memo,
      createdAt: at,
      settledAt: at,
    },
  ])
  await saveSettled(tx, at, {
    id,
    amount,
    ...shown.log,
    isFinal: shown.isFinal,
    exceptionId: null,
    transactionId,
    meteredFee: settled.meteredFee,
  })
  await record(tx, at, [
    ...settledEvents(taking, settled),
    ...completion(used, { asset, log: shown.log }),
  ])
  if (shown.arrived > amount)
    await keepDirectException(tx, at, {
      link: ofPaid(taking),
      log: shown.log,
      asset,
      exception: { reason: 'over', amount: minus(shown.arrived, amount), payer },
    })
}
