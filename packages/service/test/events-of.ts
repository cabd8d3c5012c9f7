import { all, type Reader, sql } from '../src/db/sql.ts'

/** The recorded events of one object, oldest first. */
export const eventsOf = (on: Reader, subject: string) =>
  all(
    on,
    sql<{ type: string; data: Record<string, unknown> }>`
      select type, data from events where subject = ${subject} order by seq`,
  )
