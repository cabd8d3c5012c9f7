import type { Uses } from '../../../api/http/services.ts'
import { adoptSales } from '../../../business/market/on-chain/missing/adopt.ts'
import { findMissingSales } from '../../../business/market/on-chain/missing/find.ts'
import { orderSale } from '../../../business/market/on-chain/missing/order.ts'
import { findMissing, type MissingSale } from '../../../business/market/on-chain/missing/store.ts'
import { noteCommand } from '../command-line.ts'
import { StartError } from '../start-error.ts'

const SHOWN_MAX = 100
const NOTE_MAX = 500
const WITH_ZONE = /^\d{4}-\d\d-\d\dT\d\d:\d\d.*(Z|[+-]\d\d:\d\d)$/
const VERBS = ['give', 'dismiss'] as const
type Verb = (typeof VERBS)[number]
type Books = Uses<'chain' | 'db' | 'settings'>

/** Nothing; `find --since` with a time; or `give` or `dismiss` with the hash of a listing and a note. */
export const isSalesOrder = (words: readonly string[]): boolean =>
  words.length === 0 ||
  (words.length === 3 && words[0] === 'find' && words[1] === '--since') ||
  (words.length === 4 && VERBS.some((verb) => verb === words[0]) && words[2] === '--note')

/**
 * The sales on chain that a restored backup did not know, after an order of the operator if there is one. Each order also makes
 * sales of these books of those that were found, so an order that was cut off is given again.
 */
export async function orderSales(
  books: Books,
  at: Date,
  words: readonly string[],
): Promise<MissingSale[]> {
  const [verb, name = '', , text = ''] = words
  if (verb === 'find') await find(books, at, sinceOf(books, at, words[2] ?? ''))
  else if (verb !== undefined)
    await order(books, at, { hash: name, verb: verb as Verb, note: text })
  if (verb !== undefined) await adoptSales(books, at)
  return findMissing(books.db.reader, SHOWN_MAX)
}

/** Noted before: what is found is frozen one by one. */
async function find(books: Books, at: Date, since: Date): Promise<void> {
  await books.db.write((tx) =>
    noteCommand(tx, at, { act: 'sales.searched', subject: since.toISOString() }),
  )
  await findMissingSales(books, at, since)
}

function sinceOf({ settings }: Books, at: Date, text: string): Date {
  if (settings.onChainSales === null || settings.identity === null)
    throw new StartError(
      'This service sells nothing on chain: set PURSER_CREDENTIAL_MARKET and PURSER_CREDENTIAL_VAULT as they were.',
    )
  // Without its zone a time would be this machine's, which may be hours later than meant: sales would be missed.
  const since = new Date(WITH_ZONE.test(text) ? text : Number.NaN)
  if (Number.isNaN(since.getTime()) || since > at)
    throw new StartError(
      'Say when the backup was made, or a time before, with its zone: --since 2026-11-20T04:00:00Z.',
    )
  return since
}

type Order = { hash: string; verb: Verb; note: string }
async function order({ db }: Books, at: Date, given: Order): Promise<void> {
  const note = given.note.trim()
  if (note === '' || note.length > NOTE_MAX)
    throw new StartError(`Say why, in 1 to ${NOTE_MAX} characters: --note "…"`)
  const isOrdered = await db.write(async (tx) => {
    const found = await orderSale(tx, at, { ...given, note })
    const act = given.verb === 'give' ? 'sale.given' : 'sale.dismissed'
    if (found) await noteCommand(tx, at, { act, subject: given.hash, note })
    return found
  })
  if (!isOrdered) throw notHeld(given)
}

const notHeld = ({ hash, verb }: Order): StartError =>
  new StartError(
    `There is no sale ${hash} to ${verb}: purser sales shows those that are held, and one without a card can only be dismissed.`,
  )

/** The sales for a person. */
export const salesText = (sales: readonly MissingSale[]): string =>
  sales.length === 0
    ? 'No sale on chain is known here that these books did not have. Look for some with purser sales find --since.'
    : sales.map((sale) => `${lineOf(sale)}${whyOf(sale)}`).join('\n')

const lineOf = ({ state, hash, cardId, seller, buyer, txHash }: MissingSale): string =>
  `  ${state.padEnd(9)}  ${hash}  ${cardId ?? 'unknown card'}\n` +
  `             from ${seller} to ${buyer} in ${txHash}`

const whyOf = ({ state, reason, note }: MissingSale): string =>
  (state === 'found'
    ? '\n             It waits for an earlier sale of this card: look again in some minutes.'
    : '') +
  (reason === 'other_owner'
    ? '\n             The seller does not have the card here. It is frozen: order give or dismiss.'
    : '') +
  (reason === 'no_card'
    ? '\n             These books have no card of that token: agree with the buyer, then dismiss.'
    : '') +
  (note === null ? '' : `\n             Note: ${note}`)

/** The sales for a program. */
export const salesJson = (sales: readonly MissingSale[]): string =>
  JSON.stringify({ sales: sales.map(wireOf) }, null, 2)

const wireOf = (sale: MissingSale) => ({
  listing_hash: sale.hash,
  card_id: sale.cardId,
  seller: sale.seller,
  buyer: sale.buyer,
  price: String(sale.price),
  tx_hash: sale.txHash,
  state: sale.state,
  reason: sale.reason,
  note: sale.note,
  found_at: sale.foundAt.toISOString(),
})
