import { perServices, type Uses } from '../../../api/http/services.ts'
import type { Reader } from '../../../base/db/sql.ts'
import { Kept } from '../../../base/kernel/bounded.ts'
import { CARD_LIMITS } from '../../../base/kernel/card-limits.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { sha256 } from '../../../base/kernel/secrets.ts'
import { digestCodes } from '../../../links/link/store.ts'
import type { CardWithMoney } from '../../../money/cards/card.ts'
import { readCardMarkets } from '../../crt-markets/store.ts'
import { findPayingAgreements } from './store.ts'

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
export type Part = (typeof VERSIONED)[number]

/** Characters of each part's digest: 72 bits. */
const DIGEST_CHARACTERS = 12

/** The parts that cost a read of all links of the card. */
type Linked = { links: string; agreements: unknown; isLarge: boolean }

/** The version of a card on the market: a digest of each part, joined, so that it tells which part changed. */
export const versionOf = async (on: Reader, card: CardWithMoney): Promise<string> =>
  joined(on, card, await readLinked(on, card))

const LARGE = 1_000
/** Anybody may look at a listing, as often as they like. */
const KEPT_MS = 2_000
const CARDS_KEPT = 200
const keptOf = perServices(() => new Kept<Linked>(CARDS_KEPT))

/** As `versionOf`, for answers to anybody: of a card with many links, those are read once for all who ask within 2 s. */
export async function shownVersionOf(
  services: Uses<'db'>,
  at: Date,
  card: CardWithMoney,
): Promise<string> {
  const { reader } = services.db
  const kept = keptOf(services)
  const key = `${card.id} ${card.walletAddress}`
  const ask = () => readLinked(reader, card)
  const linked = await kept.get(key, at, { ms: KEPT_MS, ask })
  if (!linked.isLarge) kept.forget(key)
  return joined(reader, card, linked)
}

async function readLinked(on: Reader, card: CardWithMoney): Promise<Linked> {
  const { id: cardId, walletAddress: wallet } = card
  const [{ digest, count }, agreements] = await Promise.all([
    digestCodes(on, cardId),
    findPayingAgreements(on, { cardId, wallet }),
  ])
  return { links: digest, agreements, isLarge: count + agreements.length > LARGE }
}

async function joined(
  on: Reader,
  card: CardWithMoney,
  { links, agreements }: Linked,
): Promise<string> {
  // A card has one market for good, and its seller keeps what its creator keeps.
  const market = (await readCardMarkets(on, [card.id])).get(card.id)?.address ?? null
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
    ...CARD_LIMITS.map(({ field }) => String(card[field])),
    String(card.approvalAbove),
    card.approvalFirstMerchant,
    card.singleUse,
    card.expiresAt,
  ],
  spent: [String(card.spent), String(card.delegated)],
  // Allocated and received, less spent, is on the card unless it was claimed.
  claimed: String(card.limitAmount + card.received - card.spent - card.available - card.held),
  refunds: String(card.refunded),
})

const digestOf = (part: unknown): string =>
  sha256(JSON.stringify(part)).toString('base64url').slice(0, DIGEST_CHARACTERS)

/** The parts of a card that differ between two versions of it. */
export function changedParts(before: string, now: string): Part[] {
  const [old, current] = [before.split('.'), now.split('.')]
  return VERSIONED.filter((_, i) => old[i] !== current[i])
}

/** Refuses a sale of a card that is not as the buyer saw it. */
export function checkVersion(seen: string | undefined, current: string): void {
  if (seen === undefined || seen === current) return
  const changed = changedParts(seen, current)
  throw new Problem(
    'listing_changed',
    `The card is not as you saw it: ${changed.join(', ')} changed. Look at the listing again, and send its version.`,
    { extra: { changed, version: current } },
  )
}
