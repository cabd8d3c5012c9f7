import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  events,
  feedOf,
  logOf,
  prove,
  range,
  statesOf,
} from '../../../../test/webhooks/delivery-kit.ts'
import { register } from '../../../../test/webhooks/kit.ts'
import { receiver } from '../../../../test/webhooks/receiver.ts'
import { type World, world } from '../../../../test/world.ts'

let w: World
beforeAll(async () => {
  w = await world({ settings: { webhooks: { hostRate: 2_000, bodyDays: 30 }, eventDays: 400 } })
  await prove(w)
})
afterAll(() => w[Symbol.asyncDispose]())

const DAY = 86_400

test('bodies are kept for thirty days and events for four hundred; the log stays', async () => {
  await using there = await receiver()
  const user = await w.user()
  const { id } = await register(user, { url: there.url })
  await events(w, user, range(5))
  await w.deliver()
  await w.advance(29 * DAY)
  await w.runJobs()
  expect((await logOf(user, id)).every((row) => row.has_payload)).toBe(true)
  await w.advance(2 * DAY)
  await events(w, user, [5])
  await w.deliver()
  await w.runJobs()
  const log = await logOf(user, id)
  expect(log.map((row) => row.has_payload)).toEqual([...range(5).map(() => false), true])
  expect(await statesOf(user, id)).toEqual({ DELIVERED: 6 })
  const before = await feedOf(user)
  await w.advance(370 * DAY)
  await w.runJobs()
  // Only those of the second day are younger than four hundred days.
  expect(before.length).toBeGreaterThan(6)
  expect((await feedOf(user)).map((event) => event.id)).toEqual([before.at(-1)?.id])
  expect(await logOf(user, id)).toHaveLength(6)
})

test('a delivery whose body is gone before it could be sent ends without an attempt', async () => {
  await using there = await receiver(() => 500)
  const user = await w.user()
  const { id } = await register(user, { url: there.url })
  await events(w, user, [1])
  await w.deliver()
  await w.advance(31 * DAY)
  await w.runJobs()
  await w.deliver()
  expect(await logOf(user, id)).toMatchObject([{ status: 'EXHAUSTED', attempts: 1 }])
  expect(there.got).toHaveLength(1)
})
