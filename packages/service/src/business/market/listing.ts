import type { BuiltEvent } from '../../api/events/define.ts'
import { chainFact } from '../../api/events/fact-id.ts'
import {
  type listingCancelled,
  type listingCreated,
  listingSold,
} from '../../api/events/types/market/listings.ts'
import { assert } from '../../base/kernel/assert.ts'
import type { Address, Asset, Hex } from '../../base/kernel/assets.ts'
import type { Id } from '../../base/kernel/ids.ts'
import { type Amount, minus } from '../../base/kernel/money.ts'
import { notFound, Problem } from '../../base/kernel/problem.ts'

export const LISTING_STATUSES = ['LISTED', 'SETTLING', 'SOLD', 'CANCELLED'] as const
export type ListingStatus = (typeof LISTING_STATUSES)[number]
/** The mover of the money: the service in its books, or the chain. */
export const LISTING_MODES = ['custodial', 'onchain'] as const
export type ListingMode = (typeof LISTING_MODES)[number]
/** Why a listing ended without a sale. */
export const CANCEL_REASONS = [
  'seller',
  'card_closed',
  'card_expired',
  'card_used',
  'card_transferred',
  'identity_moved',
  'listing_expired',
  'cancelled_on_chain',
  'operator_changed',
] as const
export type CancelReason = (typeof CANCEL_REASONS)[number]

/** A card for sale, at a price that never changes. */
export type Listing = {
  id: Id<'lst'>
  cardId: string
  seller: string
  price: Amount
  mode: ListingMode
  network: string
  asset: string
  /** Names the listing on chain. */
  hash: Hex
  status: ListingStatus
  reason: CancelReason | null
  /** The card's version that a buyer pays for, then the one at its sale. */
  version: string | null
  buyer: string | null
  fee: Amount | null
  /** The transaction that moved the identity token; null until it is known. */
  settledTx: string | null
  createdAt: Date
  /** The last moment at which the chain would sell it; null of one in the books. */
  expiresAt: Date | null
  settledAt: Date | null
  endedAt: Date | null
}

type NewListing = Pick<
  Listing,
  'id' | 'cardId' | 'seller' | 'price' | 'mode' | 'network' | 'asset' | 'hash' | 'expiresAt'
>

/** A listing as it begins: LISTED, and bought by nobody. */
export const newListing = (at: Date, of: NewListing): Listing => ({
  ...of,
  status: 'LISTED',
  reason: null,
  version: null,
  buyer: null,
  fee: null,
  settledTx: null,
  createdAt: at,
  settledAt: null,
  endedAt: null,
})

/** Refuses a listing that this buyer cannot buy now. */
export function checkOpen(
  listing: Listing,
  { buyer, checkPrice }: { buyer: Address; checkPrice(price: Amount): void },
): void {
  if (listing.seller === buyer)
    throw new Problem('own_listing', 'The listing is your own. Cancel it to keep the card.')
  if (listing.status !== 'LISTED')
    throw new Problem(
      'listing_closed',
      `The listing is ${listing.status}; only a LISTED one can be bought.`,
      { extra: { status: listing.status } },
    )
  checkPrice(listing.price)
}

/** Listings are public, so the caller's wallet is not what is wrong. */
export const noListing = (): Problem =>
  notFound('listing', 'Check the id, and that the card was listed.')

const sharedOf = (listing: Listing) => ({
  listing_id: listing.id,
  card_id: listing.cardId,
  seller: listing.seller,
  price: listing.price,
  currency: listing.asset,
  status: listing.status,
})

/** `listing.created` or `listing.cancelled`, for the seller. */
export const listingEvent = (
  kind: typeof listingCreated | typeof listingCancelled,
  listing: Listing,
  asset: Asset,
): BuiltEvent =>
  kind.of({
    walletAddress: listing.seller,
    asset,
    data: { ...sharedOf(listing), reason: listing.reason },
  })

/**
 * `listing.sold`, for both sides. `changed` names the parts of the card's version that moved between the payment and the
 * hand-over.
 */
export function soldEvents(
  listing: Listing,
  { asset, changed }: { asset: Asset; changed: readonly string[] },
): BuiltEvent[] {
  const { buyer, fee, price, seller, settledTx } = listing
  assert(buyer !== null && fee !== null, 'a sold listing has its buyer and fee')
  const data = { ...sharedOf(listing), buyer, settled_tx: settledTx, changed: [...changed] }
  const fact = settledTx === null ? null : chainFact(settledTx)
  return [
    listingSold.of({
      walletAddress: seller,
      ...{ asset, fact },
      data: { ...data, fee, net_amount: minus(price, fee) },
    }),
    listingSold.of({
      walletAddress: buyer,
      ...{ asset, fact },
      data: { ...data, fee: null, net_amount: null },
    }),
  ]
}
