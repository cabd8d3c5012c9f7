import type { BuiltEvent } from '../../api/events/define.ts'
import { sentEvent, settledEvent } from '../../api/events/payment-events.ts'
import { record } from '../../api/events/record.ts'
import type { Tx } from '../../base/db/sql.ts'
import type { Asset, Hex } from '../../base/kernel/assets.ts'
import type { Id } from '../../base/kernel/ids.ts'
import type { CardWithMoney } from '../../money/cards/card.ts'
import { houseKey } from '../../money/ledger/account-keys.ts'
import { type AccountId, openAccount } from '../../money/ledger/accounts.ts'
import { creditCards } from '../../money/settlements/credit.ts'
import type { LinkSettlement } from '../../money/settlements/settlement.ts'
import { completion, withUse } from './link.ts'
import { type PayLink, saveLinks } from './store.ts'
import { takeLogs } from './store-logs.ts'

/** A transfer log that brought money to a link's address. */
export type PaidLog = { txHash: Hex; logIndex: number }

/** A settlement whose money has arrived, and the log that brought it. Its link is locked. */
export type PaidSettlement = { link: PayLink; settlement: LinkSettlement; log: PaidLog }
/**
 * A settlement whose money is on an account of the ledger. Its link is locked. The money came with `log`, or from the card
 * of `sent`.
 */
type Credit = { link: PayLink; settlement: LinkSettlement; from: AccountId } & (
  | { log: PaidLog; sent: null }
  | { log: null; sent: { card: CardWithMoney; transactionId: Id<'txn'> } }
)

/**
 * Credits a settlement whose money has arrived on chain: receiver card net, house fee, the use counted, the log taken.
 * The link is locked. The caller writes the settlement's row. Undefined if the log was used before.
 */
export async function creditSettlement(
  tx: Tx,
  at: Date,
  { asset, ...paid }: PaidSettlement & { asset: Asset },
): Promise<PayLink | undefined> {
  return (await creditSettlements(tx, at, { asset, paid: [paid] })).get(paid.settlement.id)
}

/**
 * As `creditSettlement`, for many: one statement a table. Returns the final link for each settlement that
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
    link,
    from,
    log,
    sent: null,
    settlement: { ...settlement, txHash: log.txHash },
  }))
  return creditFrom(tx, at, { asset, credits })
}

/**
 * Moves settled money from the accounts that hold it to the links' cards, less the house's fee: uses counted, received
 * transactions and events written. Returns the final link for each settlement, keyed by settlement id.
 */
export async function creditFrom(
  tx: Tx,
  at: Date,
  { asset, credits }: { asset: Asset; credits: readonly Credit[] },
): Promise<Map<string, PayLink>> {
  const links = new Map<string, PayLink>()
  const completed: BuiltEvent[] = []
  for (const { link, log } of credits) {
    const used = withUse(links.get(link.id) ?? link, at)
    links.set(link.id, used)
    completed.push(...completion(used, { asset, log }))
  }
  await saveLinks(tx, [...links.values()])
  const received = await creditCards(tx, at, {
    asset,
    credits: credits.map(({ settlement, from, sent, link: { cardId, memo } }) => ({
      settlement,
      from,
      cardId,
      payer: sent?.card.walletAddress ?? settlement.payer,
      memo,
    })),
  })
  const events = credits.flatMap((credit) => eventsOf(credit, { asset, received }))
  await record(tx, at, [...events, ...completed])
  return new Map(credits.map(({ settlement, link }) => [settlement.id, links.get(link.id) ?? link]))
}

/** One event for the seller, and one for the wallet whose card paid. */
function eventsOf(
  { link, settlement, log, sent }: Credit,
  { asset, received }: { asset: Asset; received: ReadonlyMap<string, Id<'txn'>> },
): BuiltEvent[] {
  const label = { code: link.code, merchant: link.code, memo: link.memo }
  const paid = { settlement, asset, label }
  const settled = settledEvent({
    ...paid,
    receiver: { walletAddress: link.walletAddress, cardId: link.cardId },
    transactionId: received.get(settlement.id) ?? null,
    log,
  })
  return sent ? [sentEvent({ ...paid, payer: sent.card, ...sent }), settled] : [settled]
}
