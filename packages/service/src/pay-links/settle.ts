import type { CardWithMoney } from '../cards/card.ts'
import { afterSpend, declined, declinedEvent } from '../cards/debit.ts'
import {
  type DecisionRecord,
  decisionRecord,
  insertDecisionsStatement,
} from '../cards/decisions.ts'
import { decide, inputsOf, type Spend } from '../cards/policy.ts'
import {
  countMoneyStatement,
  lockCards,
  lockUnchangedCardsStatement,
  readCards,
  type SeenCard,
  saveCardsStatement,
} from '../cards/store.ts'
import { receivedIdOf, sentIdOf } from '../cards/transactions.ts'
import { mayDecideUnlocked, type RawBuilder, send, type Tx } from '../db/sql.ts'
import type { BuiltEvent } from '../events/define.ts'
import { insertEventsStatement } from '../events/record.ts'
import { payLinkCompleted } from '../events/types/pay-links.ts'
import type { Asset } from '../kernel/assets.ts'
import { type Id, newId } from '../kernel/ids.ts'
import { type Amount, feeOf, minus, plus } from '../kernel/money.ts'
import { notFound, Problem } from '../kernel/problem.ts'
import { houseKey } from '../ledger/account-keys.ts'
import { type AccountId, openAccount } from '../ledger/accounts.ts'
import { postStatement, type Transfer } from '../ledger/post.ts'
import { closedProblem, linkEvent, payeeOf, withUse } from './link.ts'
import { sentEvent, settledEvent } from './settled-event.ts'
import { countUsesStatement, lockLinks, normalCode, type PayLink, readLinks } from './store.ts'
import {
  type CardSettlement,
  insertCardSettlementsStatement,
  settledAtOnce,
} from './store-settlements.ts'

/** The protocols in whose name a card of this service pays a link: no chain, one transaction. */
export const CARD_RAILS = ['card', 'ap2', 'x402', 'mpp'] as const
export type CardRail = (typeof CARD_RAILS)[number]

/**
 * The rows of many settlements at once: as they stood, then as each settlement leaves them for the next. Nothing is
 * written before `writeBatch`, and nothing locked: what is decided on must be unchanged then, or all of it is decided
 * again, on locked rows.
 */
export type SettleBatch = {
  readonly at: Date
  readonly rail: CardRail
  readonly asset: Asset
  readonly fee: { bps: bigint; flat: Amount }
  readonly links: Map<string, PayLink>
  readonly cards: Map<string, CardWithMoney>
  readonly feesAccount: AccountId
  /** The rows as they were read; the cards only where they were not locked. */
  readonly seen: { links: Map<string, PayLink>; cards: Map<string, SeenCard> | undefined }
  readonly payers: Set<string>
  /** Cards on whose counters more was decided than the database keeps within limits: they must be just as they were read. */
  readonly exact: Set<string>
  readonly settled: (Settled & { receiver: CardWithMoney })[]
  readonly decisions: DecisionRecord[]
  readonly events: BuiltEvent[]
}
export type Settled = {
  settlement: CardSettlement
  link: PayLink
  transactionId: Id<'txn'>
  payer: CardWithMoney
}
export type SettleOutcome = { ok: true; settled: Settled } | { ok: false; problem: Problem }

/** Reads the links, and their receivers' cards and the payers'; locks them first where that was tried in vain before. */
export async function openBatch(
  tx: Tx,
  at: Date,
  of: Pick<SettleBatch, 'rail' | 'asset' | 'fee'> & {
    codes: string[]
    payers: string[]
    /** The cards of the links, where the caller knows them: all is then asked for at once. */
    receivers?: string[]
  },
): Promise<SettleBatch> {
  const { rail, asset, fee } = of
  const isLocked = !mayDecideUnlocked(tx)
  const links = isLocked ? lockLinks(tx, of.codes) : readLinks(tx, of.codes)
  const readingCards = (ids: string[]) => (isLocked ? lockCards(tx, ids) : readCards(tx, ids))
  const [read, feesAccount, known] = await Promise.all([
    links,
    openAccount(tx, houseKey(asset, 'fees')),
    of.receivers && readingCards([...of.payers, ...of.receivers]),
  ])
  const cards =
    known ?? (await readingCards([...of.payers, ...[...read.values()].map((link) => link.cardId)]))
  return {
    at,
    rail,
    asset,
    fee,
    feesAccount,
    links: new Map(read),
    cards: new Map(cards),
    seen: { links: read, cards: isLocked ? undefined : (cards as Map<string, SeenCard>) },
    payers: new Set(),
    exact: new Set(),
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
 * `amount` is what the payer chose, for a link without one; `mandateId` the AP2 mandate that backs it; `rail` is that of
 * this payment where it is not the batch's.
 */
type Ask = {
  link: PayLink
  payer: CardWithMoney
  amount: Amount | null
  mandateId?: string
  rail?: CardRail
}

/**
 * Settles a link from a card in the rows at hand: the link must be open, the card's policy is asked, and its decision is
 * kept for the record, with the settlement or as a decline.
 */
export function settle(batch: SettleBatch, ask: Ask): SettleOutcome {
  const { at } = batch
  const { link, payer, rail = batch.rail } = ask
  const receiver = batch.cards.get(link.cardId)
  if (!receiver) return { ok: false, problem: notFound('card') }
  const problem = refusal(batch, ask)
  if (problem) return { ok: false, problem }

  const amount = link.amount ?? (ask.amount as Amount)
  const spend: Spend = { amount, ...payeeOf(link), rail }
  const id = newId('stl', at)
  const decision = decide(payer, spend, at)
  if (!decision.allowed) {
    batch.decisions.push(decisionRecord(at, { card: payer, spend, decision, ref: id }))
    batch.events.push(declinedEvent(payer, { spend, denied: decision, asset: batch.asset }))
    return { ok: false, problem: declined(decision) }
  }
  const settlement = settlementOf(batch, { ...ask, id, amount })
  return { ok: true, settled: take(batch, { settlement, link, payer, receiver, spend }) }
}

/**
 * Sends what the batch decided: one statement a table, whatever its size, none waited for. Rows that others want too are
 * locked last, links before cards, so that they are held for as short as can be. `afterCards` are statements whose rows
 * are locked after the cards and before those of the ledger.
 */
export function writeBatch(
  tx: Tx,
  batch: SettleBatch,
  afterCards: readonly (RawBuilder<unknown> | undefined)[] = [],
): void {
  const { at, settled } = batch
  send(tx, insertDecisionsStatement(at, batch.decisions))
  send(tx, insertEventsStatement(at, batch.events))
  if (settled.length === 0) return
  send(
    tx,
    insertCardSettlementsStatement(
      at,
      settled.map(({ settlement }) => settlement),
    ),
  )
  send(tx, countUsesStatement(at, countedUses(batch)))
  lockExactly(tx, batch)
  send(tx, saveCardsStatement(pick(batch.cards, batch.exact)))
  send(tx, countMoneyStatement(countedMoney(batch)))
  for (const statement of afterCards) send(tx, statement)
  send(
    tx,
    postStatement(
      at,
      settled.map((each) => transferOf(each, batch.feesAccount)),
    ),
  )
}

function countedUses({ settled, seen }: SettleBatch): { seen: PayLink; uses: number }[] {
  const uses = new Map<string, number>()
  for (const { link } of settled) uses.set(link.code, (uses.get(link.code) ?? 0) + 1)
  return [...uses].map(([code, count]) => ({ seen: seen.links.get(code) as PayLink, uses: count }))
}

type Money = { id: string; spent: bigint; received: bigint; terms: string | undefined }

/** What the batch adds to the counters of each card that is not saved whole, and the terms on which a payer spent. */
function countedMoney({ settled, exact, payers, seen }: SettleBatch): Money[] {
  const counted = new Map<string, Money>()
  const add = (id: string, spent: bigint, received: bigint): void => {
    if (exact.has(id)) return
    const before = counted.get(id)
    const terms = payers.has(id) ? seen.cards?.get(id)?.terms : undefined
    counted.set(id, {
      id,
      spent: (before?.spent ?? 0n) + spent,
      received: (before?.received ?? 0n) + received,
      terms,
    })
  }
  for (const { payer, receiver, settlement } of settled) {
    add(payer.id, settlement.amount, 0n)
    add(receiver.id, 0n, settlement.amount - settlement.fee)
  }
  return [...counted.values()]
}

/** Where a card must stand just as it was read, all cards are locked first, so that the order of locks stays one. */
function lockExactly(tx: Tx, batch: SettleBatch): void {
  const { seen, exact } = batch
  if (!seen.cards || exact.size === 0) return
  const others = countedMoney(batch).map(({ id }) => id)
  send(tx, lockUnchangedCardsStatement({ same: pick(seen.cards, exact), others }))
}

/** Why this payment cannot be taken at all, before the card's own policy is asked. */
function refusal(batch: SettleBatch, ask: Ask): Problem | undefined {
  const { link, payer, amount, rail = batch.rail } = ask
  if (!link.acceptedProtocols.includes(rail))
    return new Problem(
      'protocol_not_accepted',
      `This link takes ${link.acceptedProtocols.join(', ')}, not ${rail}.`,
    )
  const closed = closedProblem(link, batch.at)
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
    settlement: CardSettlement
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
  batch.payers.add(payer.id)
  // The first payment of a day begins a new count, and a single use changes the card's status.
  if (payer.singleUse || payer.day !== taken.payer.day) batch.exact.add(payer.id)
  batch.links.set(link.code, link)
  const settled = { settlement, link, transactionId: sentIdOf(settlement.id), payer }
  batch.settled.push({ ...settled, receiver })
  const { asset } = batch
  const receivedId = net > 0n ? receivedIdOf(settlement.id) : null
  batch.events.push(
    sentEvent({ settlement, link, asset, payer, transactionId: settled.transactionId }),
    settledEvent({ settlement, link, asset, transactionId: receivedId, log: null }),
  )
  if (link.status === 'COMPLETED') batch.events.push(linkEvent(payLinkCompleted, link, asset))
  return settled
}

const settlementOf = (
  { at, rail, fee }: SettleBatch,
  of: Ask & { id: Id<'stl'>; amount: Amount },
): CardSettlement => ({
  ...settledAtOnce(at, {
    id: of.id,
    link: of.link,
    protocol: of.rail ?? rail,
    payer: of.payer.id,
    amount: of.amount,
    fee: feeOf(of.amount, fee),
  }),
  payerWallet: of.payer.walletAddress,
  receiverCardId: of.link.cardId,
  receiverWallet: of.link.walletAddress,
  mandateId: of.mandateId ?? null,
  decidedOn: { ...inputsOf(of.payer, at), mcc: of.link.category },
})

const pick = <V>(from: ReadonlyMap<string, V>, keys: ReadonlySet<string>): V[] =>
  [...keys].map((key) => from.get(key)).filter((value) => value !== undefined)

const transferOf = (
  {
    settlement,
    payer,
    receiver,
  }: { settlement: CardSettlement; payer: CardWithMoney; receiver: CardWithMoney },
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
