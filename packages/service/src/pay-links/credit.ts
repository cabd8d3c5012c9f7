import type { Tx } from '../db/sql.ts'
import { type NewEvent, record } from '../events/record.ts'
import type { Asset, Hex } from '../kernel/assets.ts'
import { houseKey } from '../ledger/account-keys.ts'
import { type AccountId, openAccount } from '../ledger/accounts.ts'
import { creditCards } from '../settlements/credit.ts'
import { settledEvent } from '../settlements/settled-event.ts'
import { linkEvent, withUse } from './link.ts'
import { type PayLink, type Settlement, saveLinks, takeLogs } from './store.ts'

/** A transfer log that brought money to a link's address. */
export type PaidLog = { txHash: Hex; logIndex: number }

/** A settlement whose money has arrived, and the log that brought it. Its link is locked. */
export type PaidSettlement = { link: PayLink; settlement: Settlement; log: PaidLog }
/** A settlement whose money is on an account of the ledger. Its link is locked. */
type Credit = { link: PayLink; settlement: Settlement; from: AccountId }

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
    ...{ link, from },
    settlement: { ...settlement, txHash: log.txHash },
  }))
  return creditFrom(tx, at, { asset, credits })
}

/**
 * Moves settled money from the accounts that hold it to the links' cards, less the house's fee: uses counted, received
 * transactions and events written. Answers the link after all of them for each settlement, by the settlement's id.
 */
export async function creditFrom(
  tx: Tx,
  at: Date,
  { asset, credits }: { asset: Asset; credits: readonly Credit[] },
): Promise<Map<string, PayLink>> {
  const links = new Map<string, PayLink>()
  const events: NewEvent[] = []
  for (const { link, settlement } of credits) {
    const used = withUse(links.get(link.id) ?? link, at)
    links.set(link.id, used)
    const { cardId, walletAddress, code, memo } = link
    const paid = { ...settlement, receiverCardId: cardId, receiverWallet: walletAddress }
    events.push(settledEvent({ settlement: paid, asset, code, memo }))
    if (used.status === 'COMPLETED') events.push(linkEvent('paylink.completed', used))
  }
  await saveLinks(tx, [...links.values()])
  const toCards = credits.map(({ link: { cardId, memo }, ...rest }) => ({ ...rest, cardId, memo }))
  await creditCards(tx, at, { asset, credits: toCards })
  await record(tx, at, events)
  return new Map(credits.map(({ settlement, link }) => [settlement.id, links.get(link.id) ?? link]))
}
