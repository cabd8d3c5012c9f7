import { all, type RawBuilder, type Reader, sql } from '../../base/db/sql.ts'
import type { Id } from '../../base/kernel/ids.ts'
import { type Cursor, FEED_START, RETENTION } from './cursor.ts'
import { type CardPayment, receivedData, sentData } from './payment-events.ts'

export type FeedEvent = {
  id: Id<'evt'>
  type: string
  walletAddress: string
  subject: string
  cardId: string | null
  data: Record<string, unknown>
  createdAt: Date
  seq: bigint
  xid: bigint
}
type Row = Omit<FeedEvent, 'data'> &
  ({ data: FeedEvent['data']; payment: null } | { data: null; payment: CardPayment })

/**
 * Rows that are events, as `e`: those that were recorded, and the two sides of each settlement by a card, whose events are
 * built whenever they are read (decision 0062).
 */
type Source = {
  rows: RawBuilder<unknown>
  columns: RawBuilder<unknown>
  /** The type of all of them, and how their data are built. */
  built?: { type: string; dataOf(row: Row, payment: CardPayment): FeedEvent['data'] }
  /** Added to `seq`: a settlement has two numbers, and keeps the first. */
  step: 0 | 1
  isNamed(id: string): RawBuilder<unknown>
}

const SOURCES: readonly Source[] = [
  {
    rows: sql.raw('events e'),
    columns: sql.raw('e.data, null::json as payment'),
    step: 0,
    isNamed: (id) => sql`e.id = ${id}`,
  },
  {
    rows: sql.raw('payment_events_sent e'),
    columns: sql.raw('null::json as data, e.payment'),
    built: { type: 'payment.sent', dataOf: sentData },
    step: 0,
    isNamed: (id) => sql`e.subject = 'stl_' || substr(${id}, 5)`,
  },
  {
    rows: sql.raw('payment_events_received e'),
    columns: sql.raw('null::json as data, e.payment'),
    built: { type: 'payment.settled', dataOf: receivedData },
    step: 1,
    isNamed: (id) => sql`e.subject = 'stl_' || other_side(substr(${id}, 5))`,
  },
]

type Ask = {
  after?: Cursor
  /** If absent, events of all types. */
  types?: readonly string[] | undefined
  /** The condition on events `e`. */
  where: (source: Source) => RawBuilder<unknown>
  limit: number
  isNewestFirst?: true
}

/** The events that are kept and meet the condition, of every source, in one order. */
export async function readEvents(on: Reader, ask: Ask): Promise<FeedEvent[]> {
  const rows = await all<Row>(on, eventsQuery(ask))
  return rows.map((row) => {
    const { payment, ...event } = row
    if (payment === null) return event as FeedEvent
    const source = SOURCES.find(({ built }) => built?.type === row.type)
    return { ...event, data: source?.built?.dataOf(row, payment) ?? {} }
  })
}

/** Each source gives its first rows in the order of an index, and the few rows that come of it are sorted. */
function eventsQuery({
  after = FEED_START,
  types,
  where,
  limit,
  isNewestFirst,
}: Ask): RawBuilder<Row> {
  const order = sql.raw(isNewestFirst ? 'desc' : 'asc')
  const isOfTypes = ({ built }: Source) => !built || !types || types.includes(built.type)
  const branches = SOURCES.filter(isOfTypes).map((source) => {
    const { rows, columns, built } = source
    const step = sql.raw(String(source.step))
    return sql`(select e.id, e.type, e.wallet_address, e.subject, e.card_id, ${columns}, e.created_at, e.seq + ${step} as seq, e.xid
      from ${rows} where (e.xid, e.seq) > (select xid, seq - ${step} from start) and ${where(source)}
        ${built || !types ? sql`` : sql`and e.type = any(${[...types]}::text[])`}
      order by e.xid ${order}, e.seq ${order} limit ${limit})`
  })
  return sql`with start as materialized (
      select xid, seq from (values (${after.xid}::bigint, ${after.seq}::bigint)
        union all select xid, seq from event_cursors where name = ${RETENTION}) as v (xid, seq)
      order by xid desc, seq desc limit 1)
    select * from (${sql.join(branches, sql` union all `)}) e order by xid ${order}, seq ${order} limit ${limit}`
}

/** The condition on events `e`: they are this wallet's. The index of settlements has a number in place of the wallet. */
export const isOfWallet = (wallet: string): RawBuilder<unknown> =>
  sql`number_of(e.wallet_address) = number_of(${wallet}) and is_same(e.wallet_address, ${wallet})`

export const isOfWallets = (wallets: readonly string[]): RawBuilder<unknown> =>
  sql`number_of(e.wallet_address) = any(array(select number_of(w) from unnest(${[...wallets]}::text[]) w))
    and e.wallet_address = any(${[...wallets]}::text[])`

/** Subquery: the wallets that have events of these transactions. */
export const walletsOf = (of: {
  from: RawBuilder<unknown>
  before: RawBuilder<unknown>
}): RawBuilder<unknown> =>
  fromEach(
    (rows) =>
      sql`select e.wallet_address from ${rows} where e.xid >= ${of.from} and e.xid < ${of.before}`,
  )

/**
 * Subquery: the newest transaction that has an event. The last of an index: a `max` over a view with joins reads all of its rows,
 * and with ten million settlements took longer than a start waits.
 */
export const newestXid = (): RawBuilder<unknown> =>
  sql`select max(xid) from (${fromEach((rows) => sql`(select e.xid from ${rows} order by e.xid desc limit 1)`)}) of_each`

const fromEach = (query: (rows: RawBuilder<unknown>) => RawBuilder<unknown>): RawBuilder<unknown> =>
  sql.join(
    SOURCES.map(({ rows }) => query(rows)),
    sql` union `,
  )
