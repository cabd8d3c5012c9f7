import { record } from '../../../api/events/record.ts'
import type { Settings } from '../../../api/http/settings.ts'
import type { Tx } from '../../../base/db/sql.ts'
import { assert } from '../../../base/kernel/assert.ts'
import type { Address, Asset } from '../../../base/kernel/assets.ts'
import { reach } from '../../../base/kernel/fault-points.ts'
import type { Id } from '../../../base/kernel/ids.ts'
import { type Amount, minus } from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { tierAt } from '../../../members/membership/store.ts'
import type { CardWithMoney } from '../../../money/cards/card.ts'
import { insufficientBalance } from '../../../money/cards/issue/issue.ts'
import { findCard } from '../../../money/cards/store.ts'
import { houseKey, treasuryKey } from '../../../money/ledger/account-keys.ts'
import { availableOn, lockAccounts, openAccounts } from '../../../money/ledger/accounts.ts'
import { readAvailable } from '../../../money/ledger/balance.ts'
import { post } from '../../../money/ledger/post.ts'
import { findFeeRules } from '../../../money/settlements/fee-rules/store.ts'
import { feeFor } from '../../../money/settlements/fees.ts'
import { markListed } from '../../stats/store.ts'
import { handOver } from '../hand-over/hand-over.ts'
import { checkMovable, lockBelongings } from '../hand-over/lock.ts'
import { checkOpen, type Listing, noListing, soldEvents } from '../listing.ts'
import { lockListing, saveListing } from '../store.ts'
import { checkVersion, versionOf } from '../version/version.ts'
import { insertSale } from './store.ts'

export type Purchase = {
  listingId: string
  buyer: Address
  /** The version that the buyer saw; without it the card is bought as it stands. */
  version: string | undefined
  /** Refuses a price that the buyer's key may not pay. */
  checkPrice(price: Amount): void
  asset: Asset
  settings: Settings
}
export type Bought = { listing: Listing; card: CardWithMoney; token: string }

/**
 * Sells a card in the books, in one transaction: the money, the card and all that belongs to it change hands together, or
 * nothing does. Locks the listing, agreements, links, the card, and the two balances.
 */
export async function buyCard(tx: Tx, at: Date, purchase: Purchase): Promise<Bought> {
  const { buyer, asset, settings } = purchase
  const listing = await lockOpenListing(tx, purchase)
  await checkBeforeLocks(tx, purchase, listing)
  reach('market.locked')
  const belongings = await lockBelongings(tx, listing.cardId)
  await checkMovable(tx, at, belongings)
  const version = await versionOf(tx, belongings.card)
  checkVersion(purchase.version, version)
  const fee = await saleFee(tx, at, { listing, settings })
  const transferId = await pay(tx, at, { listing, buyer, fee, asset })
  reach('market.paid')
  const sold = { listingId: listing.id, price: listing.price, fee }
  const { card, token } = await handOver(tx, at, {
    ...belongings,
    toWallet: buyer,
    sold,
    asset,
    settings,
  })
  const ended: Listing = {
    ...listing,
    status: 'SOLD',
    buyer,
    fee,
    version,
    settledAt: at,
    endedAt: at,
  }
  await saveListing(tx, ended)
  await markListed(tx, { cardId: card.id, listingId: null })
  await insertSale(tx, at, { listing: ended, buyer, fee, transferId })
  await record(tx, at, soldEvents(ended, { asset, changed: [] }))
  reach('market.before_commit')
  return { listing: ended, card, token }
}

async function lockOpenListing(
  tx: Tx,
  { listingId, buyer, checkPrice, settings }: Purchase,
): Promise<Listing> {
  const listing = await lockListing(tx, listingId)
  if (listing?.network !== settings.network) throw noListing()
  checkOpen(listing, { buyer, checkPrice })
  if (listing.mode !== 'custodial')
    throw new Problem(
      'invalid_state',
      'This card is sold on chain alone: sign what GET /api/listings/{id}/buy/prepare answers, and send it as authorization.',
    )
  return listing
}

/** Locks of all that a card has keep others waiting, so a buyer who would be refused takes none. */
async function checkBeforeLocks(
  tx: Tx,
  { buyer, version, asset }: Purchase,
  { cardId, price }: Listing,
): Promise<void> {
  const available = await readAvailable(tx, treasuryKey(asset, buyer))
  if (available < price) throw insufficientBalance({ available, requested: price, asset })
  const card = version === undefined ? undefined : await findCard(tx, cardId)
  if (card?.status === 'ACTIVE') checkVersion(version, await versionOf(tx, card))
}

/** The seller pays the fee of its own wallet, tier, or of all. */
async function saleFee(
  tx: Tx,
  at: Date,
  { listing, settings }: { listing: Listing; settings: Settings },
): Promise<Amount> {
  const { seller, price } = listing
  const rules = await findFeeRules(tx, { wallets: [seller], kind: 'sale', tierOf: tierAt(at) })
  return feeFor(price, { rule: rules.get(seller) ?? null, standard: settings.fee })
}

/** Moves the price from the buyer's balance to the seller's, less the fee. */
async function pay(
  tx: Tx,
  at: Date,
  of: { listing: Listing; buyer: Address; fee: Amount; asset: Asset },
): Promise<Id<'trf'>> {
  const { listing, buyer, fee, asset } = of
  const { id, seller, price } = listing
  const keys = [treasuryKey(asset, buyer), treasuryKey(asset, seller), houseKey(asset, 'fees')]
  const [from, to, fees] = (await openAccounts(tx, keys)) as [bigint, bigint, bigint]
  const buyers = (await lockAccounts(tx, [from, to])).get(from)
  assert(buyers, 'the account was opened')
  const available = availableOn(buyers)
  if (available < price) throw insufficientBalance({ available, requested: price, asset })
  const entries = [
    { account: from, amount: -price },
    { account: to, amount: minus(price, fee) },
    { account: fees, amount: fee },
  ]
  const [transferId] = await post(tx, at, [{ kind: 'sale', ref: id, entries }])
  return transferId as Id<'trf'>
}
