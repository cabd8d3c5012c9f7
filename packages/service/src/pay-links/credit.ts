import type { CardWithMoney } from '../cards/card.ts'
import { lockCards, saveCards } from '../cards/store.ts'
import { insertTransactions, type NewTransaction } from '../cards/transactions.ts'
import type { Tx } from '../db/sql.ts'
import type { BuiltEvent } from '../events/define.ts'
import { record } from '../events/record.ts'
import { payLinkCompleted } from '../events/types/pay-links.ts'
import { assert } from '../kernel/assert.ts'
import type { Asset, Hex } from '../kernel/assets.ts'
import { type Id, newId } from '../kernel/ids.ts'
import { minus, plus } from '../kernel/money.ts'
import { houseKey } from '../ledger/account-keys.ts'
import { type AccountId, openAccount } from '../ledger/accounts.ts'
import { post } from '../ledger/post.ts'
import { linkEvent, withUse } from './link.ts'
import { sentEvent, settledEvent } from './settled-event.ts'
import { type PayLink, type Settlement, saveLinks, takeLogs } from './store.ts'

/** A transfer log that brought money to a link's address. */
export type PaidLog = { txHash: Hex; logIndex: number }

/** A settlement whose money has arrived, and the log that brought it. Its link is locked. */
export type PaidSettlement = { link: PayLink; settlement: Settlement; log: PaidLog }
/**
 * A settlement whose money stands on an account of the ledger. Its link is locked. The money came with `log`, or off
 * the card of `sent`.
 */
type Credit = { link: PayLink; settlement: Settlement; from: AccountId } & (
  | { log: PaidLog; sent: null }
  | { log: null; sent: { card: CardWithMoney; transactionId: Id<'txn'> } }
)

/**
 * Credits a settlement whose money has arrived on chain: receiver card net, house fee, the use counted, the log taken.
 * The link is locked; the settlement's row is the caller's to write. Undefined where the log had been used before.
 */
export async function creditSettlement(
  tx: Tx,
  at: Date,
  { asset, ...paid }: PaidSettlement & { asset: Asset },
): Promise<PayLink | undefined> {
  return (await creditSettlements(tx, at, { asset, paid: [paid] })).get(paid.settlement.id)
}

/**
 * As `creditSettlement`, for many: one statement a table. Answers the link after all of them for each settlement that
 * was credited, by the settlement's id.
 */
export async function creditSettlements(
  tx: Tx,
  at: Date,
  { asset, paid }: { asset: Asset; paid: readonly PaidSettlement[] },
): Promise<Map<string, PayLink>> {
  const uses = paid.map(({ link, settlement, log }) => ({
    ...log,
    network: link.network,
    settlementId: settlement.id,
  }))
  const taken = await takeLogs(tx, uses)
  const due = paid.filter(({ settlement }) => taken.has(settlement.id))
  if (due.length === 0) return new Map()
  const from = await openAccount(tx, houseKey(asset, 'custody'))
  const credits = due.map(({ link, settlement, log }) => ({
    ...{ link, from, log, sent: null },
    settlement: { ...settlement, txHash: log.txHash },
  }))
  return creditFrom(tx, at, { asset, credits })
}

/**
 * Moves settled money from where it stands to the links' cards, less the house's fee: uses counted, received
 * transactions and events written. Answers the link after all of them for each settlement, by the settlement's id.
 */
export async function creditFrom(
  tx: Tx,
  at: Date,
  { asset, credits }: { asset: Asset; credits: readonly Credit[] },
): Promise<Map<string, PayLink>> {
  const links = new Map<string, PayLink>()
  const events: BuiltEvent[] = []
  const received = new Map<string, Id<'txn'>>()
  for (const { link, settlement, log, sent } of credits) {
    const used = withUse(links.get(link.id) ?? link, at)
    links.set(link.id, used)
    const paid = { settlement, link: used, asset }
    if (settlement.amount > settlement.fee) received.set(settlement.id, newId('txn', at))
    if (sent) events.push(sentEvent({ ...paid, payer: sent.card, ...sent }))
    const transactionId = received.get(settlement.id) ?? null
    events.push(settledEvent({ ...paid, transactionId, log }))
    if (used.status === 'COMPLETED') events.push(linkEvent(payLinkCompleted, used, asset))
  }
  await saveLinks(tx, [...links.values()])
  const cards = await creditCards(tx, credits)
  await insertTransactions(tx, credits.flatMap(receivedBy(at, { cards, received })))
  const fees = await openAccount(tx, houseKey(asset, 'fees'))
  await post(
    tx,
    at,
    credits.map(({ link, from, settlement: { id, amount, fee } }) => ({
      kind: 'link_settlement',
      ref: id,
      entries: [
        { account: from, amount: -amount },
        { account: cardOf(cards, link).accountId, amount: minus(amount, fee) },
        { account: fees, amount: fee },
      ],
    })),
  )
  await record(tx, at, events)
  return new Map(credits.map(({ settlement, link }) => [settlement.id, links.get(link.id) ?? link]))
}

type Cards = ReadonlyMap<string, CardWithMoney>

const cardOf = (cards: Cards, link: PayLink): CardWithMoney => {
  const card = cards.get(link.cardId)
  assert(card, `card ${link.cardId} exists`)
  return card
}

/** Locks the receiving cards and counts what each has received. */
async function creditCards(tx: Tx, due: readonly Credit[]): Promise<Cards> {
  const cards = await lockCards(
    tx,
    due.map(({ link }) => link.cardId),
  )
  const received = new Map<string, CardWithMoney>()
  for (const { link, settlement } of due) {
    const card = received.get(link.cardId) ?? cardOf(cards, link)
    const net = minus(settlement.amount, settlement.fee)
    received.set(card.id, { ...card, received: plus(card.received, net) })
  }
  await saveCards(tx, [...received.values()])
  return received
}

const receivedBy =
  (at: Date, { cards, received }: { cards: Cards; received: ReadonlyMap<string, Id<'txn'>> }) =>
  ({ link, settlement }: Credit): NewTransaction[] => {
    const net = minus(settlement.amount, settlement.fee)
    const card = cardOf(cards, link)
    const id = received.get(settlement.id)
    if (!id) return []
    return [
      {
        id,
        cardId: card.id,
        walletAddress: card.walletAddress,
        direction: 'received',
        amount: net,
        fee: settlement.fee,
        merchant: settlement.payer,
        protocol: settlement.protocol,
        status: 'SETTLED',
        network: link.network,
        asset: link.asset,
        txHash: settlement.txHash,
        ref: settlement.id,
        memo: link.memo,
        createdAt: at,
        settledAt: at,
      },
    ]
  }
