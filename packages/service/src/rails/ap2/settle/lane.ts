import { perServices, type Uses } from '../../../api/http/services.ts'
import type { Lane } from '../../../base/db/lanes/lane.ts'
import { mayDecideUnlocked, send, type Tx } from '../../../base/db/sql.ts'
import { checkLinksStatement, type PricedLink } from '../../../links/link/store.ts'
import { asksPerson } from '../../../money/cards/consent.ts'
import { checkTermsStatement, type SeenCard } from '../../../money/cards/store.ts'
import { isCountedAt } from '../../../money/cards/windows.ts'
import { pick } from '../../../money/settlements/write.ts'
import { checkAcceptedStatement, type MandateFacts } from '../mandates/store.ts'
import { RowCache } from './row-cache.ts'
import {
  type Books,
  decide,
  type MandateIntent,
  type MandateOutcome,
  newBooks,
  settleMandates,
  writeBooks,
} from './settle.ts'

/**
 * The lane of `POST /api/ap2/settle`. It remembers the rows that it decides on, so a batch is decided and sent without
 * waiting for an answer, while the last one is still on its way to the disk. What it cannot decide on them, and every
 * refusal, is decided on rows that it reads.
 */
export const laneOf = perServices(({ clock }: Uses<'clock'>) => createLane(() => clock.now()))

type RememberingLane = Lane<MandateIntent, MandateOutcome> & { readonly cache: RowCache }

function createLane(now: () => Date): RememberingLane {
  const cache = new RowCache(now)
  return {
    name: 'AP2 settle',
    cache,
    async run(tx, at, intents) {
      if (!mayDecideUnlocked(tx)) {
        // Some row that was remembered is no longer so.
        cache.forgetAll()
        return settleMandates(tx, at, intents)
      }
      const unread = intents.filter((intent) => !cache.has(intent))
      if (unread.length > 0) await cache.read(tx, at, unread)
      const planned = settleOnCached(tx, at, { cache, intents })
      if (planned) return planned
      const outcomes = await settleMandates(tx, at, intents)
      cache.forget(intents)
      return outcomes
    },
  }
}

/** The cached rows that a batch of intents is decided on, as they are before it. */
type Used = { links: Map<string, PricedLink>; cards: Map<string, SeenCard> }

/**
 * Decides the intents on the cached rows, and leaves the rows there as the batch will leave them. Undefined, and nothing
 * done, if one of them is refused, or is a card's first payment of a day, a single use, under an open mandate,
 * by a child, or by a card whose owner may have to approve it. What is
 * written names everything that was decided on.
 */
function settleOnCached(
  tx: Tx,
  at: Date,
  { cache, intents }: { cache: RowCache; intents: readonly MandateIntent[] },
): MandateOutcome[] | undefined {
  const used = rowsOn(cache, at, intents)
  if (!used) return undefined
  const books = newBooks(at, {
    links: used.links,
    batch: { cards: used.cards, seen: used.cards, feesAccounts: cache.fees, isRemembered: true },
    mandates: intents.map((intent) => cache.mandate(intent)).filter((facts) => facts !== undefined),
    gone: [],
    opens: [],
  })
  const replayed: MandateFacts[] = []
  const outcomes: MandateOutcome[] = []
  for (const intent of intents) {
    const outcome = decide(books, intent)
    if (outcome.kind !== 'settled' && outcome.kind !== 'already') return undefined
    if (outcome.kind === 'already') replayed.push(outcome.facts)
    outcomes.push(outcome)
  }
  leave(cache, books, used)
  const own = new Set(books.accepted)
  const { payers } = books.batch
  const others = replayed.map(({ cardId }) => cardId).filter((id) => !payers.has(id))
  send(tx, checkLinksStatement(at, [...used.links.values()]))
  send(tx, checkTermsStatement(pick(used.cards, new Set(others))))
  // A batch that is still under way may have accepted them. If that fails, so must this.
  send(tx, checkAcceptedStatement(replayed.filter((facts) => !own.has(facts))))
  writeBooks(tx, books)
  return outcomes
}

/** The cached rows that the intents are decided on. Undefined if one of them must be decided on rows that are read. */
function rowsOn(cache: RowCache, at: Date, intents: readonly MandateIntent[]): Used | undefined {
  const used: Used = { links: new Map(), cards: new Map() }
  for (const intent of intents) {
    const link = cache.link(intent.link.code)
    const payer = cache.card(intent.cardId)
    const receiver = link && cache.card(link.cardId)
    if (!link || !payer || !receiver || !cache.has(intent)) return undefined
    const isOpen = intent.presentation.openId !== undefined
    const hasOthers = payer.ancestors.length > 0 || payer.caps.length > 0
    if (isOpen || hasOthers || payer.singleUse || !isCountedAt(payer, at) || asksPerson(payer, at))
      return undefined
    used.links.set(link.code, link)
    used.cards.set(payer.id, payer).set(receiver.id, receiver)
  }
  return used
}

/** Puts the rows back as the batch leaves them. */
function leave(cache: RowCache, { batch, links, accepted }: Books, used: Used): void {
  const moved = batch.settled.flatMap(({ payer, settlement }) => [
    payer.id,
    settlement.receiverCardId ?? payer.id,
  ])
  for (const id of new Set(moved)) {
    const [before, now] = [used.cards.get(id), batch.cards.get(id)]
    // The counters alone have changed: the terms are as they were.
    if (before && now) cache.keepCard({ ...now, version: before.version, terms: before.terms })
  }
  for (const code of links.uses.keys()) {
    const link = links.now.get(code)
    if (link) cache.keepLink(link)
  }
  for (const mandate of accepted) cache.keepMandate(mandate)
}
