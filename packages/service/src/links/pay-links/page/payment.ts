import type { Uses } from '../../../api/http/services.ts'
import type { Address, Hex } from '../../../base/kernel/assets.ts'
import { railOf } from '../../../chain/client/rails.ts'
import { readTransaction, readTransfers } from '../../../chain/client/reads.ts'
import { findSettlement } from '../../../money/settlements/on-chain/store.ts'
import type { LinkSettlement } from '../../../money/settlements/settlement.ts'
import { findWithdrawal } from '../../../money/treasury/withdrawals/store.ts'
import { findDirect, findDirectIn } from '../../direct/store.ts'
import { asLinkSettlement } from '../../direct/view.ts'
import {
  findException,
  findExceptionsIn,
  type ShownException,
} from '../../link/arrivals/store-exceptions.ts'
import type { PayLink } from '../../link/store.ts'
import { findLogUse } from '../../link/store-logs.ts'

/** The state of a payment of a link, for its payer. */
export type PaymentState =
  | { kind: 'pending'; txHash: Hex | null; isMined: boolean }
  /** `over` is the excess over the link's amount. `sentBack` is the transaction of a refund that is on chain for good. */
  | { kind: 'settled'; settlement: LinkSettlement; over?: ShownException; sentBack?: Hex }
  | { kind: 'exception'; exception: ShownException; sentBack?: Hex }
  | { kind: 'failed'; message: string }
  | { kind: 'unknown' }

/** The state of a transaction that was reported for the link. Reads only. */
export async function findByTransaction(
  services: Uses<'chain' | 'db'>,
  { link, txHash }: { link: PayLink; txHash: Hex },
): Promise<PaymentState> {
  if (link.token !== null) return findDirectByTransaction(services, { link, txHash })
  const mined = await readTransaction(railOf(services.chain, link.asset), txHash)
  if (!mined) return { kind: 'pending', txHash, isMined: false }
  const arrived = mined.transfers.filter((log) => log.to === link.payTo && log.value > 0n)
  if (!mined.succeeded || arrived.length === 0)
    return {
      kind: 'failed',
      message: mined.succeeded
        ? `The transaction sends no ${link.asset} to this link's own address.`
        : 'The network has undone the transaction; nothing was paid.',
    }
  for (const { logIndex } of arrived) {
    const use = await findLogUse(services.db.reader, { network: link.network, txHash, logIndex })
    if (use?.settlementId) return findById(services, link, use.settlementId)
    const exception = use?.exceptionId && (await findException(services.db.reader, use.exceptionId))
    if (exception)
      return { kind: 'exception', exception, ...(await readSentBack(services, exception)) }
  }
  return { kind: 'pending', txHash, isMined: true }
}

async function readSentBack(
  { db }: Uses<'db'>,
  exception: ShownException | undefined,
): Promise<{ sentBack?: Hex }> {
  if (!exception?.withdrawalId) return {}
  const withdrawal = await findWithdrawal(db.reader, exception.withdrawalId)
  return withdrawal?.status === 'COMPLETED' && withdrawal.txHash
    ? { sentBack: withdrawal.txHash }
    : {}
}

/** The state of a settlement of the link; `unknown` for an id that is not one of this link. */
export async function findById(
  services: Uses<'db'>,
  link: PayLink,
  id: string,
): Promise<PaymentState> {
  if (link.token !== null) return findDirectById(services, link, id)
  const settlement = await findSettlement(services.db.reader, id)
  if (settlement?.payLinkId !== link.id) return { kind: 'unknown' }
  if (settlement.state === 'settled') {
    const { txHash } = settlement
    const rest =
      txHash && (await findExceptionsIn(services.db.reader, { payLinkId: link.id, txHash }))
    const over = rest ? rest.find(({ reason }) => reason === 'over') : undefined
    return {
      ...{ kind: 'settled', settlement },
      ...(over && { over }),
      ...(await readSentBack(services, over)),
    }
  }
  if (settlement.state === 'settling')
    return { kind: 'pending', txHash: settlement.txHash, isMined: false }
  return { kind: 'failed', message: settlement.reason ?? 'The network refused the transfer.' }
}

/** As `findByTransaction`, for a DIRECT link: only a transfer that was bound to the link is shown. */
async function findDirectByTransaction(
  { chain, db }: Uses<'chain' | 'db'>,
  { link, txHash }: { link: PayLink; txHash: Hex },
): Promise<PaymentState> {
  const made = await findDirectIn(db.reader, { network: link.network, txHash })
  const own = made.find(({ payLinkId }) => payLinkId === link.id)
  if (own) return findDirectById({ db }, link, own.id)
  const mined = await readTransfers(chain, txHash, link.token as Address)
  if (!mined) return { kind: 'pending', txHash, isMined: false }
  return {
    kind: 'failed',
    message:
      'The transaction is in a block now. Go back and enter it once more, with the signature of the wallet that paid.',
  }
}

async function findDirectById(
  { db }: Uses<'db'>,
  link: PayLink,
  id: string,
): Promise<PaymentState> {
  const settlement = await findDirect(db.reader, id)
  if (settlement?.payLinkId !== link.id) return { kind: 'unknown' }
  const { state, txHash, exceptionId, reason } = settlement
  const exception = exceptionId && (await findException(db.reader, exceptionId))
  if (exception) return { kind: 'exception', exception }
  if (state === 'settling') return { kind: 'pending', txHash, isMined: txHash !== null }
  if (state !== 'settled')
    return { kind: 'failed', message: reason ?? 'The network refused the transfer.' }
  const rest = txHash && (await findExceptionsIn(db.reader, { payLinkId: link.id, txHash }))
  const over = rest ? rest.find((one) => one.reason === 'over') : undefined
  return { kind: 'settled', settlement: asLinkSettlement(settlement, link), ...(over && { over }) }
}
