import { isoOrNull } from '../../api/http/fields.ts'
import type { Reader } from '../../base/db/sql.ts'
import { assert } from '../../base/kernel/assert.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { toNumber } from '../../base/kernel/money.ts'
import type { CardStanding, CardWithMoney } from '../../money/cards/card.ts'
import { readCards, readStandings } from '../../money/cards/store.ts'
import { isMoving } from '../identity/identity.ts'
import { type Asked, ageInDays, type Business, readBusinesses } from './business.ts'
import type { Listing } from './listing.ts'
import { versionOf } from './version/version.ts'
import { type ListingStats, listingBody, type ShownListing } from './view.ts'

/** The place that the identity token must be sold from. */
const CUSTODY = { custodial: 'CUSTODIAL', onchain: 'WITHDRAWN' } as const

type Page = { listings: readonly Listing[]; asset: Asset }

/** The listings with their cards and what is known of each business, in the same order. */
export const readPage = (on: Reader, at: Date, page: Page): Promise<ShownListing[]> =>
  readShown(on, at, { ...page, readCards: readStandings })

type Shown<C> = Omit<ShownListing, 'card'> & { card: C }

async function readShown<C extends CardStanding>(
  on: Reader,
  at: Date,
  { listings, asset, readCards }: Page & Pick<Asked<C>, 'readCards'>,
): Promise<Shown<C>[]> {
  const ids = listings.map(({ cardId }) => cardId)
  const businesses = await readBusinesses(on, at, { ids, readCards })
  return listings.map((listing) => {
    const business = businesses.get(listing.cardId)
    assert(business, 'a listing is of a card')
    const { card, identity } = business
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
  const [shown] = await readShown(on, at, { listings: [listing], asset, readCards })
  assert(shown, 'a listing is shown')
  const version = listing.status === 'LISTED' ? await readVersion(shown.card) : listing.version
  return listingBody({ ...shown, version }, { asset, at })
}

const statsOf = (
  { card, stats, identity, market }: Business,
  { asset, at }: { asset: Asset; at: Date },
): ListingStats => ({
  rxCount: stats.rxCount,
  rxLifetime: toNumber(stats.rxLifetime, asset.decimals),
  rx30d: toNumber(stats.rx30d, asset.decimals),
  rx30dCount: stats.rx30dCount,
  lastActive: isoOrNull(stats.lastActive),
  firstActive: isoOrNull(stats.firstActive),
  protocols: stats.protocols,
  balance: toNumber(card.available, asset.decimals),
  ageDays: ageInDays(card, at),
  hasCrt: market !== undefined,
  crtStatus: market?.status ?? 'NONE',
  crtAddress: market?.address ?? null,
  crtSymbol: market?.symbol ?? null,
  holderAddress: identity.holderAddress,
  chainStatus: identity.chainStatus,
  identityToken: identity.identityToken,
  identityStatus: identity.status,
})
