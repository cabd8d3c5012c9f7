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
import { type Amount, feeOf, minus, plus } from '../kernel/money.ts'
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
  const batch = new Batch(at, links, cards)
  const outcomes = payments.map((payment) => batch.decide(payment))
  await batch.write(tx)
  return outcomes
}

/** The lane of card payments, `POST /api/pay/{code}/settle`. */
export const cardPaymentLane: Lane<CardPayment, CardPaymentOutcome> = {
  name: 'card payment',
  run: settleByCard,
}

/** What a batch has decided so far: rows as they will stand, and what is to be written. */
class Batch {
  readonly #at: Date
  readonly #links: Map<string, PayLink>
  readonly #cards: Map<string, CardWithMoney>
  readonly #changedLinks = new Set<string>()
  readonly #changedCards = new Set<string>()
  readonly #settled: (Settled & { receiver: CardWithMoney; asset: Asset })[] = []
  readonly #decisions: DecisionRecord[] = []
  readonly #events: NewEvent[] = []

  constructor(at: Date, links: Map<string, PayLink>, cards: Map<string, CardWithMoney>) {
    this.#at = at
    this.#links = links
    this.#cards = cards
  }

  decide(payment: CardPayment): CardPaymentOutcome {
    const link = this.#links.get(normalCode(payment.code))
    const payer = this.#cards.get(payment.cardId)
    const receiver = link && this.#cards.get(link.cardId)
    if (!link || !receiver) return { ok: false, problem: notFound('pay link') }
    if (!payer) return { ok: false, problem: notFound('card') }
    if (!isTokenOf(payer, payment.token)) return { ok: false, problem: wrongToken() }
    const problem = refusal(link, payer, { payment, at: this.#at })
    if (problem) return { ok: false, problem }

    const amount = link.amount ?? (payment.amount as Amount)
    const merchants = [link.code, link.walletAddress, link.cardId]
    const spend: Spend = { amount, merchants, mcc: link.mcc, rail: 'card' }
    const id = newId('stl', this.#at)
    const decision = decide(payer, spend, this.#at)
    this.#decisions.push(decisionRecord(this.#at, { card: payer, spend, decision, ref: id }))
    if (!decision.allowed) {
      this.#events.push(declinedEvent(payer, { spend, denied: decision }))
      return { ok: false, problem: declined(decision) }
    }
    return { ok: true, settled: this.#settle({ id, payment, link, payer, receiver, spend }) }
  }

  #settle(take: {
    id: Id<'stl'>
    payment: CardPayment
    link: PayLink
    payer: CardWithMoney
    receiver: CardWithMoney
    spend: Spend
  }): Settled {
    const { id, payment, link, spend } = take
    const fee = feeOf(spend.amount, payment.fee)
    const net = minus(spend.amount, fee)
    const payer = afterSpend(take.payer, spend, this.#at)
    const receiver = {
      ...take.receiver,
      received: plus(take.receiver.received, net),
      available: plus(take.receiver.available, net),
    }
    this.#cards.set(payer.id, payer).set(receiver.id, receiver)
    this.#changedCards.add(payer.id).add(receiver.id)
    const used = withUse(link, this.#at)
    this.#links.set(link.code, used)
    this.#changedLinks.add(link.code)
    const settlement: Settlement = {
      id,
      payLinkId: link.id,
      protocol: 'card',
      payer: payer.id,
      amount: spend.amount,
      fee,
      network: link.network,
      asset: link.asset,
      state: 'settled',
      reason: null,
      authNonce: null,
      fromBlock: null,
      txHash: null,
      isSwept: true,
      createdAt: this.#at,
      settledAt: this.#at,
    }
    const settled = { settlement, link: used, transactionId: newId('txn', this.#at), payer }
    this.#settled.push({ ...settled, receiver, asset: payment.asset })
    this.#events.push(settledEvent({ settlement, link: used, asset: payment.asset }))
    if (used.status === 'COMPLETED') this.#events.push(linkEvent('paylink.completed', used))
    return settled
  }

  async write(tx: Tx): Promise<void> {
    const at = this.#at
    await recordDecisions(tx, at, this.#decisions)
    await saveLinks(tx, pick(this.#links, this.#changedLinks))
    await saveCards(tx, pick(this.#cards, this.#changedCards))
    const [first] = this.#settled
    if (first) {
      await insertSettlements(
        tx,
        this.#settled.map(({ settlement }) => settlement),
      )
      await insertTransactions(tx, this.#settled.flatMap(bothSides))
      const fees = await openAccount(tx, houseKey(first.asset, 'fees'))
      await post(
        tx,
        at,
        this.#settled.map((settled) => transferOf(settled, fees)),
      )
    }
    await record(tx, at, this.#events)
  }
}

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
      fee: minus(fee, fee),
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
