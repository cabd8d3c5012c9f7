import type { Plan, Planned } from '../../../../base/db/lanes/ahead.ts'
import { send } from '../../../../base/db/sql.ts'
import { utcDay } from '../../../../base/kernel/clock.ts'
import { checkLinksStatement, type PricedLink } from '../../../../links/link/store.ts'
import { checkTermsStatement, type SeenCard } from '../../../../money/cards/store.ts'
import { assetKey } from '../../../../money/settlements/batch.ts'
import {
  type Books,
  decide,
  type MandateIntent,
  type MandateOutcome,
  newBooks,
  writeBooks,
} from '../settle.ts'
import type { Shelf } from './shelf.ts'

/** The rows of the shelf that a batch of intents is decided on, as they are before it. */
type Used = { links: Map<string, PricedLink>; cards: Map<string, SeenCard> }

/**
 * Decides the intents on the shelf's rows, and leaves the rows there as the batch will leave them. Payments and replays
 * are decided here; every refusal, a card's first payment of a day, a single use and an open mandate are left to rows that
 * are read. What is written names everything that was decided on.
 */
export function planMandates(
  shelf: Shelf,
  at: Date,
  intents: readonly MandateIntent[],
): Plan<MandateOutcome> {
  const used: Used = { links: new Map(), cards: new Map() }
  const sides = intents.map((intent) => sideOf(shelf, at, { intent, used }))
  const books = booksOf(shelf, at, { intents, sides, used })
  const replayed = new Set<string>()
  const paidOrReplayed = new Set<string>()
  const planned = intents.map((intent, i): Planned<MandateOutcome> => {
    if (sides[i]) return { kind: sides[i] }
    const outcome = decideOrUndo(books, intent)
    if (outcome.kind !== 'settled' && outcome.kind !== 'already') return { kind: 'unsure' }
    if (outcome.kind === 'already') replayed.add(intent.cardId)
    paidOrReplayed.add(intent.link.code)
    return { kind: 'decided', outcome }
  })
  leave(shelf, books, used)
  for (const payer of books.batch.payers) replayed.delete(payer)
  return {
    planned,
    write(tx) {
      send(tx, checkLinksStatement(at, pick(used.links, paidOrReplayed)))
      send(tx, checkTermsStatement(pick(used.cards, replayed)))
      writeBooks(tx, books)
    },
  }
}

const pick = <V>(from: ReadonlyMap<string, V>, keys: ReadonlySet<string>): V[] =>
  [...keys].map((key) => from.get(key)).filter((value) => value !== undefined)

/** Why the intent cannot be decided on the shelf's rows. Undefined, and its rows noted in `used`, if it can. */
function sideOf(
  shelf: Shelf,
  at: Date,
  { intent, used }: { intent: MandateIntent; used: Used },
): 'unread' | 'unsure' | undefined {
  const link = shelf.link(intent.link.code)
  const payer = shelf.card(intent.cardId)
  const receiver = link && shelf.card(link.cardId)
  if (!link || !payer || !receiver || shelf.mandate(intent) === 'unread') return 'unread'
  if (!shelf.fees.has(assetKey(link))) return 'unread'
  const isOpen = intent.presentation.openId !== undefined
  if (isOpen || payer.singleUse || payer.day < utcDay(at)) return 'unsure'
  used.links.set(link.code, link)
  used.cards.set(payer.id, payer).set(receiver.id, receiver)
  return undefined
}

function booksOf(
  shelf: Shelf,
  at: Date,
  of: { intents: readonly MandateIntent[]; sides: readonly unknown[]; used: Used },
): Books {
  const { intents, sides, used } = of
  const known = intents
    .map((intent, i) => (sides[i] ? undefined : shelf.mandate(intent)))
    .filter((facts) => facts !== undefined && facts !== 'unread')
  return newBooks(at, {
    links: used.links,
    batch: {
      cards: used.cards,
      seen: used.cards,
      feesAccounts: shelf.fees,
      isRemembered: true,
    },
    mandates: known,
    opens: [],
  })
}

/** A refusal leaves nothing in the books: it is decided again on rows that are read. */
function decideOrUndo(books: Books, intent: MandateIntent): MandateOutcome {
  const { decisions, events, declined } = books.batch
  const eventsBefore = events.length
  const outcome = decide(books, intent)
  if (outcome.kind !== 'settled') {
    decisions.length = 0
    events.length = eventsBefore
    declined.clear()
  }
  return outcome
}

/** Puts the rows back as the batch leaves them. */
function leave(shelf: Shelf, { batch, links, accepted }: Books, used: Used): void {
  const moved = batch.settled.flatMap(({ payer, settlement }) => [
    payer.id,
    settlement.receiverCardId ?? payer.id,
  ])
  for (const id of new Set(moved)) {
    const [before, now] = [used.cards.get(id), batch.cards.get(id)]
    // The counters alone have changed: the terms are as they were.
    if (before && now) shelf.keepCard({ ...now, version: before.version, terms: before.terms })
  }
  for (const code of links.uses.keys()) {
    const link = links.now.get(code)
    if (link) shelf.keepLink(link)
  }
  for (const mandate of accepted) shelf.keepMandate(mandate)
}
