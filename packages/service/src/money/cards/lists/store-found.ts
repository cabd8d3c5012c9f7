import { all, type RawBuilder, type Reader, sql } from '../../../base/db/sql.ts'
import { firstId } from '../../../base/kernel/ids.ts'
import type { Amount } from '../../../base/kernel/money.ts'
import {
  askedOf,
  COLUMNS_SHOWN,
  pagedBy,
  RECEIVED,
  ROWS,
  SENT,
  type ShownTransaction,
  shownFrom,
  type TransactionFilter,
} from '../transactions.ts'

/** So many of the newest payments each way are read for words that no index has: those of links of other wallets. */
const READ_THROUGH = 5_000

/** Statements of hits, each read along an index: of settlements by `settlement_id`, of rows by `id`. */
export type Hits = {
  settlements: readonly RawBuilder<unknown>[]
  rows: readonly RawBuilder<unknown>[]
}
export type IdRange = { first: string; last: string }

/** The ids of a kind that a filter leaves. They begin with the time at which they were made. */
export function idsWithin(
  kind: 'stl' | 'txn',
  { since, before, after }: TransactionFilter,
): IdRange {
  const first = since === undefined ? `${kind}_` : firstId(kind, since)
  const ends = [`${kind}_${'z'.repeat(26)}`]
  if (before !== undefined) ends.push(firstId(kind, before))
  // A side's id differs from its settlement's in the last character.
  if (after !== undefined) ends.push(`${kind}_${after.slice(4, 29)}z`)
  return { first, last: ends.sort()[0] ?? '' }
}

/** Whether a transaction `t` is one of the filter. */
function isWanted(filter: TransactionFilter): RawBuilder<boolean> {
  const { walletAddress, cardId } = filter
  return sql`case t.direction when 'sent' then is_same(t.wallet_address, ${walletAddress})
      else exists (select from cards c where c.id = t.card_id and c.wallet_address = ${walletAddress}) end
    ${cardId === undefined ? sql`` : sql`and t.card_id = ${cardId}`} ${askedOf(filter)} ${pagedBy(filter)}`
}

/** The transactions among the hits that a filter leaves, newest first; one more than `limit` if there are more. */
export function listFound(
  on: Reader,
  filter: TransactionFilter,
  { settlements, rows }: Hits,
): Promise<ShownTransaction[]> {
  const union = (parts: readonly RawBuilder<unknown>[]) =>
    sql.join(
      parts.map((part) => sql`(${part})`),
      sql` union `,
    )
  // Each hit is looked up by its id: no plan may walk through the wallet instead.
  const lookUp = (
    hits: RawBuilder<unknown>,
    source: RawBuilder<unknown>,
    is: RawBuilder<boolean>,
  ): RawBuilder<unknown> =>
    sql`select ${sql.raw(COLUMNS_SHOWN)} from ${hits} f, lateral (select t.* from ${source} t
      where ${is} and ${isWanted(filter)} offset 0) t`
  const found = sql.raw('found')
  const parts = [
    lookUp(found, SENT, sql`t.settlement_id = f.settlement_id`),
    lookUp(found, RECEIVED, sql`t.settlement_id = f.settlement_id`),
    // A settlement from the chain has a row for whoever received it.
    lookUp(found, ROWS, sql`t.ref = f.settlement_id`),
    ...(rows.length > 0 ? [lookUp(sql`(${union(rows)})`, ROWS, sql`t.id = f.id`)] : []),
  ]
  return all<ShownTransaction>(
    on,
    sql`with found as materialized (${union(settlements)})
      ${shownFrom(sql`(select * from (${union(parts)}) u order by u.id desc limit ${filter.limit + 1})`)} order by t.id desc`,
  )
}

/** The payments of a wallet whose amount, as the list shows it, is one of these. */
export function byAmount(filter: TransactionFilter, amounts: readonly Amount[]): Hits {
  const [sides, rows] = [idsWithin('stl', filter), idsWithin('txn', filter)]
  const side = { id: 't.settlement_id', ...sides }
  const row = { id: 't.id', from: sql.raw('card_transaction_rows'), ...rows }
  return {
    settlements: amounts.flatMap((amount) => [
      ofAmount(filter, amount, { ...side, from: SENT, owner: 't.wallet_address' }),
      ofAmount(filter, amount, { ...side, from: RECEIVED, owner: 't.received_by' }),
    ]),
    rows: amounts.map((amount) => ofAmount(filter, amount, { ...row, owner: 't.wallet_address' })),
  }
}

type Along = IdRange & { from: RawBuilder<unknown>; owner: string; id: string }

/** Ranges over both columns of the index: it is read in its order, whatever the planner expects. */
const ofAmount = (
  filter: TransactionFilter,
  amount: Amount,
  { from, owner, id, first, last }: Along,
): RawBuilder<unknown> => {
  const number = sql`number_of_amount(${sql.raw(owner)}, t.amount)`
  const wanted = sql`number_of_amount(${filter.walletAddress}, ${amount}::numeric)`
  const key = sql.raw(id)
  return sql`select ${key} from ${from} t
    where (${number}, ${key}) >= (${wanted}, ${first}) and (${number}, ${key}) <= (${wanted}, ${last})
      and t.amount = ${amount} and ${isWanted(filter)}
    order by ${number} desc, ${key} desc limit ${filter.limit + 1}`
}

/** The rows of a wallet whose payee or memo has words that begin like these. The hits come before their order: none but them is read. */
export const rowsSaying = (filter: TransactionFilter, words: string): RawBuilder<unknown> =>
  sql`select t.id from (select * from card_transaction_rows where words_as_found(wallet_address, merchant || ' ' || memo)
      @@ words_to_find(${filter.walletAddress}, ${words}) offset 0) t where ${isWanted(filter)}
    order by t.id desc limit ${filter.limit + 1}`

/** Settlements whose other side and memo have all words of this text, among the newest of a wallet each way. `isCalled` tells of a column whether that payee is called so. */
export function readThrough(
  filter: TransactionFilter,
  text: string,
  isCalled: (payee: string) => RawBuilder<boolean>,
): RawBuilder<unknown>[] {
  const { first, last } = idsWithin('stl', filter)
  const number = sql`number_of(${filter.walletAddress})`
  const side = (view: RawBuilder<unknown>, by: RawBuilder<unknown>) =>
    sql`select n.settlement_id from (select t.settlement_id, t.merchant, t.memo from ${view} t
        where (${by}, t.settlement_id) >= (${number}, ${first}) and (${by}, t.settlement_id) <= (${number}, ${last})
        order by ${by} desc, t.settlement_id desc limit ${READ_THROUGH}) n
      where not exists (select from regexp_split_to_table(lower(${text}), '\\s+') w
        where strpos(lower(n.merchant || ' ' || n.memo), w) = 0) or ${isCalled('n.merchant')}`
  return [
    side(SENT, sql.raw('number_of(t.wallet_address)')),
    side(RECEIVED, sql.raw('number_of(t.received_by)')),
  ]
}
