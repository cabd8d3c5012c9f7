import { shownAmounts } from '../../../api/http/fields.ts'
import type { Reader } from '../../../base/db/sql.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import type { Amount } from '../../../base/kernel/money.ts'
import { isProtocol } from '../../../base/protocols/rails.ts'
import { findLinkById } from '../../../links/link/store.ts'
import { decisionsOn } from '../../../money/cards/decisions.ts'
import { listRefunds, type RefundEntry } from '../../../money/cards/refunds/store.ts'
import { findFailure, type ShownTransaction } from '../../../money/cards/transactions.ts'
import { findSettlement } from '../../../money/settlements/on-chain/store.ts'

export type PaymentFact = { at: Date; type: string; data: Record<string, unknown> }

/**
 * The facts of a payment, whose amounts are in `asset`, that one side's wallet may see: its end, its refunds and its card's decisions, oldest first.
 */
export async function listFacts(
  on: Reader,
  { transaction, asset }: { transaction: ShownTransaction; asset: Asset },
): Promise<PaymentFact[]> {
  const { id, ref, cardId, refundOf } = transaction
  const [failure, refunds, decisions, code] = await Promise.all([
    findFailure(on, id),
    listRefunds(on, refundOf ?? id),
    refundOf === null ? decisionsOn(on, cardId, [id, ref]) : [],
    findLinkCode(on, ref),
  ])
  const data = dataOf(transaction, { asset, code })
  if (refundOf !== null) return refunds.filter((one) => one.id === id).map(refundFact(data, asset))
  // In the order in which they come where the clock does not tell: what is decided, and then done.
  const facts: PaymentFact[] = [
    ...decisions.map(({ createdAt, allowed, rule, inputs }) => ({
      at: createdAt,
      type: allowed ? 'decision.allowed' : 'decision.denied',
      data: { rule, inputs },
    })),
    ...(transaction.settledAt
      ? [{ at: transaction.settledAt, type: 'payment.settled', data }]
      : []),
    ...(failure
      ? [{ at: failure.at, type: 'payment.failed', data: { ...data, reason: failure.reason } }]
      : []),
    ...refunds.map(refundFact(data, asset)),
  ]
  return facts.sort((a, b) => a.at.getTime() - b.at.getTime())
}

const refundFact =
  (data: PaymentFact['data'], asset: Asset) =>
  ({ id, refundOf, createdAt, amount, refunded, feeKept }: RefundEntry): PaymentFact => ({
    at: createdAt,
    type: 'payment.refunded',
    data: {
      ...data,
      ...{ refund_id: id, refund_of: refundOf },
      ...shownAmounts({ amount, refunded, fee_kept: feeKept }, asset.decimals),
    },
  })

/** The code of the link that a settlement paid, or null if it paid none. */
async function findLinkCode(on: Reader, ref: string): Promise<string | null> {
  const settlement = await findSettlement(on, ref)
  const link = settlement && (await findLinkById(on, settlement.payLinkId))
  return link?.code ?? null
}

/**
 * The data of the transaction's own side. The amount that the card gave includes the fee; the amount that it gained
 * does not.
 */
function dataOf(
  transaction: ShownTransaction,
  { asset, code }: { asset: Asset; code: string | null },
): Record<string, unknown> {
  const { amount, fee, direction, merchant, memo, cardId } = transaction
  const [gross, net]: [bigint, bigint] =
    direction === 'sent' ? [amount, amount - fee] : [amount + fee, amount as Amount]
  return {
    settlement_id: transaction.ref,
    transaction_id: transaction.id,
    direction,
    card_id: cardId,
    pay_link_code: code,
    rail: transaction.protocol,
    ...(isProtocol(transaction.protocol) && { protocol: transaction.protocol }),
    settlement_mode: transaction.token === null ? 'CUSTODIAL' : 'DIRECT',
    ...shownAmounts<string, bigint>({ amount: gross, fee, net_amount: net }, asset.decimals),
    asset: transaction.asset,
    network: transaction.network,
    tx_hash: transaction.txHash,
    memo,
    ...(direction === 'sent'
      ? { merchant }
      : { receipt_id: transaction.ref, receiver_card_id: cardId }),
  }
}
