import { all, jsonLines, type Reader, sql, type Tx } from '../../../base/db/sql.ts'
import type { Envelope } from '../../events/envelope.ts'
import type { FeedEvent } from '../../events/sources.ts'

/** An active endpoint. */
export type Listener = {
  id: string
  walletAddress: string
  url: string
  /** The types it takes; null for all. */
  events: string[] | null
  /** It takes events of later transactions. */
  activeXid: bigint
}

/** At most so many of the wallets that have an active endpoint. */
export const listListeners = async (on: Reader, most: number): Promise<string[]> => {
  const rows = await all<{ walletAddress: string }>(
    on,
    sql`select distinct wallet_address from webhooks where status = 'ACTIVE' limit ${most}`,
  )
  return rows.map(({ walletAddress }) => walletAddress)
}

/** The active endpoints of these wallets, locked: they stay active until the transaction ends. */
export const lockListeners = (tx: Tx, wallets: readonly string[]): Promise<Listener[]> =>
  all<Listener>(
    tx,
    sql`select id, wallet_address, url, events, active_xid from webhooks
      where status = 'ACTIVE' and wallet_address = any(${[...wallets]}::text[])
      order by id for no key update`,
  )

/** Stores the bytes of each event: its envelope as JSON, as `bytesOf` gives it. */
export async function insertPayloads(
  tx: Tx,
  at: Date,
  envelopes: readonly Envelope[],
): Promise<void> {
  if (envelopes.length === 0) return
  await sql`insert into webhook_payloads (event_id, body, created_at)
    select e.id, convert_to(e.body, 'UTF8'), ${at}::timestamptz
      from rows from (unnest(${envelopes.map(({ id }) => id)}::text[]), ${jsonLines(envelopes)}) as e (id, body)
    on conflict do nothing`.execute(tx)
}

type NewDelivery = {
  event: Pick<FeedEvent, 'id' | 'seq' | 'subject' | 'walletAddress'>
  listener: Pick<Listener, 'id' | 'url'>
}

/** Makes deliveries that are due at once. One that exists stays as it is. */
export async function insertDeliveries(
  tx: Tx,
  at: Date,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return
  const of = <T>(read: (one: NewDelivery) => T): T[] => deliveries.map(read)
  await sql`insert into webhook_deliveries
      (webhook_id, event_id, wallet_address, seq, subject, url, next_at, created_at, updated_at)
    select *, ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz from unnest(
      ${of(({ listener }) => listener.id)}::text[], ${of(({ event }) => event.id)}::text[],
      ${of(({ event }) => event.walletAddress)}::text[], ${of(({ event }) => event.seq)}::bigint[],
      ${of(({ event }) => event.subject)}::text[], ${of(({ listener }) => listener.url)}::text[])
    on conflict do nothing`.execute(tx)
}

/** Makes senders look at these endpoints now, or when their breakers let them. */
export async function wake(tx: Tx, at: Date, webhookIds: readonly string[]): Promise<void> {
  if (webhookIds.length === 0) return
  await sql`update webhooks set due_at = greatest(${at}::timestamptz, breaker_until)
    where id = any(${[...webhookIds]}::text[])
      and (due_at is null or due_at > greatest(${at}::timestamptz, breaker_until))`.execute(tx)
}

/** The newest transaction in which an endpoint began to listen. */
export const NEWEST_ACTIVE = sql<bigint | null>`select max(active_xid) from webhooks`
