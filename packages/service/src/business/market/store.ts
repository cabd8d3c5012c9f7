import { all, one, type Reader, sql, type Tx } from '../../base/db/sql.ts'
import { columnOf } from '../../base/db/values.ts'
import type { Hex } from '../../base/kernel/assets.ts'
import { CARDS } from '../../money/cards/store.ts'
import type { Listing, ListingStatus } from './listing.ts'

const FIELDS = [
  'id',
  'cardId',
  'seller',
  'price',
  'mode',
  'network',
  'asset',
  'hash',
  'status',
  'reason',
  'version',
  'buyer',
  'fee',
  'settledTx',
  'createdAt',
  'expiresAt',
  'settledAt',
  'endedAt',
] as const satisfies readonly (keyof Listing)[]

export const LISTING_COLUMNS = sql.raw(FIELDS.map((field) => `l.${columnOf(field)}`).join(', '))
const COLUMNS = LISTING_COLUMNS

/** Inserts the listing. The database refuses a second live one of the card (`one_live_listing_per_card`). */
export async function insertListing(tx: Tx, listing: Listing): Promise<void> {
  const columns = sql.raw(FIELDS.map(columnOf).join(', '))
  const values = FIELDS.map((field) => sql`${listing[field]}`)
  await sql`insert into listings (${columns}) values (${sql.join(values)})`.execute(tx)
}

export const findListing = (on: Reader, id: string): Promise<Listing | undefined> =>
  one<Listing>(on, sql`select ${COLUMNS} from listings l where l.id = ${id}`)

/** The listing, locked until the transaction ends. Listings are locked before everything else of a sale. */
export const lockListing = (tx: Tx, id: string): Promise<Listing | undefined> =>
  one<Listing>(tx, sql`select ${COLUMNS} from listings l where l.id = ${id} for update`)

/** The listing that the chain knows by this hash, locked until the transaction ends. */
export const lockListingOf = (tx: Tx, hash: Hex): Promise<Listing | undefined> =>
  one<Listing>(tx, sql`select ${COLUMNS} from listings l where l.hash = ${hash} for update`)

/** How the listing stands that the chain knows by this hash. */
export const findStatusOf = async (on: Reader, hash: Hex): Promise<ListingStatus | undefined> =>
  (await one<{ status: ListingStatus }>(on, sql`select status from listings where hash = ${hash}`))
    ?.status

/** The card's listing that is LISTED or SETTLING. */
export const findLiveListing = (on: Reader, cardId: string): Promise<Listing | undefined> =>
  one<Listing>(
    on,
    sql`select ${COLUMNS} from listings l where l.card_id = ${cardId} and l.status in ('LISTED', 'SETTLING')`,
  )

/** As `findLiveListing`, locked until the transaction ends. */
export const lockLiveListing = (tx: Tx, cardId: string): Promise<Listing | undefined> =>
  one<Listing>(
    tx,
    sql`select ${COLUMNS} from listings l
      where l.card_id = ${cardId} and l.status in ('LISTED', 'SETTLING') for update`,
  )

/** The newest listing of each of these cards, by card. */
export async function readLatestListings(
  on: Reader,
  cardIds: readonly string[],
): Promise<Map<string, Listing>> {
  const rows = await all<Listing>(
    on,
    sql`select l.* from (select distinct unnest(${cardIds}::text[]) as card_id) c,
      lateral (select ${COLUMNS} from listings l where l.card_id = c.card_id order by l.id desc limit 1) l`,
  )
  return new Map(rows.map((row) => [row.cardId, row]))
}

/** Stores how a locked listing stands. Its terms never change. */
export async function saveListing(tx: Tx, listing: Listing): Promise<void> {
  const { id, status, reason, version, buyer, fee, settledTx, settledAt, endedAt } = listing
  await sql`update listings set status = ${status}, reason = ${reason}, version = ${version}, buyer = ${buyer},
      fee = ${fee}, settled_tx = ${settledTx}, settled_at = ${settledAt}, ended_at = ${endedAt}
    where id = ${id}`.execute(tx)
}

/** Notes the transaction that put the identity token into the buyer's name, in the newest sale of the card. */
export async function saveSettledTx(
  tx: Tx,
  { cardId, buyer, txHash }: { cardId: string; buyer: string; txHash: string },
): Promise<void> {
  await sql`update listings set settled_tx = ${txHash}
    where id = (select id from listings where card_id = ${cardId} and status = 'SOLD' order by id desc limit 1)
      and mode = 'custodial' and buyer = ${buyer} and settled_tx is null`.execute(tx)
}

/** Listings that the chain would not sell any more, at most 500. */
export const findExpiredListings = async (on: Reader, at: Date): Promise<string[]> =>
  (
    await all<{ id: string }>(
      on,
      sql`select id from listings where status = 'LISTED' and expires_at < ${at} order by expires_at limit 500`,
    )
  ).map(({ id }) => id)

/** Cards for sale that have ended. The index of the cards that are for sale keeps this short. */
export async function findListedOfEndedCards(on: Reader): Promise<string[]> {
  const rows = await all<{ id: string }>(
    on,
    sql`select c.id from ${CARDS} where c.is_listed and c.status in ('CLOSED', 'EXPIRED', 'USED')
      order by c.id limit 500`,
  )
  return rows.map(({ id }) => id)
}
