import { expect, test } from 'vitest'
import { world } from '../../../../test/world.ts'
import { sql } from '../../../base/db/sql.ts'
import { checkBooksApart, restingFor } from './check-books.ts'

test('the books are checked in a process of its own, and its faults come back', async () => {
  await using w = await world()
  await (await w.user()).card()
  const { databaseUrl } = w
  const check = () =>
    checkBooksApart({ databaseUrl, keys: w.services.checkpointKeys, env: process.env })
  expect(await check()).toEqual([])
  await w.db.write(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`update cards set spent = 5`.execute(tx)
  })
  expect(await check()).toEqual([
    expect.objectContaining({ check: 'counters', fault: expect.stringMatching(/shows 5 spent/) }),
  ])
})

test('a check that is stopped halfway is an error, not books in order', async () => {
  await using w = await world()
  const stopping = new AbortController()
  const checked = checkBooksApart({
    databaseUrl: w.databaseUrl,
    keys: w.services.checkpointKeys,
    env: process.env,
    signal: stopping.signal,
  })
  stopping.abort()
  await expect(checked).rejects.toThrow('the other process has ended')
})

test('the check works a part of the time, and a smaller one beside payments', async () => {
  const rested = async (isBusy: boolean) => {
    const rest = restingFor({ idle: 0.5, busy: 0.1 }, async () => isBusy)
    const startedAt = performance.now()
    while (performance.now() - startedAt < 20);
    const workedAt = performance.now()
    await rest()
    return (performance.now() - workedAt) / (workedAt - startedAt)
  }
  expect(await rested(false)).toBeGreaterThan(0.9)
  expect(await rested(true)).toBeGreaterThan(8.5)
})
