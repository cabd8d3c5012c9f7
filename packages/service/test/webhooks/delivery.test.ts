import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/db/sql.ts'
import { record } from '../../src/events/record.ts'
import { cardUpdated } from '../../src/events/types/cards.ts'
import { newId } from '../../src/kernel/ids.ts'
import { type User, type World, world } from '../world.ts'
import { register } from './kit.ts'
import { receiver } from './receiver.ts'

let w: World
beforeAll(async () => {
  w = await world()
  await prove(w)
})
afterAll(() => w[Symbol.asyncDispose]())

/** This machine has answered before, so that its endpoints are sent to at the full rate. */
const prove = (w: World) =>
  w.write((tx) =>
    sql`insert into webhook_hosts values ('127.0.0.1', ${w.now()}, ${w.now()})`.execute(tx),
  )

/** Records events of one card of the wallet, each in a transaction of its own. */
async function events(user: User, count: number, card = newId('card', w.now())): Promise<string> {
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

const logOf = async (user: User, id: string) =>
  (await user.get(`/api/webhooks/deliveries?webhook_id=${id}`)).body.deliveries

test('events are delivered in order, signed, with the bytes that are kept', async () => {
  await using there = await receiver()
  const user = await w.user()
  const { id, secret } = await register(user, { url: there.url })
  const card = await events(user, 20)
  await w.deliver()
  expect(there.got.map(({ event }) => event.data.changed[0])).toEqual(
    Array.from({ length: 20 }, (_, i) => String(i)),
  )
  const [first] = there.got
  expect(first?.event).toMatchObject({
    type: 'card.updated',
    api_version: '2026-07-16',
    data: { card_id: card },
  })
  expect(first?.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'Purser-Webhooks/0.0.0-test',
    'purser-delivery': `${id}:${first?.event.id}`,
    'purser-attempt': '1',
  })
  expect(first?.headers['purser-redelivery']).toBeUndefined()
  for (const { body, headers, event } of there.got)
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(event)
  const log = await logOf(user, id)
  expect(log).toHaveLength(20)
  for (const row of log)
    expect(row).toMatchObject({ status: 'DELIVERED', attempts: 1, status_code: 200 })
  // Nothing is sent twice.
  await w.deliver()
  expect(there.got).toHaveLength(20)
})
