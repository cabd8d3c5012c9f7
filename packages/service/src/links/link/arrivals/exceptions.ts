import type { BuiltEvent } from '../../../api/events/define.ts'
import { logFact } from '../../../api/events/fact-id.ts'
import { record } from '../../../api/events/record.ts'
import {
  paymentException,
  paymentExceptionReopened,
  paymentExceptionResolved,
} from '../../../api/events/types/payments.ts'
import { lockOwned, type Owned } from '../../../base/db/owned.ts'
import type { Tx } from '../../../base/db/sql.ts'
import { assert } from '../../../base/kernel/assert.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import { newId } from '../../../base/kernel/ids.ts'
import { type Amount, feeOf, formatAmount, minus, ZERO } from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { type Assets, shownAsset } from '../../../chain/client/rails.ts'
import { houseKey, treasuryKey } from '../../../money/ledger/account-keys.ts'
import { openAccounts } from '../../../money/ledger/accounts.ts'
import { post } from '../../../money/ledger/post.ts'
import type { PaidLog } from '../credit.ts'
import type { PayLink } from '../store.ts'
import { takeLog } from '../store-logs.ts'
import {
  insertException,
  lockException,
  lockExceptionOf,
  type PaymentException,
  reopenException,
  resolveException,
  type ShownException,
} from './store-exceptions.ts'

/** Reasons as the API names them. `unknown` is for reasons that a later version may add. */
export const EXCEPTION_REASONS = ['late', 'short', 'over', 'closed', 'unknown'] as const
export type ExceptionReason = (typeof EXCEPTION_REASONS)[number]
export const reasonOf = ({ reason }: Pick<PaymentException, 'reason'>): ExceptionReason =>
  reason === 'cancelled' || reason === 'completed' ? 'closed' : reason

/** The stored reasons that the API names so. */
export const storedReasons = (reason: ExceptionReason): PaymentException['reason'][] => {
  if (reason === 'unknown') return []
  return reason === 'closed' ? ['cancelled', 'completed'] : [reason]
}

type Came = {
  link: PayLink
  exception: Pick<PaymentException, 'reason' | 'amount' | 'payer'>
  log: PaidLog
  /** The rest of this transfer settled the link, which has taken its log. */
  isRest: boolean
  asset: Asset
  fee: { bps: bigint; flat: Amount }
}

/**
 * Credits money that does not settle its link to the seller's treasury balance, with the reason. It pays the fee of a
 * payment now, so that no way of paying is without one; a refund gives the fee back.
 */
export async function creditException(tx: Tx, at: Date, came: Came): Promise<PaymentException> {
  const { link, asset, log } = came
  const { amount } = came.exception
  const exception: PaymentException = {
    ...came.exception,
    id: newId('exc', at),
    payLinkId: link.id,
    walletAddress: link.walletAddress,
    fee: feeOf(amount, came.fee),
    txHash: log.txHash,
    logIndex: log.logIndex,
    status: 'OPEN',
    withdrawalId: null,
    settlementMode: 'CUSTODIAL',
    refunds: 0,
    createdAt: at,
    resolvedAt: null,
  }
  await insertException(tx, exception)
  const isTaken =
    came.isRest || (await takeLog(tx, { network: link.network, ...log, exceptionId: exception.id }))
  assert(isTaken, `log ${log.txHash} ${log.logIndex} was taken while its link was locked`)
  const { custody, treasury, fees } = await accountsOf(tx, { ...exception, asset })
  await post(tx, at, [
    {
      kind: 'payment_exception',
      ref: exception.id,
      entries: [
        { account: custody, amount: -amount },
        { account: treasury, amount: minus(amount, exception.fee) },
        { account: fees, amount: exception.fee },
      ],
    },
  ])
  await record(tx, at, [exceptionEvent({ link, exception, log, asset })])
  return exception
}

/** Records money of a DIRECT link that does not settle it. The seller's own wallet has it, and keeps it. */
export async function keepDirectException(
  tx: Tx,
  at: Date,
  came: Pick<Came, 'link' | 'exception' | 'log' | 'asset'>,
): Promise<PaymentException> {
  const { link, log } = came
  const exception: PaymentException = {
    ...came.exception,
    id: newId('exc', at),
    payLinkId: link.id,
    walletAddress: link.walletAddress,
    fee: ZERO,
    txHash: log.txHash,
    logIndex: log.logIndex,
    status: 'KEPT',
    withdrawalId: null,
    settlementMode: 'DIRECT',
    refunds: 0,
    createdAt: at,
    resolvedAt: at,
  }
  await insertException(tx, exception)
  await record(tx, at, [exceptionEvent({ ...came, exception })])
  return exception
}

function exceptionEvent(
  of: Pick<Came, 'link' | 'log' | 'asset'> & { exception: PaymentException },
) {
  const { link, exception, log, asset } = of
  const { code, cardId, network, token, tokenDecimals } = link
  const shown = { ...exception, code, cardId, network, asset: link.asset, token, tokenDecimals }
  return paymentException.of({ ...eventOf(shown, asset), fact: logFact({ network, ...log }) })
}

async function accountsOf(tx: Tx, of: { walletAddress: string; asset: Asset }) {
  const [custody, treasury, fees] = await openAccounts(tx, [
    houseKey(of.asset, 'custody'),
    treasuryKey(of.asset, of.walletAddress),
    houseKey(of.asset, 'fees'),
  ])
  assert(custody !== undefined && treasury !== undefined && fees !== undefined, 'accounts are open')
  return { custody, treasury, fees }
}

type Mine = { id: string; walletAddress: string; cardIds: readonly string[] | null }
export const isMine = (exception: ShownException, mine: Mine): boolean =>
  exception.walletAddress === mine.walletAddress &&
  (mine.cardIds === null || mine.cardIds.includes(exception.cardId))

const lockMine = (tx: Tx, mine: Mine): Promise<Owned<ShownException>> =>
  lockOwned(lockException(tx, mine.id), (exception) => isMine(exception, mine), 'exception')

/** Refuses to resolve what has been resolved. */
export function checkOpen(exception: ShownException): void {
  if (exception.status === 'KEPT')
    throw new Problem(
      'invalid_state',
      exception.settlementMode === 'DIRECT'
        ? 'The money went to your own wallet, so this service cannot send it back. Refund the payer from there.'
        : 'The exception was kept, so it cannot be refunded.',
    )
  if (exception.status === 'REFUNDED')
    throw new Problem(
      'already_refunded',
      'The exception was refunded already. See the withdrawal for its outcome.',
      { extra: { withdrawal_id: exception.withdrawalId } },
    )
}

/** The exception, locked, open and the caller's. */
export async function lockOpen(tx: Tx, mine: Mine): Promise<Owned<ShownException>> {
  const exception = await lockMine(tx, mine)
  checkOpen(exception)
  return exception
}

/** Keeps the money for good: it can no longer be refunded. To keep it again changes nothing. */
export async function keepException(
  tx: Tx,
  at: Date,
  { chain, ...mine }: Mine & { chain: Assets },
): Promise<ShownException> {
  const found = await lockMine(tx, mine)
  if (found.status === 'KEPT') return found
  checkOpen(found)
  const isKept = await resolveException(tx, at, { id: found.id, status: 'KEPT' })
  assert(isKept, 'the exception was locked open')
  const kept = { ...found, status: 'KEPT' as const, resolvedAt: at }
  await record(tx, at, [resolvedEvent(kept, shownAsset(chain, kept))])
  return kept
}

/** Marks a locked, open exception as sent back by a withdrawal, and gives its fee back to the seller's balance. */
export async function refundBy(
  tx: Tx,
  at: Date,
  refund: { exception: Owned<ShownException>; withdrawalId: string; asset: Asset },
): Promise<ShownException> {
  const { exception, withdrawalId, asset } = refund
  const { id } = exception
  const isRefunded = await resolveException(tx, at, { id, status: 'REFUNDED', withdrawalId })
  assert(isRefunded, 'the exception was locked open')
  const refunded = {
    ...exception,
    status: 'REFUNDED' as const,
    withdrawalId,
    refunds: exception.refunds + 1,
    resolvedAt: at,
  }
  await record(tx, at, [resolvedEvent(refunded, asset)])
  return refunded
}

/** Moves the fee of an exception between the house and the seller. `ref` names the refund that is the cause. */
export async function moveFee(
  tx: Tx,
  at: Date,
  moved: { exception: ShownException; ref: string; asset: Asset; to: 'seller' | 'house' },
): Promise<void> {
  const { fee } = moved.exception
  if (fee === 0n) return
  const { treasury, fees } = await accountsOf(tx, { ...moved.exception, asset: moved.asset })
  const gain = moved.to === 'seller' ? fee : -fee
  await post(tx, at, [
    {
      kind: moved.to === 'seller' ? 'exception_fee_returned' : 'exception_fee_retaken',
      ref: moved.ref,
      entries: [
        { account: treasury, amount: gain },
        { account: fees, amount: -gain },
      ],
    },
  ])
}

/** The refund of this withdrawal has failed and its money is back: the exception is open again, and its fee taken. */
export async function reopenRefunded(
  tx: Tx,
  at: Date,
  failed: { withdrawalId: string; asset: Asset },
): Promise<void> {
  const { withdrawalId: ref, asset } = failed
  const exception = await lockExceptionOf(tx, ref)
  if (!exception) return
  await reopenException(tx, exception.id)
  await moveFee(tx, at, { exception, ref, asset, to: 'house' })
  await record(tx, at, [reopenedEvent(exception, { withdrawalId: ref, asset })])
}

/** The refusal for a payer whose money is an exception: why it does not settle, and where it is. */
export const exceptionProblem = (exception: PaymentException, decimals: number): Problem =>
  new Problem(
    'payment_exception',
    `The payment of ${formatAmount(exception.amount, decimals)} arrived but does not settle this link: ${WHY[exception.reason]}. ${whereIs(exception)}`,
    { extra: { exception_id: exception.id, reason: reasonOf(exception) } },
  )

/** The place of an exception's money, in words for the payer. */
export const whereIs = ({
  settlementMode,
  status,
}: Pick<PaymentException, 'settlementMode' | 'status'>): string =>
  settlementMode === 'DIRECT'
    ? "It is in the seller's own wallet, which this service cannot send it back from. Ask the seller."
    : WHERE[status]

const WHERE: Record<PaymentException['status'], string> = {
  OPEN: 'It is not lost: it is recorded for the seller, who can send it back to the address it came from.',
  KEPT: 'The seller has kept it. Ask the seller what you get for it.',
  REFUNDED: 'The seller is sending it back to the address it came from.',
}

/** Each reason in words for the payer. */
export const WHY: Record<PaymentException['reason'], string> = {
  late: 'it came after the link had expired',
  short: 'it is less than the link asks for',
  over: 'it is more than the link asks for',
  cancelled: 'the seller had cancelled the link before',
  completed: 'the link had been paid already',
}

const eventOf = (exception: ShownException, asset: Asset) => ({
  walletAddress: exception.walletAddress,
  cardId: exception.cardId,
  asset,
  data: {
    exception_id: exception.id,
    pay_link_code: exception.code,
    reason: reasonOf(exception),
    settlement_mode: exception.settlementMode,
    amount: exception.amount,
    tx_hash: exception.txHash,
    payer: exception.payer,
  },
})

const resolvedEvent = (
  exception: ShownException & { status: 'KEPT' | 'REFUNDED' },
  asset: Asset,
): BuiltEvent => {
  const { data, ...of } = eventOf(exception, asset)
  return paymentExceptionResolved.of({
    ...of,
    data: {
      ...data,
      status: exception.status,
      fee: exception.status === 'KEPT' ? exception.fee : 0n,
      withdrawal_id: exception.withdrawalId,
    },
  })
}

const reopenedEvent = (
  exception: ShownException,
  { withdrawalId, asset }: { withdrawalId: string; asset: Asset },
): BuiltEvent => {
  const { data, ...of } = eventOf(exception, asset)
  return paymentExceptionReopened.of({
    ...of,
    data: { ...data, fee: exception.fee, withdrawal_id: withdrawalId },
  })
}
