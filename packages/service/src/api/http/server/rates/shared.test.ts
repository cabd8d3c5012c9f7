import { expect, test } from 'vitest'
import { until } from '../../../../../test/until.ts'
import { world } from '../../../../../test/world.ts'
import { all, sql } from '../../../../base/db/sql.ts'
import { openSharedRates } from './shared.ts'

const LIMIT = 30

test('a wallet has one limit over all machines, and another wallet its own', async () => {
  await using w = await world({ settings: { rateLimitPerMinute: LIMIT } })
  const user = await w.user()
  const other = await w.user()
  await using there = await w.machine()
  const ask = async (on: typeof w, key: string) =>
    (await on.call('GET', '/api/cards', undefined, { key })).status
  for (let n = 0; n < LIMIT - 5; n++) expect(await ask(w, user.key)).toBe(200)
  // The second machine learns within moments that five are left.
  await until(
    () => ask(there, user.key),
    (status) => expect(status).toBe(429),
  )
  expect(await ask(there, other.key)).toBe(200)
})

test('each process learns what the others counted within the last minute, and old counts go', async () => {
  await using w = await world()
  const [one, two] = [openSharedRates(w.services), openSharedRates(w.services)]
  for (let n = 0; n < 8; n++) one.hasRoom('all w', 100)
  await one.flush()
  two.hasRoom('all w', 100)
  await two.flush()
  expect([two.hasRoom('all w', 8), two.hasRoom('all w', 7)]).toEqual([true, false])
  // Others that are asked for meanwhile change nothing of it.
  two.hasRoom('all x', 100)
  await two.flush()
  two.hasRoom('all x', 100)
  await two.flush()
  expect(two.hasRoom('all w', 7)).toBe(false)
  await two.flush()
  await w.advance(61)
  two.hasRoom('all w', 100)
  await two.flush()
  expect(two.hasRoom('all w', 0)).toBe(true)
  await two.flush()
  await w.advance(600)
  two.hasRoom('all x', 100)
  await two.flush()
  const kept = await all(w.db.reader, sql<{ name: string }>`select name from rate_counts`)
  expect(kept.map(({ name }) => name)).not.toContain('all w')
})
