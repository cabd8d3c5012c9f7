import { all, one, type Reader, run, sql, type Tx } from '../../../base/db/sql.ts'
import type { SealedSecrets } from '../secret.ts'
import type { Health } from './schedule.ts'

/** A sender that is not seen for so long has died. By real time: the development clock moves for all at once. */
const DEAD_SECONDS = 10

/** An endpoint as its sender needs it. */
export type Leased = SealedSecrets & {
  url: string
  status: 'ACTIVE' | 'DISABLED'
} & Pick<Health, 'failures'>

const COLUMNS = sql.raw(
  'w.id, w.url, w.status, w.secret, w.previous_secret, w.previous_until, w.failures',
)

export async function insertSender(tx: Tx, id: string): Promise<void> {
  await sql`insert into webhook_senders (id) values (${id})`.execute(tx)
}

/** Shows that the sender lives, and deletes dead ones. False if it was taken for dead: its endpoints are others' now. */
export async function beat(tx: Tx, id: string): Promise<boolean> {
  const isAlive = await run(tx, sql`update webhook_senders set seen_at = now() where id = ${id}`)
  await sql`delete from webhook_senders where id in (select id from webhook_senders
    where seen_at < now() - make_interval(secs => ${DEAD_SECONDS}::double precision) for update skip locked)`.execute(
    tx,
  )
  return isAlive === 1
}

/** Leaves the sender's endpoints to others. */
export async function deleteSender(tx: Tx, id: string): Promise<void> {
  await sql`delete from webhook_senders where id = ${id}`.execute(tx)
}

/** Makes the sender the one that sends to endpoints that are due and have none, those that wait longest first. */
export const leaseDue = (
  tx: Tx,
  at: Date,
  { sender, most }: { sender: string; most: number },
): Promise<Leased[]> =>
  all<Leased>(
    tx,
    sql`update webhooks w set sender = ${sender} from (
        select id from webhooks where due_at <= ${at} and sender is null
        order by due_at limit ${most} for no key update skip locked) due
      where w.id = due.id returning ${COLUMNS}`,
  )

/** The sender's endpoints as they are now. */
export const listLeased = (on: Reader, sender: string): Promise<Leased[]> =>
  all<Leased>(on, sql`select ${COLUMNS} from webhooks w where sender = ${sender}`)

/**
 * Gives endpoints back, to be looked at when their next delivery is due, though not before `until`; a disabled one at once. The lock comes first, so
 * that a delivery made meanwhile is either seen here or wakes the endpoint again.
 */
export async function release(
  tx: Tx,
  at: Date,
  {
    sender,
    endpoints,
  }: { sender: string; endpoints: readonly { id: string; until: Date | null }[] },
): Promise<void> {
  const ids = endpoints.map(({ id }) => id)
  await sql`select from webhooks where id = any(${ids}::text[]) order by id for no key update`.execute(
    tx,
  )
  await sql`update webhooks w set sender = null,
      due_at = (select case when w.status = 'ACTIVE' then greatest(d.next_at, v.until, w.breaker_until) else ${at} end
        from webhook_deliveries d
        where d.webhook_id = w.id and d.next_at is not null order by d.next_at limit 1)
    from unnest(${ids}::text[], ${endpoints.map(({ until }) => until)}::timestamptz[]) as v (id, until)
    where w.id = v.id and w.sender = ${sender}`.execute(tx)
}

/** How many deliveries wait at endpoints that are due, and since when the first does. */
export async function readBacklog(
  on: Reader,
  at: Date,
): Promise<{ endpoints: number; oldest: Date | null }> {
  const row = await one<{ endpoints: bigint; oldest: Date | null }>(
    on,
    sql`select count(*) as endpoints, min(due_at) as oldest from webhooks
      where due_at <= ${at}`,
  )
  return { endpoints: Number(row?.endpoints ?? 0n), oldest: row?.oldest ?? null }
}
