import type { CardStanding, CardWithMoney } from '../cards/card.ts'
import { readCards, readStandings } from '../cards/store.ts'
import { type CardMarket, readCardMarkets } from '../crt-markets/store.ts'
import type { Reader } from '../db/sql.ts'
import { isoOrNull } from '../http/fields.ts'
import { type Identity, isMoving, readIdentities } from '../identity/identity.ts'
import { assert } from '../kernel/assert.ts'
import type { Asset } from '../kernel/assets.ts'
import { toNumber } from '../kernel/money.ts'
import { type CardStats, readCardStats } from '../stats/store.ts'
import type { Listing } from './listing.ts'
import { versionOf } from './version.ts'
import { type ListingStats, listingBody, type ShownListing } from './view.ts'

const DAY_MS = 86_400_000
/** The place that the identity token must be sold from. */
const CUSTODY = { custodial: 'CUSTODIAL', onchain: 'WITHDRAWN' } as const

/** The listings with their cards and what is known of each business, in the same order. */
export const readPage = (
  on: Reader,
  at: Date,
  of: { listings: readonly Listing[]; asset: Asset },
): Promise<ShownListing[]> => readShown(on, at, { ...of, read: readStandings })

type Shown<C> = Omit<ShownListing, 'card'> & { card: C }

async function readShown<C extends CardStanding>(
  on: Reader,
  at: Date,
  {
    listings,
    asset,
    read,
  }: {
    listings: readonly Listing[]
    asset: Asset
    read: (on: Reader, ids: string[]) => Promise<Map<string, C>>
  },
): Promise<Shown<C>[]> {
  const ids = listings.map(({ cardId }) => cardId)
  const [cards, stats, identities, markets] = await Promise.all([
    read(on, ids),
    readCardStats(on, ids, at),
    readIdentities(on, ids),
    readCardMarkets(on, ids),
  ])
  return listings.map((listing) => {
    const { cardId } = listing
    const [card, received, identity] = [
      cards.get(cardId),
      stats.get(cardId),
      identities.get(cardId),
    ]
    assert(card && received && identity, 'a listing is of a card')
    const business = { card, received, identity, market: markets.get(cardId) }
    return {
      listing,
      card,
      stats: statsOf(business, { asset, at }),
      isMoving: isMoving(identity) || identity.custody !== CUSTODY[listing.mode],
    }
  })
}

/** One listing as it is shown; an open one with the version of its card, as `readVersion` knows it. */
export async function showListing(
  on: Reader,
  at: Date,
  of: { listing: Listing; asset: Asset; readVersion?: (card: CardWithMoney) => Promise<string> },
) {
  const { listing, asset, readVersion = (card) => versionOf(on, card) } = of
  const [shown] = await readShown(on, at, { listings: [listing], asset, read: readCards })
  assert(shown, 'a listing is shown')
  const version = listing.status === 'LISTED' ? await readVersion(shown.card) : listing.version
  return listingBody({ ...shown, version }, { asset, at })
}

type Business = {
  card: CardStanding
  received: CardStats
  identity: Identity
  market: CardMarket | undefined
}

const statsOf = (
  { card, received, identity, market }: Business,
  { asset, at }: { asset: Asset; at: Date },
): ListingStats => ({
  rxCount: received.rxCount,
  rxLifetime: toNumber(received.rxLifetime, asset.decimals),
  rx30d: toNumber(received.rx30d, asset.decimals),
  rx30dCount: received.rx30dCount,
  lastActive: isoOrNull(received.lastActive),
  firstActive: isoOrNull(received.firstActive),
  protocols: received.protocols,
  balance: toNumber(card.available, asset.decimals),
  ageDays: Math.max(0, Math.floor((at.getTime() - card.createdAt.getTime()) / DAY_MS)),
  hasCrt: market !== undefined,
  crtStatus: market?.status ?? 'NONE',
  crtAddress: market?.address ?? null,
  crtSymbol: market?.symbol ?? null,
  holderAddress: identity.holderAddress,
  chainStatus: identity.chainStatus,
  identityToken: identity.identityToken,
  identityStatus: identity.status,
})
