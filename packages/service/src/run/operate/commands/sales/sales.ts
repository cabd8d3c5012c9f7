import type { Db } from '../../../../base/db/sql.ts'
import { orderSale } from '../../../../business/market/on-chain/forgotten/order.ts'
import {
  type ForgottenSale,
  findForgotten,
} from '../../../../business/market/on-chain/forgotten/store.ts'
import { StartError } from '../../start/start-error.ts'

const SHOWN_MAX = 100
const NOTE_MAX = 500
const VERBS = ['give', 'dismiss'] as const
type Verb = (typeof VERBS)[number]
type Books = { db: Db }

/** Nothing, or `give` or `dismiss` with the hash of a listing and a note. */
export const isSalesOrder = (words: readonly string[]): boolean =>
  words.length === 0 ||
  (words.length === 4 && VERBS.some((verb) => verb === words[0]) && words[2] === '--note')

/** The sales on chain that a restored backup did not know, after an order of the operator if there is one. */
export async function orderSales(
  { db }: Books,
  at: Date,
  words: readonly string[],
): Promise<ForgottenSale[]> {
  const [verb, hash = '', , text = ''] = words
  if (verb !== undefined) {
    const note = text.trim()
    if (note === '' || note.length > NOTE_MAX)
      throw new StartError(`Say why, in 1 to ${NOTE_MAX} characters: --note "…"`)
    const order = { hash, verb: verb as Verb, note }
    if (!(await db.write((tx) => orderSale(tx, at, order)))) throw notHeld(order)
  }
  return findForgotten(db.reader, SHOWN_MAX)
}

const notHeld = ({ hash, verb }: { hash: string; verb: Verb }): StartError =>
  new StartError(
    `There is no sale ${hash} to ${verb}: purser sales shows those that are held, and one without a card can only be dismissed.`,
  )

/** The sales for a person. */
export const salesText = (sales: readonly ForgottenSale[]): string =>
  sales.length === 0
    ? 'No sale on chain was forgotten.'
    : sales.map((sale) => `${lineOf(sale)}${whyOf(sale)}`).join('\n')

const lineOf = ({ state, hash, cardId, seller, buyer, txHash }: ForgottenSale): string =>
  `  ${state.padEnd(9)}  ${hash}  ${cardId ?? 'unknown card'}\n` +
  `             from ${seller} to ${buyer} in ${txHash}`

const whyOf = ({ reason, note }: ForgottenSale): string =>
  (reason === 'other_owner' ? '\n             The seller does not have the card here.' : '') +
  (reason === 'no_card' ? '\n             These books have no card of that token.' : '') +
  (note === null ? '' : `\n             Note: ${note}`)

/** The sales for a program. */
export const salesJson = (sales: readonly ForgottenSale[]): string =>
  JSON.stringify({ sales: sales.map(wireOf) }, null, 2)

const wireOf = (sale: ForgottenSale) => ({
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
