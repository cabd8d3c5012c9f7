import { all, one, type Reader, sql, type Tx } from '../../base/db/sql.ts'
import type { Address } from '../../base/kernel/assets.ts'
import { type Amount, amount, ZERO } from '../../base/kernel/money.ts'
import { LINK_RAILS } from '../../base/protocols/rails.ts'
import { EXCEPTIONS } from '../../links/link/arrivals/store-exceptions.ts'
import { CARDS } from '../../money/cards/store.ts'

/** The figures of a card as a business. Amounts are in base units of the service's asset. */
export type CardStats = {
  /** All payments before fees, less refunds. */
  rxLifetime: Amount
  rxCount: number
  /** Today and the 29 UTC days before. */
  rx30d: Amount
  rx30dCount: number
  /** How many protocols its payers have used. */
  protocols: number
  firstActive: Date | null
  lastActive: Date | null
  payers: number
  /** Payers with two payments or more. */
  repeatPayers: number
  refunded: Amount
  /** Payments of the card's own wallet, which are in no figure above. */
  selfPayments: number
  selfAmount: Amount
  /** Payments that did not settle their link. */
  exceptions: number
  /** Payments in other tokens. */
  otherAssets: number
}

const NONE: CardStats = {
  rxLifetime: ZERO,
  rxCount: 0,
  rx30d: ZERO,
  rx30dCount: 0,
  protocols: 0,
  firstActive: null,
  lastActive: null,
  payers: 0,
  repeatPayers: 0,
  refunded: ZERO,
  selfPayments: 0,
  selfAmount: ZERO,
  exceptions: 0,
  otherAssets: 0,
}

type Row = {
  [K in keyof CardStats]: CardStats[K] extends number ? bigint : CardStats[K]
} & { cardId: string }

/** The figures of these cards. A card that nobody has paid has zeros. */
export async function readCardStats(
  on: Reader,
  cardIds: readonly string[],
  at: Date,
): Promise<Map<string, CardStats>> {
  const rows = await all<Row>(
    on,
    sql`select s.card_id, s.rx_lifetime, s.rx_count, coalesce(s.rx_lifetime - d.revenue_before, 0) as "rx30d",
        coalesce(s.rx_count - d.payments_before, 0) as "rx30dCount",
        (${sql.raw(LINK_RAILS.map((rail) => `(s.by_${rail} > 0)::integer`).join(' + '))})::bigint as protocols,
        s.first_active, s.last_active, s.payers, s.repeat_payers, s.refunded, s.self_payments, s.self_amount,
        s.exceptions, s.other_assets
      from card_stats s left join lateral (select * from card_stats_days d where d.card_id = s.card_id
        and d.day > (${at}::timestamptz at time zone 'UTC')::date - 30 and s.last_active > ${at}::timestamptz - interval '31 days'
        order by d.day limit 1) d on true
      where s.card_id = any(${[...cardIds]}::text[])`,
  )
  const found = new Map(rows.map((row) => [row.cardId, fromRow(row)]))
  return new Map(cardIds.map((id) => [id, found.get(id) ?? NONE]))
}

const fromRow = ({ cardId: _, ...row }: Row): CardStats => ({
  ...row,
  rxCount: Number(row.rxCount),
  rx30d: amount(row.rx30d),
  rx30dCount: Number(row.rx30dCount),
  protocols: Number(row.protocols),
  payers: Number(row.payers),
  repeatPayers: Number(row.repeatPayers),
  selfPayments: Number(row.selfPayments),
  exceptions: Number(row.exceptions),
  otherAssets: Number(row.otherAssets),
})

/** The days since that one on which the card was paid. */
export const readRevenueDays = (
  on: Reader,
  { cardId, since }: { cardId: string; since: string },
): Promise<{ day: string; payments: bigint; revenue: Amount }[]> =>
  all(
    on,
    sql`select d.day::text as day, d.payments, d.revenue from card_stats_days d
      where d.card_id = ${cardId} and d.day >= ${since}::date order by d.day`,
  )

/** Whether somebody else has paid the card. */
export const hasCountedPayment = async (on: Reader, cardId: string): Promise<boolean> =>
  (await one(on, sql`select 1 from card_stats where card_id = ${cardId} and rx_count > 0`)) !==
  undefined

/**
 * Puts the card on the list that is sorted by revenue, by its listing, or takes it off. Call it whenever a listing becomes
 * LISTED, and when it is no more.
 */
export async function markListed(
  tx: Tx,
  { cardId, listingId }: { cardId: string; listingId: string | null },
): Promise<void> {
  await sql`insert into card_stats (card_id, network, listing_id)
    select c.id, c.network, ${listingId} from ${CARDS} where c.id = ${cardId}
    on conflict (card_id) do update set listing_id = excluded.listing_id`.execute(tx)
}

/** Notes that the owner of the card controls this address, so that payments from it are the owner's own from now on. */
export async function noteHolderAccount(
  tx: Tx,
  of: { cardId: string; address: Address },
): Promise<void> {
  await sql`insert into holder_accounts (address, card_id) values (${of.address}, ${of.cardId})
    on conflict (address) do nothing`.execute(tx)
}

/** Counts payments that did not settle their link. */
export async function countExceptions(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`insert into card_stats as s (card_id, network, exceptions)
    select l.card_id, l.network, count(*) from ${EXCEPTIONS} where e.id = any(${[...ids]}::text[])
    group by l.card_id, l.network order by l.card_id
    on conflict (card_id) do update set exceptions = s.exceptions + excluded.exceptions`.execute(tx)
}

/** The figures as `r`, for a join in another room's statement. `card_stats_by_revenue` serves its listed cards in order. */
export const CARD_STATS = sql.raw('card_stats r')
