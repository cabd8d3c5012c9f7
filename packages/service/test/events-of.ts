import { all, type Reader, sql } from '../src/base/db/sql.ts'

/** The recorded events of one object, oldest first. */
export const eventsOf = (on: Reader, subject: string) =>
  all(
    on,
    sql<{ type: string; data: Record<string, unknown> }>`
      select type, data from events where subject = ${subject} order by seq`,
  )

/** The recorded events of one wallet, oldest first. The feed shows them later, once no transaction before them is open. */
export const eventsFor = (on: Reader, { wallet }: { wallet: string }) =>
  all(
    on,
    sql<{ type: string; data: Record<string, unknown> }>`
      select type, data from events where wallet_address = ${wallet} order by seq`,
  )
