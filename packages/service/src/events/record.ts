import { type RawBuilder, sql, type Tx } from '../db/sql.ts'
import { newId } from '../kernel/ids.ts'

export type EventType =
  | `payment.${'settled' | 'failed' | 'refunded' | 'exception' | 'exception_resolved'}`
  | `card.${'issued' | 'activated' | 'funded' | 'funding_failed' | 'frozen' | 'unfrozen' | 'expired' | 'closed' | 'declined' | 'updated' | 'claimed'}`
  | `paylink.${'created' | 'completed' | 'expired' | 'cancelled'}`
  | 'funding.confirmed'
  | `withdrawal.${'processing' | 'completed' | 'failed'}`
  | `key.${'created' | 'revoked'}`
  | `mandate.${'issued' | 'revoked' | 'receipt'}`
  | `operator.${'alarm' | 'alarm_resolved'}`

/** A fact, for one wallet, about one object. `data` is what a webhook will carry: wire names, amounts as numbers. */
export type NewEvent = {
  type: EventType
  walletAddress: string
  subject: string
  data: Record<string, unknown>
}

/** Writes the events in the caller's transaction: they exist exactly if what they tell of does. */
export async function record(tx: Tx, at: Date, events: NewEvent[]): Promise<void> {
  await insertEventsStatement(at, events)?.execute(tx)
}

/** The statement that `record` runs; undefined without events. */
export function insertEventsStatement(
  at: Date,
  events: NewEvent[],
): RawBuilder<unknown> | undefined {
  if (events.length === 0) return undefined
  return sql`insert into events (id, type, wallet_address, subject, data, created_at)
    select *, ${at}::timestamptz from unnest(${events.map(() => newId('evt', at))}::text[],
      ${events.map((e) => e.type)}::text[], ${events.map((e) => e.walletAddress)}::text[],
      ${events.map((e) => e.subject)}::text[], ${events.map((e) => JSON.stringify(e.data))}::jsonb[])`
}
