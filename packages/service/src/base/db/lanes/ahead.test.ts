import { expect, test } from 'vitest'
import { pause, until } from '../../../../test/until.ts'
import { freshDatabase } from '../../../../test/world/postgres.ts'
import { all, isLost, openDb, run, send, sql } from '../sql.ts'
import type { Ahead, Planned } from './ahead.ts'
import { createLanes, type Lane } from './lane.ts'

type Add = { id: string; by: number }
type Row = { id: string; n: number }

/** Deferred to the commit: so a batch may fail, or take long, once all of its statements are answered. */
const SCHEMA = `
  create table counters (id text primary key, n integer not null);
  create table added (counter text not null, delta integer not null, n integer not null);
  insert into counters values ('a', 0), ('b', 0), ('c', 0);
  create function at_commit() returns trigger language plpgsql as $$
  begin
    if new.delta = 13 then
      perform pg_sleep(0.3);
      raise exception 'thirteen' using errcode = 'check_violation';
    end if;
    if new.delta = 99 then perform pg_sleep(0.5); end if;
    if new.delta = 98 then perform pg_sleep(60); end if;
    return null;
  end $$;
  create constraint trigger at_commit after insert on added deferrable initially deferred
    for each row execute function at_commit()`

/** Counters that intents add to. Each answers the counter's new value. `hooks.write` runs among the statements sent. */
async function counters() {
  const database = await freshDatabase()
  const db = openDb(database.url, 4)
  await sql.raw(SCHEMA).execute(db.reader)
  const seen = { planned: [] as number[], ran: [] as number[], reads: 0 }
  const hooks = { write: (_by: number[]): void => undefined }

  const lane: Lane<Add, number> = {
    name: 'add',
    async run(tx, _, intents) {
      seen.ran.push(intents.length)
      const ids = intents.map(({ id }) => id)
      const rows = await all<Row>(
        tx,
        sql`select id, n from counters where id = any(${ids}::text[]) order by id for update`,
      )
      const now = new Map(rows.map(({ id, n }) => [id, n]))
      const outcomes = intents.map(({ id, by }) => {
        if (by === 13) throw new Error('thirteen is refused')
        now.set(id, (now.get(id) ?? 0) + by)
        return now.get(id) as number
      })
      for (const [i, { id, by }] of intents.entries()) {
        await sql`update counters set n = n + ${by}::integer where id = ${id}`.execute(tx)
        await sql`insert into added values (${id}, ${by}, ${outcomes[i]})`.execute(tx)
      }
      return outcomes
    },
    createAhead(): Ahead<Add, number> {
      const shelf = new Map<string, number>()
      return {
        plan(_, intents) {
          const before = new Map(shelf)
          const taken: (Add & { n: number })[] = []
          const planned = intents.map(({ id, by }): Planned<number> => {
            const n = shelf.get(id)
            if (n === undefined) return { kind: 'unread' }
            if (by < 0) return { kind: 'unsure' }
            shelf.set(id, n + by)
            taken.push({ id, by, n: n + by })
            return { kind: 'decided', outcome: n + by }
          })
          seen.planned.push(taken.length)
          return {
            planned,
            write(tx) {
              const ids = [...new Set(taken.map(({ id }) => id))].sort()
              hooks.write(taken.map(({ by }) => by))
              send(
                tx,
                sql`with counted as (update counters c set n = v.n
                  from unnest(${ids}::text[], ${ids.map((id) => shelf.get(id))}::integer[],
                    ${ids.map((id) => before.get(id))}::integer[]) as v (id, n, was)
                  where c.id = v.id and c.n = v.was returning 1)
                  select refuse_stale((select count(*) from counted) <> ${ids.length}::bigint)`,
              )
              send(
                tx,
                sql`insert into added select * from unnest(${taken.map(({ id }) => id)}::text[],
                  ${taken.map(({ by }) => by)}::integer[], ${taken.map(({ n }) => n)}::integer[])`,
              )
              if (taken.some(({ by }) => by === 77)) send(tx, sql`select pg_sleep(60)`)
            },
          }
        },
        async read(on, intents) {
          seen.reads++
          const ids = intents.map(({ id }) => id)
          const rows = await all<Row>(
            on.reader,
            sql`select id, n from counters where id = any(${ids}::text[])`,
          )
          for (const { id, n } of rows) if (!shelf.has(id)) shelf.set(id, n)
        },
        forget(intents) {
          if (!intents) shelf.clear()
          else for (const { id } of intents) shelf.delete(id)
        },
      }
    },
  }
  const lanes = createLanes<number>({
    db,
    now: () => new Date(),
    async record(tx, _, notes) {
      const taken = await run(tx, sql`update counters set n = n where id = 'c' and n = ${notes[0]}`)
      if (taken !== 1) throw new Error('the key was taken over')
    },
    recordStatement: (notes) =>
      sql`select refuse_stale((select n from counters where id = 'c') <> ${notes[0]}::integer)`,
  })
  return {
    db,
    seen,
    hooks,
    add: (id: string, by: number, note?: (n: number) => number) =>
      lanes.submit(lane, { id, by }, note),
    /** Has every counter read and remembered. */
    async warm() {
      await Promise.all(['a', 'b', 'c'].map((id) => lanes.submit(lane, { id, by: 0 })))
      seen.planned.length = 0
      seen.reads = 0
    },
    /** Every addition in the database, in order, and whether the counters are their sums. */
    async books() {
      const rows = await all<{ id: string; n: number; sum: number; count: number }>(
        db.reader,
        sql`select c.id, c.n, coalesce(sum(a.delta), 0)::integer as sum, count(a.delta)::integer as count
          from counters c left join added a on a.counter = c.id group by c.id order by c.id`,
      )
      for (const { n, sum } of rows) expect(n).toBe(sum)
      return Object.fromEntries(rows.map(({ id, n }) => [id, n]))
    },
    /** Ends the connection that the lane holds, once it is in `state`. */
    async cut(state: 'idle' | 'active', query: string) {
      const cut = sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and state = ${state} and query ilike ${query}`
      await until(
        () => all(db.reader, cut),
        ({ length }) => length > 0,
        { everyMs: 10 },
      )
    },
    async [Symbol.asyncDispose]() {
      await db.close()
      await database.drop()
    },
  }
}

const turns = async (count: number) => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve))
}

test('once rows are remembered, every batch is planned on what the last one sent leaves', async () => {
  await using w = await counters()
  await w.warm()
  const outcomes: Promise<number>[] = []
  for (let i = 0; i < 600; i++) {
    outcomes.push(w.add('a', 1))
    if (i % 20 === 0) await turns(5)
  }
  expect(await Promise.all(outcomes)).toEqual(Array.from({ length: 600 }, (_, i) => i + 1))
  expect(w.seen.reads).toBe(0)
  expect(w.seen.ran).toEqual([])
  expect(w.seen.planned.length).toBeGreaterThan(3)
  expect(await w.books()).toEqual({ a: 600, b: 0, c: 0 })
})

test('a batch that fails at its commit takes the one in flight behind it along, and both are decided again', async () => {
  await using w = await counters()
  await w.warm()
  const poison = w.add('a', 13).catch((error: Error) => error.message)
  const good = w.add('a', 2)
  await turns(2)
  // Sent behind the commit that fails; neither compares a row that the failed batch changed.
  const behind = w.add('b', 5)
  const alsoBehind = w.add('a', 3)
  expect(w.seen.planned).toEqual([2])
  expect(await poison).toBe('thirteen is refused')
  expect(w.seen.planned).toEqual([2, 2])
  expect(await Promise.all([good, behind, alsoBehind])).toEqual([2, 5, 5])
  expect(await w.books()).toEqual({ a: 5, b: 5, c: 0 })
})

test('a row that was changed elsewhere is never overwritten', async () => {
  await using w = await counters()
  await w.warm()
  await sql`with other as (insert into added values ('a', 100, 100)) update counters set n = 100 where id = 'a'`.execute(
    w.db.reader,
  )
  expect(await Promise.all([w.add('a', 1), w.add('b', 1)])).toEqual([101, 1])
  expect(w.seen.ran).toEqual([2])
  expect(await w.add('a', 1)).toBe(102)
  expect(await w.books()).toEqual({ a: 102, b: 1, c: 0 })
})

test('an intent that the memory cannot decide is decided on rows that are read, behind all that was sent', async () => {
  await using w = await counters()
  await w.warm()
  const asked = [w.add('a', 5), w.add('a', -2), w.add('a', 1)]
  expect(await Promise.all(asked)).toEqual([5, 4, 6])
  expect(w.seen.ran).toEqual([1])
  expect(await w.add('a', 1)).toBe(5)
  expect(await w.books()).toEqual({ a: 5, b: 0, c: 0 })
})

test('an intent whose row does not exist is left to the ordinary way', async () => {
  await using w = await counters()
  await expect(w.add('nobody', 1)).resolves.toBe(1)
  expect(w.seen.ran).toEqual([1])
})

test('work that throws among its statements is rolled back, and its intents are decided again', async () => {
  await using w = await counters()
  await w.warm()
  let throws = 1
  w.hooks.write = () => {
    if (throws-- > 0) throw new Error('half of it was sent')
  }
  const [first, behind] = [w.add('a', 1), w.add('b', 1)]
  await turns(2)
  const later = w.add('a', 1)
  expect(await Promise.all([first, behind, later])).toEqual([1, 1, 2])
  expect(w.seen.ran[0]).toBeGreaterThanOrEqual(2)
  expect(await w.books()).toEqual({ a: 2, b: 1, c: 0 })
})

test('a connection that is lost while idle is replaced, and no caller hears of it', async () => {
  await using w = await counters()
  await w.warm()
  await w.cut('idle', 'commit')
  await pause(50)
  expect(await w.add('a', 1)).toBe(1)
  expect(await w.books()).toEqual({ a: 1, b: 0, c: 0 })
})

test.each([
  { stage: 'among its statements', slow: 77, query: '%pg_sleep%' },
  { stage: 'at its commit, with the next batch behind it', slow: 98, query: 'commit' },
])(
  'a connection lost $stage fails all that is in flight, and nothing is done twice',
  async ({ slow, query }) => {
    await using w = await counters()
    await w.warm()
    const inFlight = [w.add('a', slow)]
    await turns(2)
    await pause(100)
    inFlight.push(w.add('b', 1))
    await turns(2)
    const settled = Promise.allSettled(inFlight)
    await w.cut('active', query)
    const [first, behind] = await settled
    expect(first?.status).toBe('rejected')
    expect(isLost((first as PromiseRejectedResult).reason)).toBe(true)
    // Not sent yet among statements: it is decided on another connection. Sent behind the commit: it is lost too.
    if (slow === 77) expect(behind).toEqual({ status: 'fulfilled', value: 1 })
    else expect(isLost((behind as PromiseRejectedResult).reason)).toBe(true)
    expect(await w.add('c', 4)).toBe(4)
    expect(await w.books()).toEqual({ a: 0, b: slow === 77 ? 1 : 0, c: 4 })
  },
)

test('closing waits for the batches in flight, which are answered, and for no idle connection', async () => {
  await using w = await counters()
  await w.warm()
  const inFlight = [w.add('a', 99)]
  await turns(2)
  await pause(100)
  inFlight.push(w.add('b', 1))
  await turns(2)
  const closing = w.db.close()
  expect(await Promise.all(inFlight)).toEqual([99, 1])
  await closing
  await expect(w.add('a', 1)).rejects.toThrow()
})

test('the stored answer of a keyed request is sent with its batch; a key taken over is refused as ever', async () => {
  await using w = await counters()
  await w.warm()
  await w.add('c', 4)
  expect(await w.add('a', 1, () => 4)).toBe(1)
  expect(w.seen.ran).toEqual([])
  await expect(w.add('a', 1, () => 5)).rejects.toThrow('the key was taken over')
  expect(await w.books()).toEqual({ a: 1, b: 0, c: 4 })
})
