import { all, one, type Reader, run, sql, type Tx } from '../../../base/db/sql.ts'
import type { Address } from '../../../base/kernel/assets.ts'
import type { SealedSecrets } from '../secret.ts'
import type { Health } from './schedule.ts'

/** A delivery that is due, with its bytes; null if they are not kept any more. */
export type Due = {
  webhookId: string
  eventId: string
  subject: string
  attempts: number
  /** How many attempts of the schedule have failed. */
  step: number
  body: Buffer | null
}

type Wanted = {
  webhookId: string
  most: number
}

/** The deliveries of these endpoints that are due, in their order, without those that the sender has already. */
export const readDue = (
  on: Reader,
  at: Date,
  of: { wanted: readonly Wanted[]; held: readonly string[] },
): Promise<Due[]> =>
  all<Due>(
    on,
    sql`select d.*, p.body from unnest(${of.wanted.map(({ webhookId }) => webhookId)}::text[],
        ${of.wanted.map(({ most }) => most)}::integer[]) as o (id, most)
      cross join lateral (select webhook_id, event_id, subject, attempts, step, next_at, seq from webhook_deliveries
        where webhook_id = o.id and next_at <= ${at} and (sending_until is null or sending_until < ${at})
          and webhook_id || ':' || event_id <> all(${[...of.held]}::text[])
        order by next_at, seq limit o.most) d
      left join webhook_payloads p on p.event_id = d.event_id
      order by d.webhook_id, d.next_at, d.seq`,
  )

/** The outcome of a delivery. */
export type Ended = {
  webhookId: string
  eventId: string
  status: 'DELIVERED' | 'FAILED' | 'EXHAUSTED'
  /** Updates only if the row is unchanged since this sender read it. */
  attemptsBefore: number
  /** 0 if nothing could be sent. */
  attempted: 0 | 1
  step: number
  nextAt: Date | null
  url: string
  statusCode: number | null
  head: string | null
  error: string | null
}

/**
 * Writes outcomes of attempts down. A failure counts only if nobody else has attempted the delivery since; a success always
 * does, since the endpoint has the event.
 */
export async function saveEnded(tx: Tx, at: Date, ended: readonly Ended[]): Promise<void> {
  const of = <T>(read: (one: Ended) => T): T[] => ended.map(read)
  await sql`update webhook_deliveries d set status = v.status, attempts = d.attempts + v.attempted, step = v.step,
      next_at = v.next_at, url = v.url, status_code = coalesce(v.status_code, d.status_code),
      response_head = v.head, error = v.error, updated_at = ${at}
    from unnest(${of((e) => e.webhookId)}::text[], ${of((e) => e.eventId)}::text[], ${of((e) => e.status)}::text[],
      ${of((e) => e.attemptsBefore)}::integer[], ${of((e) => e.attempted)}::integer[], ${of((e) => e.step)}::smallint[],
      ${of((e) => e.nextAt)}::timestamptz[], ${of((e) => e.url)}::text[], ${of((e) => e.statusCode)}::smallint[],
      ${of((e) => e.head)}::text[], ${of((e) => e.error)}::text[])
      as v (webhook_id, event_id, status, attempts_before, attempted, step, next_at, url, status_code, head, error)
    where d.webhook_id = v.webhook_id and d.event_id = v.event_id and d.status <> 'DELIVERED'
      and (v.status = 'DELIVERED' or d.status in ('PENDING', 'FAILED') and d.attempts = v.attempts_before)`.execute(
    tx,
  )
}

/** The part of an endpoint that outcomes change. */
export type EndpointState = Health & {
  id: string
  walletAddress: Address
  url: string
  status: 'ACTIVE' | 'DISABLED'
}

/** Locks endpoints before their deliveries, as everybody does. */
export const lockEndpoints = (tx: Tx, ids: readonly string[]): Promise<EndpointState[]> =>
  all<EndpointState>(
    tx,
    sql`select id, wallet_address, url, status, failures, failing_since, breaker_step, breaker_until from webhooks
      where id = any(${[...ids]}::text[]) order by id for no key update`,
  )

export async function saveHealth(tx: Tx, states: readonly EndpointState[]): Promise<void> {
  if (states.length === 0) return
  const of = <T>(read: (one: EndpointState) => T): T[] => states.map(read)
  await sql`update webhooks w set failures = v.failures, failing_since = v.failing_since, breaker_step = v.breaker_step,
      breaker_until = v.breaker_until
    from unnest(${of((s) => s.id)}::text[], ${of((s) => s.failures)}::integer[], ${of((s) => s.failingSince)}::timestamptz[],
      ${of((s) => s.breakerStep)}::smallint[], ${of((s) => s.breakerUntil)}::timestamptz[])
      as v (id, failures, failing_since, breaker_step, breaker_until)
    where w.id = v.id`.execute(tx)
}

/** Sends nothing to these any more. They become due, so that what waits for them is ended. */
export async function disableEndpoints(
  tx: Tx,
  at: Date,
  disabled: readonly { id: string; reason: 'owner' | 'gone' | 'failing' }[],
): Promise<void> {
  await sql`update webhooks w set status = 'DISABLED', disabled_reason = v.reason, disabled_at = ${at}, due_at = ${at}
    from unnest(${disabled.map(({ id }) => id)}::text[], ${disabled.map(({ reason }) => reason)}::text[]) as v (id, reason)
    where w.id = v.id and w.status = 'ACTIVE'`.execute(tx)
}

/** Ends deliveries that wait for a disabled endpoint, at most so many; returns how many there were. */
export const exhaustWaiting = (
  tx: Tx,
  at: Date,
  { webhookId, most }: { webhookId: string; most: number },
): Promise<number> =>
  run(
    tx,
    sql`update webhook_deliveries d set status = 'EXHAUSTED', next_at = null, updated_at = ${at}
      from (select webhook_id, event_id from webhook_deliveries where webhook_id = ${webhookId} and next_at is not null
        and exists (select from webhooks where id = ${webhookId} and status = 'DISABLED') limit ${most}) one
      where d.webhook_id = one.webhook_id and d.event_id = one.event_id`,
  )

/** How many deliveries there are in each state. */
export const countByStatus = (on: Reader): Promise<{ status: string; count: bigint }[]> =>
  all(on, sql`select status, sum(count)::bigint as count from webhook_tallies group by status`)

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
    where abs(extract(epoch from now() - seen_at)) > ${DEAD_SECONDS} for update skip locked)`.execute(
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
