import type { CardWithMoney } from '../cards/card.ts'
import { readCards } from '../cards/store.ts'
import { asAddress } from '../chain/reads.ts'
import { type CardMarket, readCardMarkets } from '../crt-markets/store.ts'
import type { Reader } from '../db/sql.ts'
import { type Caller, mayUseCard } from '../http/caller.ts'
import { type Identity, readIdentities } from '../identity/identity.ts'
import { findCardOfHolder } from '../identity/store.ts'
import { assert } from '../kernel/assert.ts'
import { notFound, type Problem } from '../kernel/problem.ts'
import type { Listing } from '../market/listing.ts'
import { readLatestListings } from '../market/store.ts'
import { type CardStats, readCardStats } from '../stats/store.ts'

/** A card as a business, and everything that is known of it. */
export type Business = {
  card: CardWithMoney
  stats: CardStats
  identity: Identity
  market: CardMarket | undefined
  listing: Listing | undefined
}

/** The business that `ref` names: the id of a card, or the address of its holder account. */
async function findBusiness(on: Reader, at: Date, ref: string): Promise<Business | undefined> {
  const holder = asAddress(ref)
  const id = holder ? await findCardOfHolder(on, holder) : ref
  if (id === undefined) return undefined
  const [cards, stats, identities, markets, listings] = await Promise.all([
    readCards(on, [id]),
    readCardStats(on, [id], at),
    readIdentities(on, [id]),
    readCardMarkets(on, [id]),
    readLatestListings(on, [id]),
  ])
  const [card, received, identity] = [cards.get(id), stats.get(id), identities.get(id)]
  if (card?.kind !== 'spending') return undefined
  assert(received && identity, 'every card has figures and an identity')
  return {
    card,
    stats: received,
    identity,
    market: markets.get(id),
    listing: listings.get(id),
  }
}

/**
 * The business, if it is a credential: the card has a counted payment, a listing or an identity. Its owner sees each card
 * that the key may use. Anything else is not found.
 */
export async function readCredential(
  on: Reader,
  at: Date,
  { ref, caller }: { ref: string; caller: Caller | undefined },
): Promise<Business> {
  const found = await findBusiness(on, at, ref)
  if (!found) throw noCredential()
  const { card, stats, identity, listing } = found
  const isPublic = stats.rxCount > 0 || listing !== undefined || identity.status !== 'NONE'
  const isOwn = caller?.walletAddress === card.walletAddress && mayUseCard(caller, card.id)
  if (!isPublic && !isOwn) throw noCredential()
  return found
}

const noCredential = (): Problem =>
  notFound('credential', 'Check the id, or the address of its holder account.')
