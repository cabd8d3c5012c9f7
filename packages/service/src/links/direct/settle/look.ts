import type { Uses } from '../../../api/http/services.ts'
import { assert } from '../../../base/kernel/assert.ts'
import { addSeconds } from '../../../base/kernel/clock.ts'
import { reach } from '../../../base/kernel/fault-points.ts'
import type { Id } from '../../../base/kernel/ids.ts'
import { amount } from '../../../base/kernel/money.ts'
import { assetAt } from '../../../chain/client/rails.ts'
import { readTransfers, type TransferLogAt } from '../../../chain/client/reads.ts'
import { readArrived } from '../../../chain/client/tokens/arrived.ts'
import { confirmTransfer, followTransfer, type Life } from '../../../chain/transfers/follow.ts'
import type { ClaimedTransfer } from '../../../chain/transfers/reads/claimed.ts'
import { TRANSFER_REFUSED } from '../../../chain/transfers/reads/standing.ts'
import { exceptionProblem } from '../../link/arrivals/exceptions.ts'
import { findException } from '../../link/arrivals/store-exceptions.ts'
import { assetOfLink } from '../../link/link.ts'
import type { AuthorizedOutcome } from '../../link/signed-payment.ts'
import { findLinkById } from '../../link/store.ts'
import { findLogUse } from '../../link/store-logs.ts'
import { type DirectSettlement, findDirect } from '../store.ts'
import { asLinkSettlement } from '../view.ts'
import { directRef } from './claim.ts'
import { keepFinal, loseDirect } from './final.ts'
import { failDirect, takeDirect } from './take.ts'

const WAIT_MS = 12_000
/** A transfer that nothing can be said of for so long is given up: its token does not tell, or its block is gone. */
const GIVE_UP_SECONDS = 24 * 3_600

/**
 * Looks once how a settlement stands on chain, and records its end or its confirmation. True once nothing of it can change
 * any more. Safe to run twice and at once.
 */
export async function lookDirect(
  services: Uses<'chain' | 'db' | 'log' | 'relay'>,
  at: Date,
  id: Id<'stl'>,
): Promise<boolean> {
  const settlement = await findDirect(services.db.reader, id)
  assert(settlement, 'settlements stay')
  if (settlement.state === 'settled') return settlement.isFinal || confirm(services, at, settlement)
  if (settlement.state !== 'settling') return true
  if (settlement.nonce === null) await endReported(services, at, settlement)
  else {
    const life = lifeOf(services, at, { settlement, isOurs: false, answer: async () => undefined })
    await followTransfer(services, life)
  }
  return false
}

/** The transfer that the payer of a settlement has signed. */
function transferOf(
  { db }: Uses<'db'>,
  { id, network, ...settlement }: DirectSettlement,
): ClaimedTransfer {
  const { boundBy: method, nonce, walletAddress: payTo } = settlement
  assert(method === 'eip3009' || method === 'permit2', 'the transfer is signed')
  assert(nonce !== null, 'a signed transfer has a nonce')
  return {
    ...{ ...settlement, method, nonce, payTo },
    async isFree(log) {
      const use = await findLogUse(db.reader, { network, ...log })
      return use === undefined || use.directId === id
    },
  }
}

/** The life of a signed transfer to a seller: it is recorded once a block holds it. */
export function lifeOf<Outcome>(
  services: Uses<'chain' | 'db'>,
  at: Date,
  of: { settlement: DirectSettlement; isOurs: boolean; answer: () => Promise<Outcome> },
): Life<Outcome> {
  const { chain, db } = services
  const { settlement, isOurs, answer } = of
  return {
    ref: directRef(settlement.id),
    transfer: transferOf(services, settlement),
    isOurs,
    waitMs: WAIT_MS,
    async onPaid({ log }) {
      await take(services, at, { settlement, log, isFinal: false })
      return answer()
    },
    async onRefused() {
      await db.write((tx) => failDirect(tx, at, { chain, settlement, reason: TRANSFER_REFUSED }))
      return answer()
    },
    onOpen: answer,
  }
}

/** Records the transfer in `log`, with the part of it that the seller's balance confirms. */
async function take(
  services: Uses<'chain' | 'db'>,
  at: Date,
  of: { settlement: DirectSettlement; log: TransferLogAt; isFinal: boolean; paidAt?: Date },
): Promise<void> {
  const { settlement, log, isFinal, paidAt = at } = of
  const { chain, db } = services
  const arrived = await readArrivedOnce(services, settlement, log)
  if (arrived === undefined) return giveUp(services, at, settlement)
  const shown = { log, arrived: amount(arrived), paidAt, isFinal }
  await db.write(async (tx) => {
    await takeDirect(tx, at, { chain, settlement, shown })
    reach('direct.before_settle')
  })
  reach('direct.after_settle')
}

/** The part that arrived, as it was read when the transfer was reported; otherwise read now. */
async function readArrivedOnce(
  { chain }: Uses<'chain'>,
  settlement: DirectSettlement,
  { txHash, logIndex }: TransferLogAt,
): Promise<bigint | undefined> {
  // An asset of ours moves what it logs, and an authorization is for one exact amount.
  if (settlement.nonce !== null && assetAt(chain, settlement.token)) return settlement.amount
  const mined = await readTransfers(chain, txHash, settlement.token)
  const log = mined?.transfers.find((transfer) => transfer.logIndex === logIndex)
  if (!log) return undefined
  if (settlement.arrived !== null && settlement.arrivedBlock === log.blockNumber)
    return settlement.arrived
  const { token, walletAddress: to } = settlement
  return readArrived(chain, { token, to, value: log.value, txHash, logIndex })
}

const UNKNOWN =
  'The chain could not show within a day that the money arrived: its transaction is in no block, or the balances of its block are gone.'

async function giveUp(
  { chain, db }: Uses<'chain' | 'db'>,
  at: Date,
  settlement: DirectSettlement,
): Promise<void> {
  if (at < addSeconds(settlement.createdAt, GIVE_UP_SECONDS)) return
  await db.write((tx) => failDirect(tx, at, { chain, settlement, reason: UNKNOWN }))
}

/** Ends a settlement by a transfer that its payer sent and reported, once its block is safe. */
async function endReported(
  services: Uses<'chain' | 'db'>,
  at: Date,
  settlement: DirectSettlement,
): Promise<void> {
  const { txHash, logIndex, token, payer, walletAddress, amount: value } = settlement
  assert(txHash !== null && logIndex !== null, 'a reported transfer has its place')
  const mined = await readTransfers(services.chain, txHash, token)
  const logs = (mined?.transfers ?? []).filter(
    (log) => log.from === payer && log.to === walletAddress && log.value === value,
  )
  // A reorganization may have moved it within its transaction.
  const found = logs.find((one) => one.logIndex === logIndex) ?? logs[0]
  if (!mined || !found) return giveUp(services, at, settlement)
  if (!mined.isSafe) return
  const paidAt = mined.at < at ? mined.at : at
  const log = { txHash, logIndex: found.logIndex }
  await take(services, at, { settlement, log, isFinal: true, paidAt })
}

/** Looks whether a settlement that was recorded at its first confirmation is in a safe block. */
async function confirm(
  services: Uses<'chain' | 'db' | 'log' | 'relay'>,
  at: Date,
  settlement: DirectSettlement,
): Promise<boolean> {
  const { validBefore } = settlement
  assert(validBefore !== null, 'a signed transfer has its end')
  const isKnown = await confirmTransfer(services, {
    ref: directRef(settlement.id),
    transfer: transferOf(services, settlement),
    validBefore,
    onFinal: (log) => keepFinal(services, settlement, log),
    onMissing: () => loseDirect(services, at, settlement),
  })
  if (isKnown) reach('direct.after_final')
  return isKnown
}

/** How a payment stands now, for its payer. Throws `payment_exception` if the money does not settle the link. */
export async function outcomeOf(
  services: Uses<'chain' | 'db'>,
  id: Id<'stl'>,
): Promise<AuthorizedOutcome> {
  const { db, chain } = services
  const settlement = await findDirect(db.reader, id)
  const link = settlement && (await findLinkById(db.reader, settlement.payLinkId))
  assert(settlement && link, 'a settlement and its link stay')
  const shown = asLinkSettlement(settlement, link)
  if (settlement.exceptionId) {
    const exception = await findException(db.reader, settlement.exceptionId)
    assert(exception, 'exceptions stay')
    throw exceptionProblem(exception, assetOfLink(chain, link).decimals)
  }
  const { meteredFee, state, reason } = settlement
  if (state === 'settled') return { kind: 'settled', settlement: shown, link, meteredFee }
  if (state === 'settling') return { kind: 'pending', settlement: shown }
  return {
    kind: 'refused',
    reason: 'invalid_exact_evm_transaction_failed',
    detail: reason ?? TRANSFER_REFUSED,
  }
}
