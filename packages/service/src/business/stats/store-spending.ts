import { all, type RawBuilder, type Reader, sql } from '../../base/db/sql.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import type { Amount } from '../../base/kernel/money.ts'
import { soldAfter } from '../../money/cards/owners/store.ts'
import { CARDS } from '../../money/cards/store.ts'
import { ACCOUNTS } from '../../money/ledger/accounts.ts'
import { transfersOf } from '../../money/ledger/follow.ts'

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
  /** UTC dates, both included. */
  from: string
  to: string
  /** The only cards that are counted; null for all. */
  cardIds: readonly string[] | null
}

const SUMS = sql.raw(
  'sum(d.payments)::bigint as payments, sum(d.spent) as spent, sum(d.returned) as returned',
)
/** The rows of the wallet's whole days. A wallet with many cards has as many rows of its cards a day. */
const ALL_CARDS = ['']
const spentDays = ({ walletAddress, asset, from, to, cardIds }: Of): RawBuilder<unknown> =>
  sql`from spending_days d where d.wallet_address = ${walletAddress} and d.network = ${asset.network}
    and d.asset = ${asset.symbol} and d.day between ${from}::date and ${to}::date
    and (${cardIds}::text[] is null and d.card_id <> '' or d.card_id = any(${cardIds}::text[]))`

/** The days on which the cards spent, or got something back. */
export const readSpentDays = (on: Reader, of: Of): Promise<(Spending & { day: string })[]> =>
  all(
    on,
    sql`select d.day::text as day, ${SUMS} ${spentDays({ ...of, cardIds: of.cardIds ?? ALL_CARDS })} group by d.day order by d.day`,
  )

/** The cards that spent most, at most so many, and how many cards there are. */
export const readSpenders = (
  on: Reader,
  of: Of & { limit: number },
): Promise<(Spending & { cardId: string; purpose: string; cards: bigint })[]> =>
  all(
    on,
    sql`select s.*, c.purpose from (select d.card_id, ${SUMS}, count(*) over () as cards ${spentDays(of)}
        group by d.card_id order by sum(d.spent) desc, d.card_id limit ${of.limit}) s
      join ${CARDS} on c.id = s.card_id order by s.spent desc, s.card_id`,
  )
