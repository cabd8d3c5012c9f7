import { afterSpend, declined, declinedEvent } from '../cards/debit.ts'
import { type DecisionRecord, decisionRecord, recordDecisions } from '../cards/decisions.ts'
import { decide, type Spend } from '../cards/policy.ts'
import { type CardWithMoney, lockCards, saveCards } from '../cards/store.ts'
import { insertTransactions, type NewTransaction } from '../cards/transactions.ts'
import type { Tx } from '../db/sql.ts'
import { type NewEvent, record } from '../events/record.ts'
import { houseKey } from '../funding/deposit.ts'
import type { Asset } from '../kernel/assets.ts'
import { type Id, newId } from '../kernel/ids.ts'
import { type Amount, feeOf, minus, plus, ZERO } from '../kernel/money.ts'
import { notFound, Problem } from '../kernel/problem.ts'
import { type AccountId, openAccount } from '../ledger/accounts.ts'
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

/** The rails on which a card of this service pays a link: no chain, one transaction. */
export type CardRail = 'card' | 'ap2'

/**
 * The rows of many settlements at once, locked: as they stood, then as each settlement leaves them for the next. Nothing
 * is written before `writeBatch`.
 */
export type SettleBatch = {
  readonly at: Date
  readonly rail: CardRail
  readonly asset: Asset
  readonly fee: { bps: bigint; flat: Amount }
  readonly links: Map<string, PayLink>
  readonly cards: Map<string, CardWithMoney>
  readonly feesAccount: AccountId
  readonly changedLinks: Set<string>
  readonly changedCards: Set<string>
  readonly settled: (Settled & { receiver: CardWithMoney })[]
  readonly decisions: DecisionRecord[]
  readonly events: NewEvent[]
}
export type Settled = {
  settlement: Settlement
  link: PayLink
  transactionId: Id<'txn'>
  payer: CardWithMoney
}
export type SettleOutcome = { ok: true; settled: Settled } | { ok: false; problem: Problem }

/** Locks the links, then their receivers' cards and the payers', each in id order. */
export async function openBatch(
  tx: Tx,
  at: Date,
  of: Pick<SettleBatch, 'rail' | 'asset' | 'fee'> & {
    codes: string[]
    payers: string[]
    /** The cards of the links, where the caller knows them: all locks are then asked for at once. */
    receivers?: string[]
  },
): Promise<SettleBatch> {
  const { rail, asset, fee } = of
  const [links, feesAccount, known] = await Promise.all([
    lockLinks(tx, of.codes),
    openAccount(tx, houseKey(asset, 'fees')),
    of.receivers && lockCards(tx, [...of.payers, ...of.receivers]),
  ])
  return {
    at,
    rail,
    asset,
    fee,
    links,
    feesAccount,
    cards:
      known ??
      (await lockCards(tx, [...of.payers, ...[...links.values()].map((link) => link.cardId)])),
    changedLinks: new Set(),
    changedCards: new Set(),
    settled: [],
    decisions: [],
    events: [],
  }
}

/** The link and the payer's card as the settlements before have left them, or the refusal to find either. */
export function partiesOf(
  batch: SettleBatch,
  of: { code: string; cardId: string },
): { link: PayLink; payer: CardWithMoney } | Problem {
  const link = batch.links.get(normalCode(of.code))
  if (!link) return notFound('pay link')
  const payer = batch.cards.get(of.cardId)
  return payer ? { link, payer } : notFound('card')
}

/**
 * Settles a link from a card in the rows at hand: the link must be open, the card's policy is asked, and a decline is
 * kept for the record. `amount` is what the payer chose, for a link without one.
 */
export function settle(
  batch: SettleBatch,
  ask: { link: PayLink; payer: CardWithMoney; amount: Amount | null },
): SettleOutcome {
  const { at, rail } = batch
  const { link, payer } = ask
  const receiver = batch.cards.get(link.cardId)
  if (!receiver) return { ok: false, problem: notFound('card') }
  const problem = refusal(batch, ask)
  if (problem) return { ok: false, problem }

  const amount = link.amount ?? (ask.amount as Amount)
  const merchants = [link.code, link.walletAddress, link.cardId]
  const spend: Spend = { amount, merchants, mcc: link.mcc, rail }
  const id = newId('stl', at)
  const decision = decide(payer, spend, at)
  batch.decisions.push(decisionRecord(at, { card: payer, spend, decision, ref: id }))
  if (!decision.allowed) {
    batch.events.push(declinedEvent(payer, { spend, denied: decision }))
    return { ok: false, problem: declined(decision) }
  }
  const settlement = settlementOf(batch, { id, link, payer, amount })
  return { ok: true, settled: take(batch, { settlement, link, payer, receiver, spend }) }
}

/** Writes what the batch decided: one statement a table, whatever its size, all of them on their way at once. */
export async function writeBatch(tx: Tx, batch: SettleBatch): Promise<void> {
  const { at, settled } = batch
  await Promise.all([
    recordDecisions(tx, at, batch.decisions),
    saveLinks(tx, pick(batch.links, batch.changedLinks)),
    saveCards(tx, pick(batch.cards, batch.changedCards)),
    insertSettlements(
      tx,
      settled.map(({ settlement }) => settlement),
    ),
    insertTransactions(tx, settled.flatMap(bothSides)),
    post(
      tx,
      at,
      settled.map((each) => transferOf(each, batch.feesAccount)),
    ),
    record(tx, at, batch.events),
  ])
}

/** Why this payment cannot be taken at all, before the card's own policy is asked. */
function refusal(
  { at, rail }: SettleBatch,
  { link, payer, amount }: { link: PayLink; payer: CardWithMoney; amount: Amount | null },
): Problem | undefined {
  if (!link.acceptedProtocols.includes(rail))
    return new Problem(
      'protocol_not_accepted',
      `This link takes ${link.acceptedProtocols.join(', ')}, not ${rail}.`,
    )
  const closed = closedProblem(link, at)
  if (closed) return closed
  if (payer.id === link.cardId)
    return new Problem('invalid_payment', 'A card cannot pay its own link.')
  if (link.amount === null && amount === null)
    return new Problem('missing_field', 'amount is required: on this link the payer chooses it.', {
      param: 'amount',
    })
  if (link.amount !== null && amount !== null && amount !== link.amount)
    return new Problem(
      'invalid_amount',
      'amount differs from the amount of the link; leave it out.',
      { param: 'amount' },
    )
  return undefined
}

/** Moves the payment in the rows at hand: payer down, receiver up, one more use of the link. */
function take(
  batch: SettleBatch,
  taken: {
    settlement: Settlement
    link: PayLink
    payer: CardWithMoney
    receiver: CardWithMoney
    spend: Spend
  },
): Settled {
  const { settlement, spend } = taken
  const net = minus(settlement.amount, settlement.fee)
  const payer = afterSpend(taken.payer, spend, batch.at)
  const receiver = {
    ...taken.receiver,
    received: plus(taken.receiver.received, net),
    available: plus(taken.receiver.available, net),
  }
  const link = withUse(taken.link, batch.at)
  batch.cards.set(payer.id, payer).set(receiver.id, receiver)
  batch.changedCards.add(payer.id).add(receiver.id)
  batch.links.set(link.code, link)
  batch.changedLinks.add(link.code)
  const settled = { settlement, link, transactionId: newId('txn', batch.at), payer }
  batch.settled.push({ ...settled, receiver })
  batch.events.push(settledEvent({ settlement, link, asset: batch.asset }))
  if (link.status === 'COMPLETED') batch.events.push(linkEvent('paylink.completed', link))
  return settled
}

const settlementOf = (
  { at, rail, fee }: SettleBatch,
  of: { id: Id<'stl'>; link: PayLink; payer: CardWithMoney; amount: Amount },
): Settlement => ({
  id: of.id,
  payLinkId: of.link.id,
  protocol: rail,
  payer: of.payer.id,
  amount: of.amount,
  fee: feeOf(of.amount, fee),
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
    protocol: settlement.protocol,
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
