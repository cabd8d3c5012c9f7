import type { BuiltEvent } from '../../api/events/define.ts'
import { mayDecideUnlocked, refuseStale, type Tx } from '../../base/db/sql.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import type { Id } from '../../base/kernel/ids.ts'
import { type KnownPayee, readConsents, type UsedGrant } from '../cards/approvals/store.ts'
import { type Cap, capsAbove, capTells } from '../cards/caps/cap.ts'
import { lockCaps, readCaps } from '../cards/caps/store.ts'
import { countLocked } from '../cards/caps/store-counters.ts'
import type { CardWithMoney } from '../cards/card.ts'
import type { Approval, Consent } from '../cards/consent.ts'
import type { DecisionRecord } from '../cards/decisions.ts'
import { lockCards, readFamilies, type SeenCard } from '../cards/store.ts'
import { tells } from '../cards/windows.ts'
import { houseKey } from '../ledger/account-keys.ts'
import { type AccountId, openAccounts } from '../ledger/accounts.ts'
import type { Payee } from './payee.ts'
import type { CardSettlement } from './settlement.ts'

/** The rows that a batch decides on, except those of its payees. */
export type BatchRows = {
  cards: ReadonlyMap<string, CardWithMoney>
  /** The same cards, if they were read without a lock: the write compares them. */
  seen: ReadonlyMap<string, SeenCard> | undefined
  /** `seen` was not read in this transaction but remembered: the write compares the payers' counters too. */
  isRemembered?: true
  /** The word of the owners of those cards whose payments depend on it, by card. */
  consents?: ReadonlyMap<string, Consent>
  /** The caps that some of the cards are under, by subject. */
  caps?: ReadonlyMap<string, Cap>
  /** The account of the house's fees, by `assetKey`. */
  feesAccounts: ReadonlyMap<string, AccountId>
}

/**
 * Settlements that are decided one after the other and written together. `cards` holds each card as the settlements so far
 * leave it. Nothing is written before `writeBatch`. If a row that was read without a lock has changed by then, the
 * transaction runs again and locks its rows.
 */
export type SettleBatch = {
  readonly at: Date
  readonly rows: BatchRows
  readonly cards: Map<string, CardWithMoney>
  readonly payers: Set<string>
  /** Cards that changed in more than the counters that the database keeps within limits: they must be as they were read. */
  readonly exact: Set<string>
  /** Cards whose policy refused. */
  readonly declined: Set<string>
  readonly settled: SettledRow[]
  readonly decisions: DecisionRecord[]
  readonly events: BuiltEvent[]
  /** As the batch leaves it: a question that one payment asks is there for the next. */
  readonly consents: Map<string, Consent>
  readonly asked: Approval[]
  readonly used: UsedGrant[]
  readonly payees: KnownPayee[]
  /** The amounts that children spent, by the cards above them. */
  readonly delegated: Map<string, bigint>
  /** As the batch leaves them. */
  readonly caps: Map<string, Cap>
  /** How many payments the batch made under each cap. */
  readonly payments: Map<string, number>
}
/** A settlement with the cards it was made between, as it leaves them. */
export type SettledRow = {
  settlement: CardSettlement
  payer: CardWithMoney
  payee: Payee
  transactionId: Id<'txn'>
}

export const assetKey = (of: { network: string; asset: string }): string =>
  `${of.network} ${of.asset}`

/**
 * Reads the cards of payers and payees, and the accounts of the fees. Locks the cards if the first attempt failed. Counters
 * that do not tell the windows of `at` are made anew on locked rows.
 */
export async function readBatch(
  tx: Tx,
  at: Date,
  of: { cardIds: readonly string[]; assets: Iterable<Asset> },
): Promise<BatchRows> {
  const assets = [
    ...new Map([...of.assets].map((asset) => [`${asset.network} ${asset.symbol}`, asset])),
  ]
  const keys = assets.map(([, asset]) => houseKey(asset, 'fees'))
  const unlocked = mayDecideUnlocked(tx) ? readFamilies(tx, of.cardIds) : undefined
  const [cards, seen, accounts] = await Promise.all([
    unlocked ?? lockCounted(tx, at, of.cardIds),
    unlocked,
    openAccounts(tx, keys),
  ])
  const consents = await readConsents(tx, at, cards.values())
  const subjects = capsAbove([...cards.values()])
  const caps = seen ? await readCaps(tx, subjects) : await lockCaps(tx, at, subjects)
  const areCurrent =
    [...cards.values()].every((card) => tells(card, at)) &&
    [...caps.values()].every((cap) => capTells(cap, at))
  if (!areCurrent) await refuseStale(tx)
  const feesAccounts = new Map(assets.map(([key], i) => [key, accounts[i] as AccountId]))
  return { cards, seen, consents, caps, feesAccounts }
}

async function lockCounted(
  tx: Tx,
  at: Date,
  ids: readonly string[],
): Promise<Map<string, CardWithMoney>> {
  const cards = await countLocked(tx, at, [...(await lockCards(tx, ids)).values()])
  return new Map(cards.map((card) => [card.id, card]))
}

/** A batch that has decided nothing yet. */
export const newBatch = (at: Date, rows: BatchRows): SettleBatch => ({
  at,
  rows,
  cards: new Map(rows.cards),
  payers: new Set(),
  exact: new Set(),
  declined: new Set(),
  settled: [],
  decisions: [],
  events: [],
  consents: new Map(rows.consents),
  asked: [],
  used: [],
  payees: [],
  delegated: new Map(),
  caps: new Map(rows.caps),
  payments: new Map(),
})
