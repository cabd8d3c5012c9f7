import { assert } from '../../base/kernel/assert.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { type Id, newId } from '../../base/kernel/ids.ts'
import { type Amount, minus, plus } from '../../base/kernel/money.ts'
import { notFound, type Refusal, refuse } from '../../base/kernel/problem.ts'
import type { CardRail } from '../../base/protocols/rails.ts'
import type { CardWithMoney } from '../cards/card.ts'
import { afterSpend, declined, declinedEvent } from '../cards/debit.ts'
import { decisionRecord } from '../cards/decisions.ts'
import { decide, inputsOf, type Spend } from '../cards/policy.ts'
import { sentIdOf } from '../cards/transactions.ts'
import { countSameWindows } from '../cards/windows.ts'
import { assetKey, type SettleBatch, type SettledRow } from './batch.ts'
import { type FeeRule, feeFor } from './fees.ts'
import { type Payee, payeeProblem } from './payee.ts'
import { type CardSettlement, type PaidMandate, settledAtOnce } from './settlement.ts'

/** A payment that a card is asked to make. */
export type Intent = {
  /** As `batch.cards` has it. */
  payer: CardWithMoney
  payee: Payee
  amount: Amount
  rail: CardRail
  asset: Asset
  /** The service's own fee, for a payee without a rule of its own. */
  fee: FeeRule
  /** The AP2 mandate that backs it. */
  mandate?: PaidMandate
  /** The agreement that it is a charge of. */
  agreementId?: Id<'agr'>
}
export type SettleOutcome = { kind: 'settled'; settled: SettledRow } | Refusal

/**
 * Decides one payment on rows already read. It reads and writes nothing. The card's policy decides; the batch keeps the
 * decision, with the settlement or as a decline. The next decision of the batch sees the balances that this one left.
 */
export function settle(batch: SettleBatch, intent: Intent): SettleOutcome {
  const { at } = batch
  const { payer, payee, amount, rail, asset } = intent
  const { receiverCardId } = payee.names
  const problem = payeeProblem(payee, { payer, asset })
  if (problem) return refuse(problem)
  if (receiverCardId !== null && !batch.cards.has(receiverCardId)) return refuse(notFound('card'))

  const { merchants, mcc } = payee
  const spend: Spend = { amount, merchants, mcc, rail }
  const id = newId('stl', at)
  const decision = decide(payer, spend, at)
  if (!decision.allowed) {
    batch.declined.add(payer.id)
    batch.decisions.push(decisionRecord(at, { card: payer, spend, decision, ref: id }))
    batch.events.push(declinedEvent(payer, { spend, denied: decision, asset }))
    return refuse(declined(decision))
  }
  const fee = feeFor(amount, { rule: payee.feeRule, standard: intent.fee })
  const settlement: CardSettlement = settledAtOnce(at, {
    id,
    ...payee.names,
    protocol: rail,
    payer: payer.id,
    payerWallet: payer.walletAddress,
    amount,
    fee,
    network: payee.network,
    asset: payee.asset,
    decimals: asset.decimals,
    agreementId: intent.agreementId ?? null,
    mandate: intent.mandate ?? null,
    decidedOn: decidedOn(payer, { mcc, at }),
    ...accountsOf(batch, { payer, payee, fee }),
  })
  return { kind: 'settled', settled: take(batch, { settlement, intent, spend }) }
}

/** The view `card_settlement_decisions` gives the values their names again. A card that pays is ACTIVE. */
function decidedOn(payer: CardWithMoney, { mcc, at }: { mcc: string | null; at: Date }): string {
  const { status, ...inputs } = inputsOf(payer, at)
  assert(status === 'ACTIVE', 'a card that pays is ACTIVE')
  return JSON.stringify([mcc, ...Object.values(inputs)])
}

function accountsOf(
  { cards, rows }: SettleBatch,
  { payer, payee, fee }: { payer: CardWithMoney; payee: Payee; fee: Amount },
): Pick<CardSettlement, 'payerAccount' | 'receiverAccount' | 'feesAccount'> {
  const receiverAccount = payee.account ?? cards.get(payee.names.receiverCardId ?? '')?.accountId
  const feesAccount = rows.feesAccounts.get(assetKey(payee))
  assert(receiverAccount && feesAccount, 'the accounts of a settlement are open')
  return {
    payerAccount: payer.accountId,
    receiverAccount,
    feesAccount: fee > 0n ? feesAccount : null,
  }
}

/** Moves the money between the cards in memory. */
function take(
  batch: SettleBatch,
  { settlement, intent, spend }: { settlement: CardSettlement; intent: Intent; spend: Spend },
): SettledRow {
  const { payee } = intent
  const payer = afterSpend(intent.payer, spend, batch.at)
  batch.cards.set(payer.id, payer)
  batch.payers.add(payer.id)
  // The first payment of a window resets its counter, and a single use changes the card's status.
  if (payer.singleUse || !countSameWindows(payer, intent.payer)) batch.exact.add(payer.id)
  const receiver = batch.cards.get(payee.names.receiverCardId ?? '')
  if (receiver) {
    const net = minus(settlement.amount, settlement.fee)
    const received = plus(receiver.received, net)
    const available = plus(receiver.available, net)
    batch.cards.set(receiver.id, { ...receiver, received, available })
  }
  const settled = { settlement, payer, payee, transactionId: sentIdOf(settlement.id) }
  batch.settled.push(settled)
  batch.events.push(...payee.settled(settlement))
  return settled
}
