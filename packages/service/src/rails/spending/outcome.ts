import type { BuiltEvent } from '../../api/events/define.ts'
import { nonceFact } from '../../api/events/fact-id.ts'
import { record } from '../../api/events/record.ts'
import { type PaymentFailure, paymentFailed, paymentSent } from '../../api/events/types/payments.ts'
import type { Tx } from '../../base/db/sql.ts'
import { assert } from '../../base/kernel/assert.ts'
import type { Asset, Hex } from '../../base/kernel/assets.ts'
import { amount as amountOf, feeOf } from '../../base/kernel/money.ts'
import { openReturn } from '../../money/cards/controls/return.ts'
import { captureOnCard, releaseOnCard } from '../../money/cards/debit.ts'
import { lockCard, saveCards } from '../../money/cards/store.ts'
import {
  endTransaction,
  saveTransactionAmount,
  saveTransactionStanding,
} from '../../money/cards/transactions.ts'
import { houseKey } from '../../money/ledger/account-keys.ts'
import { openAccounts } from '../../money/ledger/accounts.ts'
import { findTransfer, post } from '../../money/ledger/post.ts'
import {
  debitOf,
  isOpen,
  lockPayment,
  merchantOf,
  type OutboundPayment,
  saveState,
  saveUsed,
} from './store.ts'
import type { PaymentUse } from './use.ts'

/** The money has left on chain: the hold becomes a spend. Returns false if the payment has moved on before. */
export async function capturePayment(
  tx: Tx,
  at: Date,
  ended: { id: string; asset: Asset; use: PaymentUse },
): Promise<boolean> {
  const held = await lockPayment(tx, ended.id)
  if (!held || !isOpen(held)) return false
  const payment = usedOf(held, ended.use)
  const amount = debitOf(payment)
  const { cardId, holdId, createdAt: heldAt } = payment
  const hold = { cardId, holdId, amount: debitOf(held) }
  const card = await captureOnCard(tx, at, { ...hold, used: { amount, heldAt } })
  assert(card, `the hold of ${payment.id} is open as long as the payment is`)
  const [outbound, fees] = await openAccounts(tx, [
    houseKey(ended.asset, 'outbound'),
    houseKey(ended.asset, 'fees'),
  ])
  assert(outbound && fees, 'the house accounts are open')
  await post(tx, at, [
    {
      kind: 'payment',
      ref: payment.id,
      entries: [
        { account: card.accountId, amount: -amount },
        { account: outbound, amount: payment.merchantAmount },
        { account: fees, amount: payment.fee },
      ],
    },
  ])
  const { txHash } = ended.use
  if (payment !== held) {
    await saveUsed(tx, payment)
    await saveTransactionAmount(tx, payment.id, { amount, fee: payment.fee })
  }
  await saveState(tx, payment.id, { state: 'captured', use: ended.use, endedAt: null })
  await endTransaction(tx, payment.id, { status: 'SETTLED', txHash, settledAt: at })
  await record(tx, at, [sentEvent(payment, ended.asset, txHash)])
  return true
}

/** The payment with the part of it that was used, and the fee on that part. */
function usedOf(payment: OutboundPayment, { value }: PaymentUse): OutboundPayment {
  if (value === undefined || value === payment.merchantAmount) return payment
  assert(
    payment.mechanism === 'upto' && value > 0n && value < payment.merchantAmount,
    `${payment.id} was paid within what was allowed`,
  )
  const merchantAmount = amountOf(value)
  const tariff = { bps: BigInt(payment.feeBps), flat: payment.feeFlat }
  return { ...payment, merchantAmount, fee: feeOf(merchantAmount, tariff) }
}

/** The payment's block is safe: the money on its way out has left custody. */
export async function finalizePayment(
  tx: Tx,
  at: Date,
  ended: { id: string; asset: Asset; use: PaymentUse },
): Promise<boolean> {
  const payment = await lockPayment(tx, ended.id)
  if (payment?.state !== 'captured') return false
  const [outbound, custody] = await openAccounts(tx, [
    houseKey(ended.asset, 'outbound'),
    houseKey(ended.asset, 'custody'),
  ])
  assert(outbound && custody, 'the house accounts are open')
  await post(tx, at, [
    {
      kind: 'payment_final',
      ref: payment.id,
      entries: [
        { account: outbound, amount: -payment.merchantAmount },
        { account: custody, amount: payment.merchantAmount },
      ],
    },
  ])
  await saveState(tx, payment.id, { state: 'final', use: ended.use, endedAt: at })
  const { txHash } = ended.use
  if (txHash !== payment.txHash)
    await saveTransactionStanding(tx, payment.id, { status: 'SETTLED', txHash })
  return true
}

/** The authorization can never be used: the hold goes back to the card. Returns false if the payment has moved on. */
export async function releasePayment(
  tx: Tx,
  at: Date,
  ended: { id: string; asset: Asset; reason: Failure },
): Promise<boolean> {
  const payment = await lockPayment(tx, ended.id)
  if (!payment || !isOpen(payment)) return false
  const { cardId, holdId, createdAt } = payment
  const held = { cardId, holdId, amount: debitOf(payment), heldAt: createdAt }
  assert(await releaseOnCard(tx, at, held), `the hold of ${payment.id} is open`)
  await saveState(tx, payment.id, { state: 'released', use: null, endedAt: at })
  await endTransaction(tx, payment.id, {
    status: 'FAILED',
    failure: { reason: ended.reason, at },
  })
  await record(tx, at, [failedEvent(payment, ended.asset, ended.reason)])
  return true
}

/**
 * A reorganization removed the payment from the chain, and its authorization has expired: all the money goes back to
 * whoever paid (`openReturn`). The safe block is past both, so the payment cannot return.
 */
export async function undoPayment(
  tx: Tx,
  at: Date,
  ended: { id: string; asset: Asset },
): Promise<boolean> {
  const payment = await lockPayment(tx, ended.id)
  if (payment?.state !== 'captured') return false
  const card = await lockCard(tx, payment.cardId)
  const reverses = await findTransfer(tx, 'payment', payment.id)
  assert(card && reverses, `${payment.id} was captured from a card`)
  const { walletAddress } = payment
  const coming = { card, walletAddress, paidBy: reverses, amount: debitOf(payment) }
  const back = await openReturn(tx, { ...coming, asset: ended.asset })
  const [outbound, fees] = await openAccounts(tx, [
    houseKey(ended.asset, 'outbound'),
    houseKey(ended.asset, 'fees'),
  ])
  assert(outbound && fees, 'the house accounts are open')
  await post(tx, at, [
    {
      kind: 'payment_undone',
      ref: payment.id,
      reverses,
      entries: [
        back.entry,
        { account: outbound, amount: -payment.merchantAmount },
        { account: fees, amount: -payment.fee },
      ],
    },
  ])
  await saveCards(tx, back.changed)
  await saveState(tx, payment.id, { state: 'undone', use: null, endedAt: at })
  await saveTransactionStanding(tx, payment.id, {
    status: 'FAILED',
    txHash: null,
    failure: { reason: 'reorganised', at },
  })
  await record(tx, at, [failedEvent(payment, ended.asset, 'reorganised')])
  return true
}

const DETAILS = {
  seller_unreachable: 'The payment could not be sent to the seller.',
  not_settled_in_time: 'The seller did not settle the payment while its authorization was good.',
  reorganised: 'A reorganization took the payment off the chain, and its authorization has ended.',
} as const satisfies Partial<Record<PaymentFailure, string>>
export type Failure = keyof typeof DETAILS

const sideOf = (payment: OutboundPayment, txHash: Hex | null) => ({
  settlement_id: payment.id,
  transaction_id: payment.id,
  direction: 'sent' as const,
  card_id: payment.cardId,
  pay_link_code: null,
  agreement_id: null,
  merchant: merchantOf(payment),
  rail: payment.protocol,
  settlement_mode: 'CUSTODIAL' as const,
  amount: debitOf(payment),
  fee: payment.fee,
  net_amount: payment.merchantAmount,
  tx_hash: txHash,
})

const sentEvent = (payment: OutboundPayment, asset: Asset, txHash: Hex): BuiltEvent =>
  paymentSent.of({
    walletAddress: payment.walletAddress,
    asset,
    fact: nonceFact(payment.nonce),
    data: { ...sideOf(payment, txHash), memo: '' },
  })

const failedEvent = (payment: OutboundPayment, asset: Asset, reason: Failure): BuiltEvent =>
  paymentFailed.of({
    walletAddress: payment.walletAddress,
    asset,
    fact: nonceFact(payment.nonce),
    data: { ...sideOf(payment, null), payer: null, reason, detail: DETAILS[reason] },
  })
