import { findPayingAgreements } from '../agreements/store.ts'
import type { CardWithMoney } from '../cards/card.ts'
import { readCardMarkets } from '../crt-markets/store.ts'
import type { Reader } from '../db/sql.ts'
import { Problem } from '../kernel/problem.ts'
import { sha256 } from '../kernel/secrets.ts'
import { digestCodes, findCodesOfCard } from '../pay-links/store.ts'

/** The parts that a buyer relies on, by name. Money that the card receives changes none of it. */
export const VERSIONED = [
  'status',
  'limit',
  'controls',
  'spent',
  'claimed',
  'refunds',
  'links',
  'agreements',
  'market',
] as const
type Part = (typeof VERSIONED)[number]

/** Characters of each part's digest: 72 bits. */
const DIGEST_CHARACTERS = 12

/** The version of a card on the market: a digest of each part, joined, so that it tells which part changed. */
export async function versionOf(on: Reader, card: CardWithMoney): Promise<string> {
  const codes = await findCodesOfCard(on, card.id)
  const [links, agreements, markets] = await Promise.all([
    digestCodes(on, card.id),
    findPayingAgreements(on, { wallet: card.walletAddress, codes }),
    readCardMarkets(on, [card.id]),
  ])
  // A card has one market for good, and its seller keeps what its creator keeps.
  const market = markets.get(card.id)?.address ?? null
  const parts: Record<Part, unknown> = { ...ownParts(card), links, agreements, market }
  return VERSIONED.map((part) => digestOf(parts[part])).join('.')
}

const ownParts = (card: CardWithMoney) => ({
  status: [card.status, card.walletAddress],
  limit: String(card.limitAmount),
  controls: [
    card.mccLocks,
    card.allowedMerchants,
    String(card.maxTransaction),
    String(card.dailyLimit),
    card.singleUse,
    card.expiresAt,
  ],
  spent: String(card.spent),
  // Allocated and received, less spent, is on the card unless it was claimed.
  claimed: String(card.limitAmount + card.received - card.spent - card.available - card.held),
  refunds: String(card.refunded),
})

const digestOf = (part: unknown): string =>
  sha256(JSON.stringify(part)).toString('base64url').slice(0, DIGEST_CHARACTERS)

/** Refuses a sale of a card that is not as the buyer saw it. */
export function checkVersion(seen: string | undefined, current: string): void {
  if (seen === undefined || seen === current) return
  const [before, now] = [seen.split('.'), current.split('.')]
  const changed = VERSIONED.filter((_, i) => before[i] !== now[i])
  throw new Problem(
    'listing_changed',
    `The card is not as you saw it: ${changed.join(', ')} changed. Look at the listing again, and send its version.`,
    { extra: { changed, version: current } },
  )
}
