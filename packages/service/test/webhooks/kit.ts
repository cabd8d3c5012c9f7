import { record } from '../../src/api/events/record.ts'
import { cardUpdated } from '../../src/api/events/types/cards.ts'
import { liveSecrets, type SealedSecrets } from '../../src/api/webhooks/secret.ts'
import { one, sql } from '../../src/base/db/sql.ts'
import { newId } from '../../src/base/kernel/ids.ts'
import type { User, World } from '../world.ts'

/** Nobody listens there. */
export const ENDPOINT = 'http://127.0.0.1:9/hook'

/** Registers an endpoint of the wallet. */
export async function register(user: User, body: object = {}) {
  const made = await user.post('/api/webhooks', { url: ENDPOINT, ...body })
  if (made.status !== 200) throw new Error(made.text)
  return made.body as { id: string; url: string; secret: string; created_at: string }
}

export const patch = (user: User, id: string, body: object) =>
  user.send('PATCH', `/api/webhooks/${id}`, body)

/** The secrets that sign now, as the service reads them. */
export async function secretsOf(w: World, id: string): Promise<string[]> {
  const row = await one<SealedSecrets>(
    w.db.reader,
    sql`select id, secret, previous_secret, previous_until from webhooks where id = ${id}`,
  )
  if (!row) throw new Error('there is no such webhook')
  return liveSecrets(w.services.sealKey, w.now(), row)
}

/** A delivery without a payload in the state that is named. */
export async function insertDelivery(
  w: World,
  user: User,
  of: { webhookId: string; status?: string },
): Promise<string> {
  const { webhookId, status = 'PENDING' } = of
  const eventId = newId('evt', w.now())
  const nextAt = status === 'PENDING' || status === 'FAILED' ? w.now() : null
  await w.write((tx) =>
    sql`insert into webhook_deliveries (webhook_id, event_id, wallet_address, seq, subject, status, url, next_at,
        created_at, updated_at)
      values (${webhookId}, ${eventId}, ${user.wallet}, 1, 'x', ${status}, ${ENDPOINT}, ${nextAt}, ${w.now()},
        ${w.now()})`.execute(tx),
  )
  return `${webhookId}:${eventId}`
}

/** This machine has answered before, so that endpoints on it are sent to at the full rate. */
export const prove = (w: World) =>
  w.write((tx) =>
    sql`insert into webhook_hosts values ('127.0.0.1', ${w.now()}, ${w.now()})
      on conflict (name) do update set proven_at = excluded.proven_at, next_at = excluded.next_at`.execute(
      tx,
    ),
  )

/** Records events of one card of the wallet, each in a transaction of its own; returns the card's id. */
export async function recordEvents(
  w: World,
  user: User,
  count: number,
  card = newId('card', w.now()),
): Promise<string> {
  for (let i = 0; i < count; i++)
    await w.write((tx) =>
      record(tx, w.now(), [
        cardUpdated.of({
          walletAddress: user.wallet,
          data: { card_id: card, changed: [String(i)] },
        }),
      ]),
    )
  return card
}
