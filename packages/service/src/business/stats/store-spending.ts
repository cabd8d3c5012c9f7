import { all, one, type RawBuilder, type Reader, sql } from '../../base/db/sql.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import type { Amount } from '../../base/kernel/money.ts'
import { soldAfter } from '../../money/cards/owners/store.ts'
import { CARDS } from '../../money/cards/store.ts'
import { ACCOUNTS } from '../../money/ledger/accounts.ts'
import { transfersOf } from '../../money/ledger/follow.ts'
import { inWeeks } from './days.ts'

/** The kinds of transfers by which cards spend, and by which it comes back: a card's `spent` is the sum of these. */
const SPENT = ['settlement', 'payment', 'stream', 'membership']
const RETURNED = ['refund', 'payment_undone']

/**
 * Adds what the cards of these batches spent to its day, and to the row of the wallet's whole day, which has no card. A card that was sold since then had another owner: the first handover
 * in a later batch names that wallet.
 */
export const countSpendingStatement = (batches: readonly bigint[]): RawBuilder<unknown> =>
  sql`with moved as materialized (select a.owner as card_id, a.network, a.asset, m.batch,
      (m.created_at at time zone 'UTC')::date as day, (e.amount < 0)::integer as count, greatest(-e.amount, 0) as spent,
      greatest(e.amount, 0) as returned
    from ${transfersOf(batches, [...SPENT, ...RETURNED])} m
      cross join lateral unnest(m.accounts, m.amounts) as e (account, amount)
      cross join lateral (select * from ${ACCOUNTS} where a.id = e.account and a.kind in ('card', 'autopay') offset 0) a
    where case when e.amount < 0 then m.kind = any(${SPENT}::text[]) else m.kind = any(${RETURNED}::text[]) end)
  insert into spending_days as d (wallet_address, network, asset, day, card_id, payments, spent, returned)
  select coalesce(h.from_wallet, c.wallet_address), m.network, m.asset, m.day, coalesce(m.card_id, ''), sum(m.count),
    sum(m.spent), sum(m.returned)
  from moved m cross join lateral (select * from ${CARDS} where c.id = m.card_id offset 0) c
    ${soldAfter(sql.raw('m.batch'))}
  group by 1, 2, 3, 4, grouping sets ((m.card_id), ()) order by 1, 2, 3, 4, 5
  on conflict (wallet_address, network, asset, day, card_id) do update set payments = d.payments + excluded.payments,
    spent = d.spent + excluded.spent, returned = d.returned + excluded.returned`

/** Amounts are in base units. `spent` is before `returned`, which is counted on the day it came back. */
export type Spending = { payments: bigint; spent: Amount; returned: Amount }
type Of = {
  walletAddress: string
  asset: Asset
  /** UTC dates, the oldest first, none left out. */
  days: readonly string[]
  /** The only cards that are counted; null for all. */
  cardIds: readonly string[] | null
}

const SUMS = sql.raw(
  'sum(d.payments)::bigint as payments, sum(d.spent) as spent, sum(d.returned) as returned',
)
/** Each day's rows are found in the index apart: a day has a row for each card that spent. */
const rowsOfDays = (
  { walletAddress, asset }: Of,
  days: readonly string[],
  cards: RawBuilder<unknown>,
) =>
  sql`select d.* from unnest(${days}::date[]) g (day) cross join lateral (select * from spending_days d
    where d.wallet_address = ${walletAddress} and d.network = ${asset.network} and d.asset = ${asset.symbol}
      and d.day = g.day and ${cards} offset 0) d`
const only = (cardIds: readonly string[]) => sql`d.card_id = any(${cardIds}::text[])`
/** The row of the wallet's whole day has no card. */
const WHOLE_DAY = sql`d.card_id = ''`
const EACH_CARD = sql`d.card_id > ''`

/** The days on which the cards spent, or got something back. */
export const readSpentDays = (on: Reader, of: Of): Promise<(Spending & { day: string })[]> =>
  all(
    on,
    sql`select d.day::text as day, ${SUMS}
      from (${rowsOfDays(of, of.days, of.cardIds ? only(of.cardIds) : WHOLE_DAY)}) d group by d.day order by d.day`,
  )

/**
 * The cards that spent most, at most so many, and how many cards there are. Weeks of which each day is asked for are read as
 * one row for each card.
 */
export async function readSpenders(
  on: Reader,
  of: Of & { limit: number },
): Promise<(Spending & { cardId: string; purpose: string; cards: bigint })[]> {
  const rows = of.cardIds ? rowsOfDays(of, of.days, only(of.cardIds)) : await rowsOfAllCards(on, of)
  return all(
    on,
    sql`select s.*, c.purpose from (select d.card_id, ${SUMS}, count(*) over () as cards from (${rows}) d
        group by d.card_id order by sum(d.spent) desc, d.card_id limit ${of.limit}) s
      join ${CARDS} on c.id = s.card_id order by s.spent desc, s.card_id`,
  )
}

async function rowsOfAllCards(on: Reader, of: Of): Promise<RawBuilder<unknown>> {
  const { walletAddress, asset } = of
  // Weeks were counted later than days, and chains of the ledger are not counted to the same second: a wallet's first two may be parts.
  const begun = await one(
    on,
    sql<{ first: string | null }>`select (min(week) + 7)::text as first from spending_weeks
      where wallet_address = ${walletAddress} and network = ${asset.network} and asset = ${asset.symbol}`,
  )
  const { weeks, days } = inWeeks(of.days, begun?.first ?? null)
  const columns = sql.raw('d.card_id, d.payments, d.spent, d.returned')
  return sql`select ${columns} from unnest(${weeks}::date[]) g (week) cross join lateral (select * from spending_weeks d
      where d.wallet_address = ${walletAddress} and d.network = ${asset.network} and d.asset = ${asset.symbol}
        and d.week = g.week offset 0) d
    union all select ${columns} from (${rowsOfDays(of, days, EACH_CARD)}) d`
}
