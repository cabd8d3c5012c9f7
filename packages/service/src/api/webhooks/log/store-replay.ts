import { one, type Reader, run, sql, type Tx } from '../../../base/db/sql.ts'
import type { Address } from '../../../base/kernel/assets.ts'
import type { SealedSecrets } from '../secret.ts'

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
