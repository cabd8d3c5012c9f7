import { record } from '../../api/events/record.ts'
import { listingCancelled, listingCreated } from '../../api/events/types/market/listings.ts'
import type { Settings } from '../../api/http/settings.ts'
import { lockOwned } from '../../base/db/owned.ts'
import type { Tx } from '../../base/db/sql.ts'
import type { Asset, Hex } from '../../base/kernel/assets.ts'
import { newId } from '../../base/kernel/ids.ts'
import type { Amount } from '../../base/kernel/money.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { sha256 } from '../../base/kernel/secrets.ts'
import { lockOwnCard, type Mine, wrongState } from '../../money/cards/controls/own-card.ts'
import { markCardListed } from '../../money/cards/store.ts'
import { requestMint } from '../identity/request.ts'
import { hasCountedPayment, markListed } from '../stats/store.ts'
import {
  type CancelReason,
  type Listing,
  type ListingMode,
  listingEvent,
  newListing,
} from './listing.ts'
import { findLiveListing, insertListing, lockListing, saveListing } from './store.ts'

export type ListOrder = Mine & {
  price: Amount
  mode: ListingMode
  /** The terms that the seller signed, of a card that is sold on chain. */
  signed?: { hash: Hex; expiresAt: Date }
  asset: Asset
  settings: Settings
}

/** Offers an ACTIVE card of the wallet for sale. A card has one open listing; its price never changes. */
export async function listCard(tx: Tx, at: Date, order: ListOrder): Promise<Listing> {
  const { price, mode, asset, settings, cardId, walletAddress } = order
  const card = await lockOwnCard(tx, at, order)
  const live = await findLiveListing(tx, cardId)
  if (live)
    throw new Problem(
      'already_listed',
      `The card is for sale already, as ${live.id}. Cancel that listing to ask another price.`,
      { extra: { listing_id: live.id } },
    )
  if (card.ancestors.length > 0)
    throw new Problem('invalid_state', 'A child card cannot be sold. Sell the card above it.')
  if (card.status !== 'ACTIVE') throw wrongState(card, 'listed', 'ACTIVE')
  const id = newId('lst', at)
  const listing = newListing(at, {
    id,
    cardId,
    seller: walletAddress,
    price,
    mode,
    network: card.network,
    asset: asset.symbol,
    hash: order.signed?.hash ?? hashOf(id),
    expiresAt: order.signed?.expiresAt ?? null,
  })
  await insertListing(tx, listing)
  await markCardListed(tx, cardId, true)
  await markListed(tx, { cardId, listingId: id })
  if (await hasCountedPayment(tx, cardId)) await requestMint(tx, at, { settings, card })
  await record(tx, at, [listingEvent(listingCreated, listing, asset)])
  return listing
}

const hashOf = (id: string): Hex => `0x${sha256(id).toString('hex')}`

/** Takes the wallet's listing back. Taking it back twice changes nothing. */
export async function cancelListing(
  tx: Tx,
  at: Date,
  { id, isMine, asset }: { id: string; isMine(listing: Listing): boolean; asset: Asset },
): Promise<Listing> {
  const listing = await lockOwned(lockListing(tx, id), isMine, 'listing')
  if (listing.status === 'CANCELLED') return listing
  if (listing.status !== 'LISTED')
    throw new Problem(
      'listing_closed',
      `The listing is ${listing.status}; only a LISTED one can be cancelled.`,
      { extra: { status: listing.status } },
    )
  return endUnsold(tx, at, { listing, reason: 'seller', asset })
}

/** Ends the listing without a sale, if it is LISTED. */
export async function endListed(
  tx: Tx,
  at: Date,
  { id, reason, asset }: { id: string; reason: CancelReason; asset: Asset },
): Promise<void> {
  const listing = await lockListing(tx, id)
  if (listing?.status === 'LISTED') await endUnsold(tx, at, { listing, reason, asset })
}

/** Ends a locked LISTED listing without a sale. */
export async function endUnsold(
  tx: Tx,
  at: Date,
  { listing, reason, asset }: { listing: Listing; reason: CancelReason; asset: Asset },
): Promise<Listing> {
  const cancelled: Listing = { ...listing, status: 'CANCELLED', reason, endedAt: at }
  await saveListing(tx, cancelled)
  await markCardListed(tx, listing.cardId, false)
  await markListed(tx, { cardId: listing.cardId, listingId: null })
  await record(tx, at, [listingEvent(listingCancelled, cancelled, asset)])
  return cancelled
}
