import { assert } from '../../base/kernel/assert.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { type Id, newId } from '../../base/kernel/ids.ts'
import { type Amount, minus, plus } from '../../base/kernel/money.ts'
import { notFound, type Problem, type Refusal, refuse } from '../../base/kernel/problem.ts'
import type { CardRail } from '../../base/protocols/rails.ts'
import { payeesOfGrant } from '../cards/approvals/ask.ts'
import { capsOf, withPayment } from '../cards/caps/cap.ts'
import type { CardWithMoney } from '../cards/card.ts'
import {
  type Approval,
  NO_CONSENT,
  type Purchase,
  payeeKey,
  payeeName,
  withMade,
} from '../cards/consent.ts'
import { afterSpend, declinedAtOnce, declineRows } from '../cards/debit.ts'
import { parentsOf, withDelegated } from '../cards/family.ts'
import {
  type Around,
  type Decision,
  decide,
  fixedInputsOf,
  limitInputsOf,
  type Spend,
  usedInputsOf,
} from '../cards/policy.ts'
import { verdictOn } from '../cards/rules/draft.ts'
import { sentIdOf } from '../cards/transactions.ts'
import { countedAt, countSameWindows } from '../cards/windows.ts'
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
  /** The agreement was charged before. */
  isCharged?: true
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
  const spend: Spend = { amount, merchants, mcc, rail, ...boughtBy(intent) }
  const id = newId('stl', at)
  const consent = batch.consents.get(payer.id) ?? NO_CONSENT
  const parents = parentsOf(payer, batch.cards)
  const caps = capsOf([payer, ...parents], batch.caps)
  const around = { consent, parents, caps }
  const decision = decide(payer, spend, at, around)
  if (!decision.allowed)
    return refuse(decline(batch, { card: payer, spend, ref: id, asset, ...around, decision }))
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
    decidedOn: decidedOn(payer, { spend, at, decision, ...around }),
    ...accountsOf(batch, { payer, payee, fee }),
  })
  if (decision.grant)
    useGrant(batch, { family: [payer, ...parents], grant: decision.grant, ref: id })
  return { kind: 'settled', settled: take(batch, { settlement, intent, spend }) }
}

/**
 * Names what is bought besides the payee. A mandate is one purchase. All charges of an agreement are under its open mandate,
 * and its owner is asked about the first alone.
 */
function boughtBy({ mandate, agreementId, isCharged }: Intent): Partial<Purchase> {
  if (isCharged) return { isAgreed: true }
  const request = agreementId === undefined ? mandate?.id : mandate?.openId
  return request ? { request } : {}
}

function decline(batch: SettleBatch, of: Parameters<typeof declineRows>[1]): Problem {
  const { card, consent } = of
  const { denied, decisions, events, asked, frozen } = declineRows(batch.at, of)
  if (frozen) {
    batch.cards.set(frozen.id, frozen)
    batch.exact.add(frozen.id)
  }
  batch.declined.add(card.id)
  batch.decisions.push(...decisions)
  batch.events.push(...events)
  batch.asked.push(...asked)
  batch.consents.set(card.id, { ...consent, approvals: [...consent.approvals, ...asked] })
  return declinedAtOnce(denied)
}

/** A grant is used by one payment of the batch: the next does not find it. */
function useGrant(
  batch: SettleBatch,
  of: { family: readonly [CardWithMoney, ...CardWithMoney[]]; grant: Approval; ref: string },
): void {
  const { family, grant, ref } = of
  const [card] = family
  const { approvals, payees, made } = batch.consents.get(card.id) ?? NO_CONSENT
  const known = payeesOfGrant(family, grant)
  batch.used.push({ grant, ref })
  batch.payees.push(...known)
  batch.consents.set(card.id, {
    made,
    approvals: approvals.filter(({ id }) => id !== grant.id),
    payees: new Set([...payees, ...known.map(({ cardId, payee }) => payeeKey(cardId, payee))]),
  })
  // A grant may let the payment pass a limit, which the card's counters then show.
  for (const { id } of family) batch.exact.add(id)
}

type Decided = Around & { spend: Spend; at: Date; decision: Decision }

/** The view `card_settlement_decisions` gives the values their names again. A card that pays is ACTIVE. */
function decidedOn(payer: CardWithMoney, decided: Decided): string {
  const { spend, at, decision } = decided
  const { status, ...inputs } = fixedInputsOf(payer)
  assert(status === 'ACTIVE', 'a card that pays is ACTIVE')
  const counted = countedAt(payer, at)
  const used = Object.values(usedInputsOf(counted)).join(' ')
  const verdict = verdictOn(payer, spend, decided)
  const rare = {
    ...(decision.rule !== 'within_limits' && { rule: decision.rule }),
    ...(spend.isAgreed && { agreed: true }),
    ...(verdict && { draft: [verdict.draftId, verdict.says] }),
  }
  const kept: unknown[] = [spend.mcc, ...Object.values(inputs), used, limitInputsOf(counted), rare]
  while (isEmpty(kept.at(-1))) kept.pop()
  return JSON.stringify(kept)
}

const isEmpty = (part: unknown): boolean =>
  typeof part === 'object' && part !== null && Object.keys(part).length === 0

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

/** Counts what a child spends on a card above it. */
function delegate(batch: SettleBatch, parent: CardWithMoney, amount: Amount): void {
  const counted = withDelegated(parent, amount, batch.at)
  batch.cards.set(parent.id, counted)
  batch.delegated.set(parent.id, (batch.delegated.get(parent.id) ?? 0n) + amount)
  if (!countSameWindows(counted, parent)) batch.exact.add(parent.id)
}

/** Counts a payment on the caps of its card, and among those that the next may be like. */
function count(batch: SettleBatch, payer: CardWithMoney, spend: Spend): void {
  const family = [payer, ...parentsOf(payer, batch.cards)]
  for (const cap of capsOf(family, batch.caps)) {
    batch.caps.set(cap.subject, withPayment(cap, spend.amount, batch.at))
    batch.payments.set(cap.subject, (batch.payments.get(cap.subject) ?? 0) + 1)
  }
  const made = { amount: spend.amount, payee: payeeName(spend), at: batch.at }
  for (const { id, maxLikePayments } of family) {
    if (maxLikePayments === null) continue
    for (const one of batch.cards.values())
      if (one.id === id || one.ancestors.includes(id))
        batch.consents.set(one.id, withMade(batch.consents.get(one.id) ?? NO_CONSENT, [id], made))
    // Another transaction must not have paid the same meanwhile.
    batch.exact.add(id)
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
  for (const parent of parentsOf(payer, batch.cards)) delegate(batch, parent, spend.amount)
  count(batch, payer, spend)
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
