import { isTokenOf, wrongToken } from '../cards/token.ts'
import type { Lane } from '../db/lane.ts'
import type { Tx } from '../db/sql.ts'
import type { Asset } from '../kernel/assets.ts'
import type { Amount } from '../kernel/money.ts'
import { Problem } from '../kernel/problem.ts'
import { openBatch, partiesOf, type SettleOutcome, settle, writeBatch } from './settle.ts'

export type CardPayment = {
  code: string
  cardId: string
  token: string
  /** What the payer chose, for a link without an amount. */
  amount: Amount | null
  asset: Asset
  fee: { bps: bigint; flat: Amount }
}
export type CardPaymentOutcome = SettleOutcome

/**
 * Settles links by cards of this service: payer card to receiver card less the fee, the use counted, all in this
 * transaction. Decides in order of arrival: a later payment sees what an earlier one took. A decline is written down.
 */
export async function settleByCard(
  tx: Tx,
  at: Date,
  payments: CardPayment[],
): Promise<CardPaymentOutcome[]> {
  const [first] = payments
  if (!first) return []
  const batch = await openBatch(tx, at, {
    rail: 'card',
    asset: first.asset,
    fee: first.fee,
    codes: payments.map((payment) => payment.code),
    payers: payments.map((payment) => payment.cardId),
  })
  const outcomes = payments.map(({ code, cardId, token, amount }): CardPaymentOutcome => {
    const parties = partiesOf(batch, { code, cardId })
    if (parties instanceof Problem) return { ok: false, problem: parties }
    if (!isTokenOf(parties.payer, token)) return { ok: false, problem: wrongToken() }
    return settle(batch, { ...parties, amount })
  })
  writeBatch(tx, batch)
  return outcomes
}

/** The lane of card payments, `POST /api/pay/{code}/settle`. */
export const cardPaymentLane: Lane<CardPayment, CardPaymentOutcome> = {
  name: 'card payment',
  run: settleByCard,
}
