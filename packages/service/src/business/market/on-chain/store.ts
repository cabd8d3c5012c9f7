import { all, one, type Reader, run, sql, type Tx } from '../../../base/db/sql.ts'
import { hasJob } from '../../../base/jobs/queue.ts'
import { assert } from '../../../base/kernel/assert.ts'
import type { Address, Hex } from '../../../base/kernel/assets.ts'
import type { Id } from '../../../base/kernel/ids.ts'
import type { Amount } from '../../../base/kernel/money.ts'
import type { SignedListing } from '../../../base/protocols/evm/credential-market.ts'
import { finishSaleTask } from './tasks.ts'

/** The terms that a seller signs, and the signature once the card is listed. */
export type Terms = Omit<SignedListing, 'buyer' | 'price'> & {
  hash: Hex
  cardId: string
  listingId: string | null
  market: Address
  price: Amount
  sellerSignature: Hex | null
  createdAt: Date
}

/** A buyer's payment, as it was accepted. */
export type Payment = {
  listingId: string
  attempt: number
  buyer: Address
  validAfter: bigint
  validBefore: bigint
  signature: Hex
  sendRef: string
  fromBlock: bigint
  createdAt: Date
}

export const SALE_STATES = ['frozen', 'relayed', 'done', 'undone'] as const
export type Sale = {
  listingId: string
  cardId: string
  seller: Address
  buyer: Address
  price: Amount
  fee: Amount
  state: (typeof SALE_STATES)[number]
  sendRef: string | null
}

const TERMS =
  sql.raw(`hash, card_id, listing_id, market, registry, token_id, seller, operator, price, fee_bps, fee_receiver, expiry,
  nonce, holder, holder_state, min_holder_usdc, seller_signature, created_at`)
const PAYMENT = sql.raw(
  'listing_id, attempt, buyer, valid_after, valid_before, signature, send_ref, from_block, created_at',
)
const SALE = sql.raw('listing_id, card_id, seller, buyer, price, fee, state, send_ref')

/** Stores the card's prepared terms, in place of those that were prepared before. */
export async function saveDraft(tx: Tx, terms: Terms): Promise<void> {
  await sql`delete from onchain_terms where card_id = ${terms.cardId} and listing_id is null`.execute(
    tx,
  )
  await insertTerms(tx, terms)
}

async function insertTerms(tx: Tx, terms: Terms): Promise<void> {
  await sql`insert into onchain_terms (${TERMS}) values (${terms.hash}, ${terms.cardId}, ${terms.listingId}, ${terms.market},
    ${terms.registry}, ${terms.tokenId}, ${terms.seller}, ${terms.operator}, ${terms.price}, ${terms.feeBps}, ${terms.feeReceiver},
    ${terms.expiry}, ${terms.nonce}, ${terms.holder}, ${terms.holderState}, ${terms.minHolderUsdc}, ${terms.sellerSignature},
    ${terms.createdAt})`.execute(tx)
}

export const findDraft = (on: Reader, cardId: string): Promise<Terms | undefined> =>
  one<Terms>(
    on,
    sql`select ${TERMS} from onchain_terms where card_id = ${cardId} and listing_id is null`,
  )

/** Binds the prepared terms to the listing. False if they were replaced meanwhile. */
export const signTerms = async (
  tx: Tx,
  of: { hash: Hex; listingId: string; sellerSignature: Hex },
): Promise<boolean> =>
  (await run(
    tx,
    sql`update onchain_terms set listing_id = ${of.listingId}, seller_signature = ${of.sellerSignature}
      where hash = ${of.hash} and listing_id is null`,
  )) === 1

/** Stores terms that are signed and listed, unless they were prepared here: those are bound to the listing. */
export async function saveSigned(tx: Tx, terms: Terms): Promise<void> {
  const { hash, listingId, sellerSignature } = terms
  assert(listingId !== null && sellerSignature !== null, 'terms that are listed are signed')
  if (await signTerms(tx, { hash, listingId, sellerSignature })) return
  await insertTerms(tx, terms)
}

export const findTerms = (on: Reader, listingId: string): Promise<Terms | undefined> =>
  one<Terms>(on, sql`select ${TERMS} from onchain_terms where listing_id = ${listingId}`)

export async function insertPayment(tx: Tx, payment: Payment): Promise<void> {
  await sql`insert into onchain_payments (${PAYMENT}) values (${payment.listingId}, ${payment.attempt},
    ${payment.buyer}, ${payment.validAfter}, ${payment.validBefore}, ${payment.signature}, ${payment.sendRef},
    ${payment.fromBlock}, ${payment.createdAt})`.execute(tx)
}

/** The newest payment of the listing. */
export const findPayment = (on: Reader, listingId: string): Promise<Payment | undefined> =>
  one<Payment>(
    on,
    sql`select ${PAYMENT} from onchain_payments where listing_id = ${listingId} order by attempt desc limit 1`,
  )

/** Begins a sale of a locked listing, in place of one that came to nothing. */
export async function beginSale(tx: Tx, at: Date, sale: Sale): Promise<void> {
  const begun = await run(
    tx,
    sql`insert into sales (listing_id, card_id, seller, buyer, price, fee, mode, state, send_ref, created_at)
    values (${sale.listingId}, ${sale.cardId}, ${sale.seller}, ${sale.buyer}, ${sale.price}, ${sale.fee}, 'onchain',
      'frozen', ${sale.sendRef}, ${at})
    on conflict (listing_id) do update set buyer = excluded.buyer, fee = excluded.fee, state = 'frozen',
      send_ref = excluded.send_ref, created_at = excluded.created_at, ended_at = null
      where sales.state = 'undone'`,
  )
  assert(begun === 1, 'a listing has one sale at a time')
}

export const findSale = (on: Reader, listingId: string): Promise<Sale | undefined> =>
  one<Sale>(on, sql`select ${SALE} from sales where listing_id = ${listingId} and mode = 'onchain'`)

export const lockSale = (tx: Tx, listingId: string): Promise<Sale | undefined> =>
  one<Sale>(
    tx,
    sql`select ${SALE} from sales where listing_id = ${listingId} and mode = 'onchain' for update`,
  )

/** Stores how a locked sale stands. */
export async function saveSale(tx: Tx, at: Date, sale: Sale): Promise<void> {
  const endedAt = sale.state === 'done' || sale.state === 'undone' ? at : null
  await sql`update sales set buyer = ${sale.buyer}, fee = ${sale.fee}, state = ${sale.state}, ended_at = ${endedAt}
    where listing_id = ${sale.listingId}`.execute(tx)
}

type Listed = { id: string; asset: string; market: Address; hash: Hex; operator: Address }
/** Listings that the chain has not been asked about for longest. */
export const findUnseenListings = (on: Reader, limit: number): Promise<Listed[]> =>
  all<Listed>(
    on,
    sql`select l.id, l.asset, t.market, t.hash, t.operator from listings l join onchain_terms t on t.listing_id = l.id
      where l.status = 'LISTED' and l.mode = 'onchain' order by l.checked_at nulls first limit ${limit}`,
  )

export const saveSeen = (tx: Tx, at: Date, ids: readonly string[]): Promise<number> =>
  run(tx, sql`update listings set checked_at = ${at} where id = any(${ids}) and status = 'LISTED'`)

/** Sales that are under way since before this time and that no job carries. */
export async function findOpenSales(on: Reader, before: Date): Promise<Id<'lst'>[]> {
  const rows = await all<{ id: Id<'lst'> }>(
    on,
    sql`select s.listing_id as id from sales s where s.state in ('frozen', 'relayed') and s.created_at < ${before}
      and not ${hasJob(finishSaleTask, 's.listing_id', 'untried')} order by s.created_at limit 500`,
  )
  return rows.map(({ id }) => id)
}
