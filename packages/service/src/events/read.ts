import { all, type Reader, sql } from '../db/sql.ts'

export type EventRow = {
  seq: bigint
  id: string
  type: string
  subject: string
  data: Record<string, unknown>
  createdAt: Date
}

/** What happened to one object, oldest first. */
export const eventsOf = (on: Reader, subject: string): Promise<EventRow[]> =>
  all<EventRow>(
    on,
    sql`select seq, id, type, subject, data, created_at from events where subject = ${subject} order by seq`,
  )

/** What happened to these objects as far as one wallet was told of it, oldest first. */
export const walletEventsOf = (
  on: Reader,
  walletAddress: string,
  subjects: string[],
): Promise<EventRow[]> =>
  all<EventRow>(
    on,
    sql`select seq, id, type, subject, data, created_at from events
      where subject = any(${subjects}::text[]) and wallet_address = ${walletAddress} order by seq`,
  )
