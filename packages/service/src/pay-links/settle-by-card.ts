import { afterSpend, declined, declinedEvent } from '../cards/debit.ts'
import { type DecisionRecord, decisionRecord, recordDecisions } from '../cards/decisions.ts'
import { decide, type Spend } from '../cards/policy.ts'
import { type CardWithMoney, lockCards, saveCards } from '../cards/store.ts'
import { isTokenOf, wrongToken } from '../cards/token.ts'
import { insertTransactions, type NewTransaction } from '../cards/transactions.ts'
import type { Lane } from '../db/lane.ts'
import type { Tx } from '../db/sql.ts'
import { type NewEvent, record } from '../events/record.ts'
import { houseKey } from '../funding/deposit.ts'
import type { Asset } from '../kernel/assets.ts'
import { type Id, newId } from '../kernel/ids.ts'
import { type Amount, feeOf, minus, plus, ZERO } from '../kernel/money.ts'
import { notFound, Problem } from '../kernel/problem.ts'
import { openAccount } from '../ledger/accounts.ts'
import { post, type Transfer } from '../ledger/post.ts'
import { closedProblem, linkEvent, withUse } from './link.ts'
import { settledEvent } from './settled-event.ts'
import {
  insertSettlements,
  lockLinks,
  normalCode,
  type PayLink,
  type Settlement,
  saveLinks,
} from './store.ts'

export type CardPayment = {
  code: string
  cardId: string
  token: string
  /** What the payer chose, for a link without an amount. */
  amount: Amount | null
  asset: Asset
  fee: { bps: bigint; flat: Amount }
}
export type Settled = {
  settlement: Settlement
  link: PayLink
  transactionId: Id<'txn'>
  payer: CardWithMoney
}
export type CardPaymentOutcome = { ok: true; settled: Settled } | { ok: false; problem: Problem }

/**
 * Settles links by cards of this service: payer card to receiver card less the fee, the use counted, all in this
 * transaction. Decides in order of arrival: a later payment sees what an earlier one took. A decline is written down.
 */
export async function settleByCard(
  tx: Tx,
  at: Date,
  payments: CardPayment[],
): Promise<CardPaymentOutcome[]> {
  const links = await lockLinks(
    tx,
    payments.map((payment) => payment.code),
  )
  const receivers = [...links.values()].map((link) => link.cardId)
  const cards = await lockCards(tx, [...payments.map((payment) => payment.cardId), ...receivers])
  const batch: Batch = {
    at,
    links,
    cards,
    changedLinks: new Set(),
    changedCards: new Set(),
    settled: [],
    decisions: [],
    events: [],
  }
  const outcomes = payments.map((payment) => decidePayment(batch, payment))
  await writeBatch(tx, batch)
  return outcomes
}

/** The lane of card payments, `POST /api/pay/{code}/settle`. */
export const cardPaymentLane: Lane<CardPayment, CardPaymentOutcome> = {
  name: 'card payment',
  run: settleByCard,
}

type SettledPayment = Settled & { receiver: CardWithMoney; asset: Asset }
/** What a batch has decided so far: rows as they will stand, and what is to be written. */
type Batch = {
  at: Date
  links: Map<string, PayLink>
  cards: Map<string, CardWithMoney>
  changedLinks: Set<string>
  changedCards: Set<string>
  settled: SettledPayment[]
  decisions: DecisionRecord[]
  events: NewEvent[]
}

/** Decides one payment on what the ones before it have left, and notes what is to be written. */
function decidePayment(batch: Batch, payment: CardPayment): CardPaymentOutcome {
  const { at } = batch
  const link = batch.links.get(normalCode(payment.code))
  const payer = batch.cards.get(payment.cardId)
  const receiver = link && batch.cards.get(link.cardId)
  if (!link || !receiver) return { ok: false, problem: notFound('pay link') }
  if (!payer) return { ok: false, problem: notFound('card') }
  if (!isTokenOf(payer, payment.token)) return { ok: false, problem: wrongToken() }
  const problem = refusal(link, payer, { payment, at })
  if (problem) return { ok: false, problem }

  const amount = link.amount ?? (payment.amount as Amount)
  const merchants = [link.code, link.walletAddress, link.cardId]
  const spend: Spend = { amount, merchants, mcc: link.mcc, rail: 'card' }
  const id = newId('stl', at)
  const decision = decide(payer, spend, at)
  batch.decisions.push(decisionRecord(at, { card: payer, spend, decision, ref: id }))
  if (!decision.allowed) {
    batch.events.push(declinedEvent(payer, { spend, denied: decision }))
    return { ok: false, problem: declined(decision) }
  }
  const fee = feeOf(amount, payment.fee)
  const settlement = settlementOf(at, { id, link, payer, amount, fee })
  return {
    ok: true,
    settled: takePayment(batch, { settlement, payment, link, payer, receiver, spend }),
  }
}

/** Moves the payment in the rows at hand: payer down, receiver up, one more use of the link. */
function takePayment(
  batch: Batch,
  take: {
    settlement: Settlement
    payment: CardPayment
    link: PayLink
    payer: CardWithMoney
    receiver: CardWithMoney
    spend: Spend
  },
): Settled {
  const { settlement, payment, spend } = take
  const net = minus(settlement.amount, settlement.fee)
  const payer = afterSpend(take.payer, spend, batch.at)
  const receiver = {
    ...take.receiver,
    received: plus(take.receiver.received, net),
    available: plus(take.receiver.available, net),
  }
  const link = withUse(take.link, batch.at)
  batch.cards.set(payer.id, payer).set(receiver.id, receiver)
  batch.changedCards.add(payer.id).add(receiver.id)
  batch.links.set(link.code, link)
  batch.changedLinks.add(link.code)
  const settled = { settlement, link, transactionId: newId('txn', batch.at), payer }
  batch.settled.push({ ...settled, receiver, asset: payment.asset })
  batch.events.push(settledEvent({ settlement, link, asset: payment.asset }))
  if (link.status === 'COMPLETED') batch.events.push(linkEvent('paylink.completed', link))
  return settled
}

/** Writes what the batch decided: one statement a table, whatever its size. */
async function writeBatch(tx: Tx, batch: Batch): Promise<void> {
  const { at, settled } = batch
  await recordDecisions(tx, at, batch.decisions)
  await saveLinks(tx, pick(batch.links, batch.changedLinks))
  await saveCards(tx, pick(batch.cards, batch.changedCards))
  const [first] = settled
  if (first) {
    await insertSettlements(
      tx,
      settled.map(({ settlement }) => settlement),
    )
    await insertTransactions(tx, settled.flatMap(bothSides))
    const fees = await openAccount(tx, houseKey(first.asset, 'fees'))
    await post(
      tx,
      at,
      settled.map((payment) => transferOf(payment, fees)),
    )
  }
  await record(tx, at, batch.events)
}

const settlementOf = (
  at: Date,
  of: { id: Id<'stl'>; link: PayLink; payer: CardWithMoney; amount: Amount; fee: Amount },
): Settlement => ({
  id: of.id,
  payLinkId: of.link.id,
  protocol: 'card',
  payer: of.payer.id,
  amount: of.amount,
  fee: of.fee,
  network: of.link.network,
  asset: of.link.asset,
  state: 'settled',
  reason: null,
  authNonce: null,
  fromBlock: null,
  txHash: null,
  isSwept: true,
  createdAt: at,
  settledAt: at,
})

const pick = <V>(from: Map<string, V>, keys: Set<string>): V[] =>
  [...keys].map((key) => from.get(key)).filter((value) => value !== undefined)

/** Why this payment cannot be taken at all, before the card's own policy is asked. */
function refusal(
  link: PayLink,
  payer: CardWithMoney,
  { payment, at }: { payment: CardPayment; at: Date },
): Problem | undefined {
  if (!link.acceptedProtocols.includes('card'))
    return new Problem(
      'protocol_not_accepted',
      `This link takes ${link.acceptedProtocols.join(', ')}, not card.`,
    )
  const closed = closedProblem(link, at)
  if (closed) return closed
  if (payer.id === link.cardId)
    return new Problem('invalid_payment', 'A card cannot pay its own link.')
  if (link.amount === null && payment.amount === null)
    return new Problem('missing_field', 'amount is required: on this link the payer chooses it.', {
      param: 'amount',
    })
  if (link.amount !== null && payment.amount !== null && payment.amount !== link.amount)
    return new Problem(
      'invalid_amount',
      'amount differs from the amount of the link; leave it out.',
      { param: 'amount' },
    )
  return undefined
}

const transferOf = (
  {
    settlement,
    payer,
    receiver,
  }: { settlement: Settlement; payer: CardWithMoney; receiver: CardWithMoney },
  fees: bigint,
): Transfer => ({
  kind: 'link_settlement',
  ref: settlement.id,
  entries: [
    { account: payer.accountId, amount: -settlement.amount },
    { account: receiver.accountId, amount: settlement.amount - settlement.fee },
    { account: fees, amount: settlement.fee },
  ],
})

/** The two card transactions of a settlement: what the payer's card sent, and what the receiver's gained. */
function bothSides(settled: Settled & { receiver: CardWithMoney }): NewTransaction[] {
  const { settlement, link, payer, receiver, transactionId } = settled
  const { amount, fee, id: ref, createdAt, network, asset } = settlement
  const shared = {
    ref,
    network,
    asset,
    fee,
    protocol: 'card',
    status: 'SETTLED',
    txHash: null,
    memo: link.memo,
    createdAt,
    settledAt: createdAt,
  } as const
  return [
    {
      ...shared,
      id: transactionId,
      cardId: payer.id,
      walletAddress: payer.walletAddress,
      direction: 'sent',
      amount,
      merchant: link.code,
      fee: ZERO,
    },
    ...(amount > fee
      ? [
          {
            ...shared,
            id: newId('txn', createdAt),
            cardId: receiver.id,
            walletAddress: receiver.walletAddress,
            direction: 'received' as const,
            amount: minus(amount, fee),
            merchant: payer.id,
          },
        ]
      : []),
  ]
}
