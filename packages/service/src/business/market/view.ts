import { type Static, Type } from 'typebox'
import {
  iso,
  isoOrNull,
  NetworkField,
  NullableTimestamp,
  OneOf,
  Timestamp,
} from '../../api/http/fields.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { toNumber } from '../../base/kernel/money.ts'
import type { CardStanding } from '../../money/cards/card.ts'
import { isExpired } from '../../money/cards/policy.ts'
import { LISTING_MODES, LISTING_STATUSES, type Listing } from './listing.ts'

/** The business behind a card, as buyers see it. The names are those of the specification. */
const StatsBody = Type.Object({
  rxCount: Type.Integer({ description: 'Payments received, since the card was issued' }),
  rxLifetime: Type.Number({ description: 'USDC received in them before fees, less refunds' }),
  rx30d: Type.Number({ description: 'The same, today and the 29 UTC days before' }),
  rx30dCount: Type.Integer({ description: 'Payments received in that time' }),
  lastActive: Type.Union([Timestamp, Type.Null()], { description: 'The newest of the payments' }),
  firstActive: Type.Union([Timestamp, Type.Null()], { description: 'The first of the payments' }),
  protocols: Type.Integer({ description: 'How many protocols they were made with' }),
  balance: Type.Number({ description: 'Money on the card now; it changes hands with the card' }),
  ageDays: Type.Integer({ description: 'Whole days since the card was issued' }),
  hasCrt: Type.Boolean({ description: 'Whether the card has a credential token with a market' }),
  crtStatus: Type.String({ description: 'NONE, LIVE or VESTED' }),
  crtAddress: Type.Union([Type.String(), Type.Null()], {
    description: 'Contract of the credential token',
  }),
  crtSymbol: Type.Union([Type.String(), Type.Null()], {
    description: 'Symbol of the credential token',
  }),
  holderAddress: Type.Union([Type.String(), Type.Null()], {
    description: 'ERC-6551 account of the identity token; null before its mint is final',
  }),
  chainStatus: Type.String({ description: 'How that account stands: NONE, RESERVED, DEPLOYED' }),
  identityToken: Type.Union([Type.String(), Type.Null()], {
    description: 'The identity token, as CAIP-19 names it',
  }),
  identityStatus: Type.String({ description: 'How the identity token stands; NONE without one' }),
})
export type ListingStats = Static<typeof StatsBody>

/** The specification's Marketplace listing, with its additive fields. */
export const ListingBody = Type.Object({
  id: Type.String({ description: 'Id of the listing, `lst_` and 26 characters' }),
  card_id: Type.String({ description: 'Id of the card' }),
  seller: Type.String({ description: 'Wallet that sells the card' }),
  price: Type.Number({ description: 'What the buyer pays; it never changes' }),
  currency: Type.String({ description: 'USDC' }),
  status: OneOf(LISTING_STATUSES, 'State of the listing'),
  created_at: Timestamp,
  buyer: Type.Union([Type.String(), Type.Null()], { description: 'Wallet that bought the card' }),
  settled_tx: Type.Union([Type.String(), Type.Null()], {
    description: 'Transaction that moved the identity token; null until it is known',
  }),
  settled_at: NullableTimestamp('When it was settled; null until then'),
  sellable: Type.Boolean({
    description: 'Whether it can be bought now: open, the card ACTIVE and without a hold',
  }),
  mode: OneOf(LISTING_MODES, 'Where the price is paid: in the books of the service, or on chain'),
  network: NetworkField,
  reason: Type.Union([Type.String(), Type.Null()], {
    description:
      'Why it was cancelled: seller (here), cancelled_on_chain, listing_expired, operator_changed (sign it again), or what became of the card',
  }),
  ended_at: NullableTimestamp('When it ended; null while it is open'),
  expires_at: NullableTimestamp('When it ends; null for never'),
  version: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description:
        'Digest of what a buyer relies on. Send it with the purchase, and nothing is sold that has changed',
    }),
  ),
  stats: StatsBody,
})

/** A listing with the rows that it is shown with. */
export type ShownListing = {
  listing: Listing
  card: CardStanding
  stats: ListingStats
  isMoving: boolean
  version?: string | null
}

/** Whether the listing can be bought as its card stands. */
export const isSellable = ({ listing, card, isMoving }: ShownListing, at: Date): boolean =>
  listing.status === 'LISTED' &&
  card.status === 'ACTIVE' &&
  !isExpired(card, at) &&
  (listing.expiresAt === null || at <= listing.expiresAt) &&
  card.held === 0n &&
  !isMoving

export const listingBody = (
  shown: ShownListing,
  { asset, at }: { asset: Asset; at: Date },
): Static<typeof ListingBody> => ({
  id: shown.listing.id,
  card_id: shown.listing.cardId,
  seller: shown.listing.seller,
  price: toNumber(shown.listing.price, asset.decimals),
  currency: shown.listing.asset,
  status: shown.listing.status,
  created_at: iso(shown.listing.createdAt),
  buyer: shown.listing.buyer,
  settled_tx: shown.listing.settledTx,
  settled_at: isoOrNull(shown.listing.settledAt),
  sellable: isSellable(shown, at),
  mode: shown.listing.mode,
  network: shown.listing.network,
  reason: shown.listing.reason,
  ended_at: isoOrNull(shown.listing.endedAt),
  expires_at: isoOrNull(shown.listing.expiresAt),
  ...(shown.version !== undefined && { version: shown.version }),
  stats: shown.stats,
})
