import { record } from '../../src/api/events/record.ts'
import { cardUpdated } from '../../src/api/events/types/cards.ts'
import { sql } from '../../src/base/db/sql.ts'
import { newId } from '../../src/base/kernel/ids.ts'
import type { User, World } from '../world.ts'

/** This machine has answered before, so that its endpoints are sent to at the full rate. */
export const prove = (w: World) =>
  w.write((tx) =>
    sql`insert into webhook_hosts values ('127.0.0.1', ${w.now()}, ${w.now()})
      on conflict (name) do update set proven_at = excluded.proven_at, next_at = excluded.next_at`.execute(
      tx,
    ),
  )

/** Records events of one card of the wallet, each in a transaction of its own, numbered. Returns the card. */
export async function events(w: World, user: User, numbers: number[]): Promise<string> {
  const card = newId('card', w.now())
  for (const number of numbers) await recordOne(w, user, { card, number })
  return card
}

export const recordOne = (w: World, user: User, of: { card: string; number: number }) =>
  w.write((tx) =>
    record(tx, w.now(), [
      cardUpdated.of({
        walletAddress: user.wallet,
        data: { card_id: of.card, changed: [String(of.number)] },
      }),
    ]),
  )

export const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i)

type Row = {
  status: string
  attempts: number
  status_code: number | null
  event_id: string
  has_payload: boolean
}
/** The log of a webhook, oldest first. */
export async function logOf(user: User, id: string): Promise<Row[]> {
  const rows: Row[] = []
  for (let page = 1; ; page++) {
    const { body } = await user.get(
      `/api/webhooks/deliveries?webhook_id=${id}&limit=100&page=${page}`,
    )
    rows.push(...body.deliveries)
    if (page >= body.pages) return rows.reverse()
  }
}

/** How many deliveries of the webhook are in each state. */
export async function statesOf(user: User, id: string): Promise<Record<string, number>> {
  const states: Record<string, number> = {}
  for (const { status } of await logOf(user, id)) states[status] = (states[status] ?? 0) + 1
  return states
}

export const webhookOf = async (user: User, id: string) =>
  (await user.get('/api/webhooks')).body.webhooks.find((one: { id: string }) => one.id === id)

/** Ids of all events of the wallet, from its feed. */
export async function feedOf(
  user: User,
): Promise<{ id: string; type: string; subject?: string }[]> {
  const events = []
  for (let after = ''; ; ) {
    const { body } = await user.get(`/api/events?limit=100${after && `&after=${after}`}`)
    events.push(...body.events)
    if (!body.has_more) return events
    after = body.events.at(-1).id
  }
}
