import { readEvents } from '../src/api/events/sources.ts'
import { type RawBuilder, type Reader, sql } from '../src/base/db/sql.ts'

/** The events of one object, oldest first. */
export const eventsOf = (on: Reader, subject: string) =>
  eventsWhere(on, sql`e.subject = ${subject}`)

/** The events of one wallet, oldest first. The feed shows them later, once no transaction before them is open. */
export const eventsFor = (on: Reader, { wallet }: { wallet: string }) =>
  eventsWhere(on, sql`e.wallet_address = ${wallet}`)

async function eventsWhere(on: Reader, that: RawBuilder<unknown>) {
  const events = await readEvents(on, { where: () => that, limit: 10_000 })
  return events.sort((a, b) => Number(a.seq - b.seq)).map(({ type, data }) => ({ type, data }))
}
