import { type RawBuilder, type Reader, run, sql, type Tx } from '../../base/db/sql.ts'
import type { Cursor } from './cursor.ts'
import { type FeedEvent, isOfWallet, isOfWallets, newestXid, readEvents } from './sources.ts'

type FeedAsk = {
  after: Cursor
  /** Only events of transactions before this one. */
  before?: Cursor
  limit: number
  /** If absent, events of all wallets. */
  walletAddress?: string
  walletAddresses?: readonly string[]
  /** Only events of these types. */
  types?: readonly string[]
  /** Only events of these cards, as a restricted key sees them. Null: of all. */
  cardIds?: readonly string[] | null
  /** Only events that were recorded from then on, and before then. */
  period?: { since: Date; until: Date }
  /** A condition of the caller's own SQL on events `e`. */
  that?: RawBuilder<unknown>
}

/**
 * Events after the cursor, oldest first. An event is shown once every transaction with a smaller id has ended, so none
 * appears later at an earlier place: a reader that continues from its last event misses none.
 */
export function readFeed(on: Reader, ask: FeedAsk): Promise<FeedEvent[]> {
  const { after, types, limit } = ask
  const where = sql`e.xid < (select event_horizon())
    ${ask.before === undefined ? sql`` : sql`and e.xid < ${ask.before.xid}`}
    ${ask.walletAddresses === undefined ? sql`` : sql`and ${isOfWallets(ask.walletAddresses)}`}
    ${ask.walletAddress === undefined ? sql`` : sql`and ${isOfWallet(ask.walletAddress)}`}
    ${!ask.cardIds ? sql`` : sql`and e.card_id = any(${[...ask.cardIds]}::text[])`}
    ${!ask.period ? sql`` : sql`and e.created_at >= ${ask.period.since} and e.created_at < ${ask.period.until}`}
    ${!ask.that ? sql`` : sql`and ${ask.that}`}`
  return readEvents(on, { after, types, limit, where: () => where })
}

/** The event, also if the feed does not show it yet. */
export async function findEvent(on: Reader, id: string): Promise<FeedEvent | undefined> {
  const [event] = await readEvents(on, { where: ({ isNamed }) => isNamed(id), limit: 1 })
  return event
}

/**
 * Makes new transactions later than all that are stored, after a dump was restored into a new cluster, where ids begin anew:
 * without it no event would be shown. `others` are the newest transactions of other rooms' rows. Returns whether it had to.
 */
export async function adoptRestored(
  tx: Tx,
  others: readonly RawBuilder<unknown>[] = [],
): Promise<boolean> {
  const newest = sql.join(
    [newestXid(), sql`select max(xid) from event_cursors`, ...others].map((n) => sql`(${n})`),
  )
  const raised = await run(
    tx,
    sql`update event_base set base = newest + 1 - next
      from (select greatest(${newest}) as newest, pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next) ids
      where newest >= base + next`,
  )
  return raised === 1
}
