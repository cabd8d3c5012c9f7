import { count, jsonLines, type RawBuilder, sql, type Tx } from '../../base/db/sql.ts'
import { assert } from '../../base/kernel/assert.ts'
import { newId } from '../../base/kernel/ids.ts'
import type { Rail } from '../../base/protocols/rails.ts'
import { EVENT_TYPES } from './catalogue.ts'
import type { BuiltEvent } from './define.ts'

/** Writes events in the transaction that causes them, so that an event exists if and only if its fact does. */
export async function record(tx: Tx, at: Date, events: readonly BuiltEvent[]): Promise<void> {
  countPayments(tx, events)
  await insertEventsStatement(at, events)?.execute(tx)
}

const OUTCOMES: Record<string, string> = {
  'payment.sent': 'settled',
  'payment.settled': 'settled',
  'payment.failed': 'failed',
  'payment.refunded': 'refunded',
}

/** Both sides of a payment have an event, which is one payment. */
function countPayments(tx: Tx, events: readonly BuiltEvent[]): void {
  const counted = new Set<string>()
  for (const { type, subject, data } of events) {
    const outcome = OUTCOMES[type]
    if (outcome === undefined || counted.has(`${subject} ${outcome}`)) continue
    counted.add(`${subject} ${outcome}`)
    countPayment(tx, { rail: data.rail as Rail, outcome })
  }
}

/** Counts payments for the metrics of this process, if the transaction commits. */
export const countPayment = (tx: Tx, of: { rail: Rail; outcome: string }): void =>
  count(tx, `${of.rail} ${of.outcome}`)

const ONCE = sql`on conflict (id) do nothing`
/** A fresh id meets no other. To look for one costs each row a search and a record of the log. */
const NEW = sql``

/** The statement that `record` runs; undefined without events. Skips a fact of the chain that is already recorded. */
export function insertEventsStatement(
  at: Date,
  events: readonly BuiltEvent[],
): RawBuilder<unknown> | undefined {
  if (events.length === 0) return undefined
  for (const { type } of events) assert(EVENT_TYPES.has(type), `${type} is in the catalogue`)
  return sql`insert into events (xid, id, type, wallet_address, subject, card_id, data, created_at)
    select (select event_xid()), e.id, e.type, e.wallet_address, e.subject, e.card_id, e.data::json, ${at}::timestamptz
      from rows from (unnest(${events.map((e) => e.id ?? newId('evt', at))}::text[],
        ${events.map((e) => e.type)}::text[], ${events.map((e) => e.walletAddress)}::text[],
        ${events.map((e) => e.subject)}::text[], ${events.map((e) => e.cardId)}::text[]),
        ${jsonLines(events.map((e) => e.data))}) as e (id, type, wallet_address, subject, card_id, data)
    ${events.some((e) => e.id) ? ONCE : NEW}`
}
