import { expect, test } from 'vitest'
import { until } from '../../../test/until.ts'
import { world } from '../../../test/world.ts'
import { all, sql } from '../../base/db/sql.ts'
import { addSeconds } from '../../base/kernel/clock.ts'
import { dropLeftKeys, takeKey } from './idempotency.ts'

// A claim ends 15 s after its last sign of life, and after a failover each payer waited so long for nobody.
test('the key of a request that failed with the database is free as soon as the database takes writes again', async () => {
  await using w = await world()
  const user = await w.user({ treasury: 5 })
  const { db } = w.services
  const claims = () =>
    all(db.reader, sql`select from idempotency_keys where key = 'k' and status is null`)
  /** Once the key is claimed it takes no writes, as a primary that has handed over, until it is back. */
  let isBack = false
  w.services.db = {
    ...db,
    write: async (work) => {
      const isAway = !isBack && (await claims()).length > 0
      return db.write(async (tx) => {
        if (isAway) await sql`set transaction read only`.execute(tx)
        return work(tx)
      })
    },
  }
  const body = { card_id: (await user.card()).id, amount: 1 }
  const ask = () => user.post('/api/paylinks', body, { headers: { 'idempotency-key': 'k' } })
  const first = await ask()
  expect(first.status, first.text).toBe(503)
  const again = await ask()
  expect(again.status, again.text).toBe(503)
  expect(await claims()).toHaveLength(1)

  isBack = true
  await until(claims, (left) => left.length === 0, { longestMs: 10_000 })
  const third = await ask()
  expect(third.status, third.text).toBe(200)
  expect((await ask()).text).toBe(third.text)
  w.services.db = db
})

test('a left key that another request has claimed since stays with it', async () => {
  await using w = await world()
  const walletAddress = (await w.user()).account.address
  const claim = { walletAddress, key: 'k', route: 'POST /x', requestHash: Buffer.alloc(32) }
  const { answerKey } = w.services
  const madeAt = w.now()
  await w.write((tx) => takeKey(tx, madeAt, claim, answerKey))
  const left = [{ claim, madeAt, failedAt: madeAt }]
  // The claim has ended, and the repetition took it, on whatever machine.
  await w.write((tx) => takeKey(tx, addSeconds(madeAt, 16), claim, answerKey))
  await w.write((tx) => dropLeftKeys(tx, left))
  const claims = () => all(w.db.reader, sql`select from idempotency_keys where key = 'k'`)
  expect(await claims()).toHaveLength(1)
  await w.write((tx) => dropLeftKeys(tx, [{ claim, madeAt, failedAt: addSeconds(madeAt, 16) }]))
  expect(await claims()).toEqual([])
})
