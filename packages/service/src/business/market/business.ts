import type { Reader } from '../../base/db/sql.ts'
import { assert } from '../../base/kernel/assert.ts'
import type { CardStanding } from '../../money/cards/card.ts'
import { type CardMarket, readCardMarkets } from '../crt-markets/store.ts'
import { type Identity, readIdentities } from '../identity/identity.ts'
import { type CardStats, readCardStats } from '../stats/store.ts'

/** A card, or as much of it as was read, with what is known of it as a business. */
export type Business<C = CardStanding> = {
  card: C
  stats: CardStats
  identity: Identity
  market: CardMarket | undefined
}

export type Asked<C> = {
  ids: readonly string[]
  readCards(on: Reader, ids: readonly string[]): Promise<Map<string, C>>
}

/** The businesses of those of these cards that exist, by card. */
export async function readBusinesses<C extends CardStanding>(
  on: Reader,
  at: Date,
  { ids, readCards }: Asked<C>,
): Promise<Map<string, Business<C>>> {
  const [cards, stats, identities, markets] = await Promise.all([
    readCards(on, ids),
    readCardStats(on, ids, at),
    readIdentities(on, ids),
    readCardMarkets(on, ids),
  ])
  return new Map(
    [...cards].map(([id, card]) => {
      const [received, identity] = [stats.get(id), identities.get(id)]
      assert(received && identity, 'every card has figures and an identity')
      return [id, { card, stats: received, identity, market: markets.get(id) }]
    }),
  )
}

const DAY_MS = 86_400_000

/** Whole days since the card was issued. */
export const ageInDays = ({ createdAt }: Pick<CardStanding, 'createdAt'>, at: Date): number =>
  Math.max(0, Math.floor((at.getTime() - createdAt.getTime()) / DAY_MS))
