import { expect, test } from 'vitest'
import { freshDatabase } from '../../../../test/world/postgres.ts'
import { Problem } from '../../kernel/problem.ts'
import { mayDecideUnlocked, openDb, send, sql } from '../sql.ts'
import { createLanes, type Lane, WAITING_MAX } from './lane.ts'

async function lanesOn(setUp: string) {
  const database = await freshDatabase()
  const db = openDb(database.url, 4)
  const batches: number[] = []
  await sql.raw(setUp).execute(db.reader)
  const lanes = createLanes({
    db,
    now: () => new Date(),
    record: async () => undefined,
  })
  return {
    url: database.url,
    db,
    lanes,
    batches,
    async [Symbol.asyncDispose]() {
      await db.close()
      await database.drop()
    },
  }
}

const NUMBERS = 'create table numbers (n integer primary key check (n <> 13))'

const keep = (batches: number[]): Lane<number, number> => ({
  name: 'keep',
  run: async (tx, _, numbers) => {
    batches.push(numbers.length)
    send(tx, sql`insert into numbers select * from unnest(${numbers}::integer[])`)
    return numbers
  },
})

test('intents that arrive together share a transaction, and one that fails does not fail the others', async () => {
  await using w = await lanesOn(NUMBERS)
  const lane = keep(w.batches)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, (_, n) => w.lanes.submit(lane, n)),
  )
  expect(w.batches[0]).toBe(40)
  expect(outcomes.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))).toEqual([13])
  const { rows } = await sql<{ n: number }>`select n from numbers order by n`.execute(w.db.reader)
  expect(rows.map(({ n }) => n)).toEqual(
    Array.from({ length: 40 }, (_, n) => n).filter((n) => n !== 13),
  )
})

test('a full queue refuses at once, says when to retry, and still does what it has accepted', async () => {
  await using w = await lanesOn(NUMBERS)
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const lane: Lane<number, number> = {
    name: 'slow',
    run: async (_, __, numbers) => {
      w.batches.push(numbers.length)
      await gate
      return numbers
    },
  }
  const first = w.lanes.submit(lane, 0)
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  const waiting = Array.from({ length: WAITING_MAX }, (_, n) => w.lanes.submit(lane, n + 1))
  const refused = await w.lanes.submit(lane, -1).catch((error) => error)
  expect(refused).toBeInstanceOf(Problem)
  expect(refused).toMatchObject({
    code: 'overloaded',
    status: 503,
    headers: { 'retry-after': '1' },
  })
  open()
  expect([await first, ...(await Promise.all(waiting))]).toHaveLength(WAITING_MAX + 1)
  expect(Math.max(...w.batches)).toBeLessThanOrEqual(256)
})

test('a decision on rows that have changed is made again, on locked rows', async () => {
  await using w =
    await lanesOn(`create table pots (id integer primary key, held integer not null check (held >= 0));
    insert into pots values (1, 10)`)
  const seen: boolean[] = []
  const other = openDb(w.url, 1)
  const takeSix = () =>
    w.db.write(async (tx) => {
      const isLocked = !mayDecideUnlocked(tx)
      seen.push(isLocked)
      const lock = isLocked ? sql`for update` : sql``
      const { rows } = await sql<{
        held: number
      }>`select held from pots where id = 1 ${lock}`.execute(tx)
      const held = rows[0]?.held ?? 0
      // Another transaction is quicker, once.
      if (!isLocked) await sql`update pots set held = held - 6 where id = 1`.execute(other.reader)
      if (held < 6) return 'too little'
      send(tx, sql`update pots set held = held - 6 where id = 1`)
      return 'taken'
    })
  expect(await takeSix()).toBe('too little')
  expect(seen).toEqual([false, true])
  await other.close()
})

test('the error of the first failed statement is reported', async () => {
  await using w = await lanesOn(NUMBERS)
  const failing = w.db.write(async (tx) => {
    send(tx, sql`insert into numbers values (13)`)
    send(tx, sql`insert into numbers values (1)`)
    send(tx, sql`insert into numbers values (2)`)
  })
  await expect(failing).rejects.toMatchObject({ code: '23514' })
  const { rows } = await sql`select n from numbers`.execute(w.db.reader)
  expect(rows).toEqual([])
})

test('a failed transaction leaves no statement in flight', async () => {
  await using w = await lanesOn(NUMBERS)
  const late = sql`insert into numbers values (7)`
  let straggler: Promise<unknown> = Promise.resolve()
  const failing = w.db.write(async (tx) => {
    straggler = sql`select pg_sleep(0.05)`.execute(tx).then(() => late.execute(tx))
    straggler.catch(() => undefined)
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  await expect(straggler).rejects.toThrow('after its transaction had ended')
  const { rows } = await sql`select n from numbers`.execute(w.db.reader)
  expect(rows).toEqual([])
})
