import { all, one, type Reader, run, sql, type Tx } from '../../base/db/sql.ts'
import type { Id } from '../../base/kernel/ids.ts'
import { type Amount, amount } from '../../base/kernel/money.ts'
import type { Card } from '../../money/cards/card.ts'
import { CARDS, STANDING } from '../../money/cards/store.ts'

/** OPEN takes ticks. CLOSED was ended by one of its parties, EXPIRED by its time. */
export const STREAM_STATUSES = ['OPEN', 'CLOSED', 'EXPIRED'] as const
export type StreamStatus = (typeof STREAM_STATUSES)[number]

/** The payer's label for the payee of a card's streams. */
export type Session = {
  id: Id<'ses'>
  cardId: string
  walletAddress: string
  merchant: string
  createdAt: Date
}
/** A budget on hold that is spent tick by tick. Amounts are in base units. */
export type Stream = {
  id: Id<'str'>
  /** The payer's wallet. */
  walletAddress: string
  cardId: string
  receiverCardId: string | null
  sessionId: Id<'ses'> | null
  merchant: string
  holdId: Id<'hold'>
  network: string
  asset: string
  budget: Amount
  tickAmount: Amount
  /** The receiver's fee, as it was when the stream was opened. */
  feeBps: number
  feeFlat: Amount
  /** The sum of all ticks so far. It only grows. */
  totalTicked: Amount
  status: StreamStatus
  /** The amount that left the card at the end; null while OPEN. */
  finalAmount: Amount | null
  createdAt: Date
  expiresAt: Date
  endedAt: Date | null
}

const COLUMNS =
  sql.raw(`s.id, s.wallet_address, s.card_id, s.receiver_card_id, s.session_id, s.merchant, s.hold_id, s.network, s.asset,
  s.budget, s.tick_amount, s.fee_bps, s.fee_flat, s.total_ticked, s.status, s.final_amount, s.created_at, s.expires_at, s.ended_at`)

export async function insertSession(tx: Tx, session: Session): Promise<void> {
  await sql`insert into mpp_sessions (id, card_id, wallet_address, merchant, created_at)
    values (${session.id}, ${session.cardId}, ${session.walletAddress}, ${session.merchant}, ${session.createdAt})`.execute(
    tx,
  )
}

export const findSession = (on: Reader, id: string): Promise<Session | undefined> =>
  one<Session>(
    on,
    sql`select id, card_id, wallet_address, merchant, created_at from mpp_sessions where id = ${id}`,
  )

export async function insertStream(tx: Tx, s: Stream): Promise<void> {
  await sql`insert into mpp_streams (id, wallet_address, card_id, receiver_card_id, session_id, merchant, hold_id, network,
      asset, budget, tick_amount, fee_bps, fee_flat, created_at, expires_at)
    values (${s.id}, ${s.walletAddress}, ${s.cardId}, ${s.receiverCardId}, ${s.sessionId}, ${s.merchant}, ${s.holdId},
      ${s.network}, ${s.asset}, ${s.budget}, ${s.tickAmount}, ${s.feeBps}, ${s.feeFlat}, ${s.createdAt},
      ${s.expiresAt})`.execute(tx)
}

/** A stream and the wallet of its receiver card; null without one. */
export type ShownStream = Stream & { receiverWallet: string | null }

export const findStream = (on: Reader, id: string): Promise<ShownStream | undefined> =>
  one<ShownStream>(
    on,
    sql`select ${COLUMNS}, c.wallet_address as receiver_wallet from mpp_streams s
      left join ${CARDS} on c.id = s.receiver_card_id where s.id = ${id}`,
  )

/** The stream, locked until the transaction ends. Lock it before its cards. */
export const lockStream = (tx: Tx, id: string): Promise<Stream | undefined> =>
  one<Stream>(tx, sql`select ${COLUMNS} from mpp_streams s where s.id = ${id} for update`)

/** A stream with those fields of its card that decide whether it may tick. */
export type TickedStream = Stream & {
  card: Pick<Card, 'walletAddress' | 'tokenHash' | 'status' | 'expiresAt'>
}
type TickedRow = Stream & {
  cardWallet: string
  tokenHash: Buffer | null
  cardStatus: Card['status']
  cardExpiresAt: Date | null
}

/** The streams, locked in order of their ids until the transaction ends. Their cards are read but not locked. */
export async function lockForTicks(tx: Tx, ids: string[]): Promise<Map<string, TickedStream>> {
  const rows = await all<TickedRow>(
    tx,
    sql`select ${COLUMNS}, c.wallet_address as card_wallet, c.token_hash, ${STANDING} as card_status,
        c.expires_at as card_expires_at
      from mpp_streams s join ${CARDS} on c.id = s.card_id
      where s.id = any(${[...new Set(ids)]}::text[]) order by s.id for update of s`,
  )
  return new Map(
    rows.map(({ cardWallet, tokenHash, cardStatus, cardExpiresAt, ...stream }) => {
      const card = { walletAddress: cardWallet, tokenHash, status: cardStatus }
      return [stream.id, { ...stream, card: { ...card, expiresAt: cardExpiresAt } }]
    }),
  )
}

/** Stores the new totals of locked streams. */
export async function saveTotals(tx: Tx, totals: ReadonlyMap<string, Amount>): Promise<void> {
  if (totals.size === 0) return
  await sql`update mpp_streams s set total_ticked = v.total
    from unnest(${[...totals.keys()]}::text[], ${[...totals.values()]}::numeric[]) as v (id, total)
    where s.id = v.id`.execute(tx)
}

/** Ends an open stream whose hold was closed in this transaction. Returns false if it had ended before. */
export async function saveEnd(
  tx: Tx,
  at: Date,
  ended: { id: string; status: 'CLOSED' | 'EXPIRED'; finalAmount: Amount },
): Promise<boolean> {
  const changed = await run(
    tx,
    sql`update mpp_streams set status = ${ended.status}, final_amount = ${ended.finalAmount}, ended_at = ${at}
      where id = ${ended.id} and status = 'OPEN'`,
  )
  return changed === 1
}

export type StreamFilter = {
  walletAddress: string
  /** The cards that the caller's key may use; null for all cards of the wallet. */
  cardIds: readonly string[] | null
  cardId?: string | undefined
  status?: string | undefined
  after?: string | undefined
  limit: number
}

/** The streams that a wallet's cards pay, newest first; one more than `limit` if there are more. */
export const listStreams = (on: Reader, filter: StreamFilter): Promise<Stream[]> =>
  all<Stream>(
    on,
    sql`select ${COLUMNS} from mpp_streams s where s.wallet_address = ${filter.walletAddress}
      and (${filter.cardIds}::text[] is null or s.card_id = any(${filter.cardIds}::text[]))
      and (${filter.cardId ?? null}::text is null or s.card_id = ${filter.cardId ?? null})
      and (${filter.status ?? null}::text is null or s.status = ${filter.status ?? null})
      and (${filter.after ?? null}::text is null or s.id < ${filter.after ?? null})
      order by s.id desc limit ${filter.limit + 1}`,
  )

/** Open streams whose time is over. */
export async function findOverdue(on: Reader, at: Date): Promise<string[]> {
  const rows = await all<{ id: string }>(
    on,
    sql`select id from mpp_streams where status = 'OPEN' and expires_at <= ${at} order by expires_at limit 500`,
  )
  return rows.map((row) => row.id)
}

/** The rest of a stream's budget. */
export const remainingOf = (stream: { budget: Amount; totalTicked: Amount }): Amount =>
  amount(stream.budget - stream.totalTicked)
