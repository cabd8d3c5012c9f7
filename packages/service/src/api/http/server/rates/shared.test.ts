import { expect, test } from 'vitest'
import { until } from '../../../../../test/until.ts'
import { world } from '../../../../../test/world.ts'
import { all, sql } from '../../../../base/db/sql.ts'
import { openSharedRates } from './shared.ts'

const LIMIT = 30
const HERE = 15

test('a wallet has one limit over all machines, and another wallet its own', async () => {
  await using w = await world({ settings: { rateLimitPerMinute: LIMIT } })
  const user = await w.user()
  const other = await w.user()
  await using there = await w.machine()
  const call = (on: typeof w, key: string) => on.call('GET', '/api/cards', undefined, { key })
  const ask = async (on: typeof w, key: string) => (await call(on, key)).status
  for (let n = 0; n < HERE; n++) expect(await ask(w, user.key)).toBe(200)
  // The second machine learns within moments how many are left, says so, and refuses what is too much.
  const left: number[] = []
  const refused = await until(
    async () => {
      const answer = await call(there, user.key)
      left.push(Number(answer.headers['ratelimit-remaining']))
      return answer
    },
    ({ status }) => expect(status).toBe(429),
    { everyMs: 200 },
  )
  expect(refused.headers['ratelimit-remaining']).toBe('0')
  expect(left.some((n, i) => n > 0 && n <= LIMIT - HERE - (i + 1))).toBe(true)
  expect(await ask(there, other.key)).toBe(200)
})

test('each process learns what the others counted within the last minute, and old counts go', async () => {
  await using w = await world()
  const [one, two] = [openSharedRates(w.services), openSharedRates(w.services)]
  for (let n = 0; n < 8; n++) one.take('all w', 100)
  await one.flush()
  two.take('all w', 100)
  await two.flush()
  expect([two.take('all w', 10), two.take('all w', 8), two.take('all w', 7)]).toEqual([2, 0, -1])
  // Others that are asked for meanwhile change nothing of it.
  two.take('all x', 100)
  await two.flush()
  two.take('all x', 100)
  await two.flush()
  expect(two.take('all w', 7)).toBe(-1)
  await two.flush()
  await w.advance(61)
  two.take('all w', 100)
  await two.flush()
  expect(two.take('all w', 0)).toBe(0)
  await two.flush()
  await w.advance(600)
  two.take('all x', 100)
  await two.flush()
  const kept = await all(w.db.reader, sql<{ name: string }>`select name from rate_counts`)
  expect(kept.map(({ name }) => name)).not.toContain('all w')
})
