import { all, one, type RawBuilder, type Reader, run, sql, type Tx } from '../../../base/db/sql.ts'
import type { Address } from '../../../base/kernel/assets.ts'
import type { Id } from '../../../base/kernel/ids.ts'
import type { SealedSecrets } from '../secret.ts'

export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'FAILED', 'EXHAUSTED'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** The delivery of one event to one webhook. */
export type Delivery = {
  webhookId: Id<'wh'>
  eventId: Id<'evt'>
  status: DeliveryStatus
  /** The last answer's status; null before the first answer. */
  statusCode: number | null
  attempts: number
  /** The URL of the last attempt. */
  url: string
  nextAt: Date | null
  responseHead: string | null
  error: string | null
  createdAt: Date
  updatedAt: Date
  hasPayload: boolean
}

const COLUMNS = sql.raw(
  `d.webhook_id, d.event_id, d.status, d.status_code, d.attempts, d.url, d.next_at, d.response_head, d.error,
  d.created_at, d.updated_at, exists (select from webhook_payloads p where p.event_id = d.event_id) as has_payload`,
)

/** Which deliveries of a wallet's log are meant. */
export type LogFilter = {
  walletAddress: string
  webhookId: string | undefined
  status: DeliveryStatus | undefined
}

/** A page of the log, newest first. The rows before it are skipped in the index. */
export const listDeliveries = (
  on: Reader,
  { walletAddress, webhookId, status }: LogFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<Delivery[]> =>
  all<Delivery>(
    on,
    sql`select ${COLUMNS} from (select webhook_id, event_id from webhook_deliveries
        where ${webhookId === undefined ? sql`wallet_address = ${walletAddress}` : sql`webhook_id = ${webhookId}`}
        ${status === undefined ? sql`` : sql`and status = ${status}`}
        order by created_at desc, webhook_id, event_id limit ${limit} offset ${offset}) page
      join webhook_deliveries d using (webhook_id, event_id)
      order by d.created_at desc, d.webhook_id, d.event_id`,
  )

/** One delivery of a wallet, with the bytes that are sent; null if they are not kept. */
export const findDelivery = (
  on: Reader,
  of: { webhookId: string; eventId: string; walletAddress: Address },
): Promise<(Delivery & { body: Buffer | null }) | undefined> =>
  one<Delivery & { body: Buffer | null }>(
    on,
    sql`select ${COLUMNS}, (select p.body from webhook_payloads p where p.event_id = d.event_id) as body
      from webhook_deliveries d where d.webhook_id = ${of.webhookId} and d.event_id = ${of.eventId}
        and d.wallet_address = ${of.walletAddress}`,
  )

/** How many deliveries the filter matches, from the tallies. */
export const countDeliveries = async (
  on: Reader,
  { walletAddress, webhookId, status }: LogFilter,
): Promise<number> => {
  const row = await one<{ n: bigint }>(
    on,
    sql`select coalesce(sum(t.count), 0) as n from webhooks w join webhook_tallies t on t.webhook_id = w.id
      where w.wallet_address = ${walletAddress}
      ${webhookId === undefined ? sql`` : sql`and w.id = ${webhookId}`}
      ${status === undefined ? sql`` : sql`and t.status = ${status}`}`,
  )
  return Number(row?.n ?? 0n)
}

/** Failed deliveries of a webhook that can be sent again, of events that were queued in the period; oldest first. */
export const lockFailed = async (
  tx: Tx,
  { webhookId, since, until, limit }: Period & { webhookId: string; limit: number },
): Promise<string[]> => {
  const rows = await all<{ eventId: string }>(
    tx,
    sql`select event_id from webhook_deliveries d
      where webhook_id = ${webhookId} and created_at >= ${since} and created_at < ${until}
        and status in ('FAILED', 'EXHAUSTED')
        and exists (select from webhook_payloads p where p.event_id = d.event_id)
      order by created_at, event_id limit ${limit} for update of d`,
  )
  return rows.map(({ eventId }) => eventId)
}
export type Period = { since: Date; until: Date }

/** Makes deliveries due now. Their schedule starts anew, their attempts go on. */
export async function makeDue(
  tx: Tx,
  at: Date,
  { webhookId, eventIds }: { webhookId: string; eventIds: readonly string[] },
): Promise<void> {
  await sql`update webhook_deliveries set status = 'PENDING', step = 0, next_at = ${at}, updated_at = ${at}
    where webhook_id = ${webhookId} and event_id = any(${[...eventIds]}::text[])`.execute(tx)
}

/**
 * A condition on an event `e`: the webhook has no delivery of it. A test goes to the webhook that was tested, and
 * `webhook.disabled` to the wallet's other webhooks.
 */
export const isMissing = (webhookId: string): RawBuilder<unknown> =>
  sql`e.type <> 'webhook.test' and (e.type <> 'webhook.disabled' or e.subject <> ${webhookId})
    and not exists (select from webhook_deliveries d where d.webhook_id = ${webhookId} and d.event_id = e.id)`

/** A delivery with what a replay needs. */
export type Replayable = SealedSecrets & {
  eventId: string
  url: string
  isDeleted: boolean
  attempts: number
  /** Null if the bytes are not kept. */
  body: Buffer | null
}

export const findReplayable = (
  on: Reader,
  of: { webhookId: string; eventId: string; walletAddress: Address },
): Promise<Replayable | undefined> =>
  one<Replayable>(
    on,
    sql`select w.id, w.secret, w.previous_secret, w.previous_until, w.url, w.deleted_at is not null as is_deleted,
        d.event_id, d.attempts, p.body
      from webhook_deliveries d join webhooks w on w.id = d.webhook_id
      left join webhook_payloads p on p.event_id = d.event_id
      where d.webhook_id = ${of.webhookId} and d.event_id = ${of.eventId} and d.wallet_address = ${of.walletAddress}`,
  )

type Key = { webhookId: string; eventId: string }

/** Takes the delivery for a replay until then; false if another replay has it, or the webhook is deleted. */
export const takeDelivery = async (
  tx: Tx,
  at: Date,
  { webhookId, eventId, until }: Key & { until: Date },
): Promise<boolean> =>
  (await run(
    tx,
    sql`update webhook_deliveries d set sending_until = ${until} from webhooks w
      where w.id = d.webhook_id and w.deleted_at is null
        and d.webhook_id = ${webhookId} and d.event_id = ${eventId}
        and (d.sending_until is null or d.sending_until <= ${at})`,
  )) === 1

export async function releaseDelivery(tx: Tx, { webhookId, eventId }: Key): Promise<void> {
  await sql`update webhook_deliveries set sending_until = null
    where webhook_id = ${webhookId} and event_id = ${eventId}`.execute(tx)
}

type Replayed = Key & {
  isDelivered: boolean
  url: string
  statusCode: number | null
  head: string | null
  error: string | null
}

/** Writes a replay down and releases the delivery. A success ends its schedule; a failure leaves its state as it is. */
export const saveReplayed = async (tx: Tx, at: Date, of: Replayed): Promise<number> => {
  const row = await one<{ attempts: number }>(
    tx,
    sql`update webhook_deliveries set attempts = attempts + 1, url = ${of.url},
        status_code = coalesce(${of.statusCode}::smallint, status_code), response_head = ${of.head}, error = ${of.error},
        status = case when ${of.isDelivered}::boolean then 'DELIVERED' else status end,
        next_at = case when ${of.isDelivered}::boolean then null else next_at end,
        sending_until = null, updated_at = ${at}
      where webhook_id = ${of.webhookId} and event_id = ${of.eventId} returning attempts`,
  )
  return row?.attempts ?? 0
}
