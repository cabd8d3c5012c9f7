import { expect, test } from 'vitest'
import { pause, until } from '../../../../test/until.ts'
import { freshDatabase } from '../../../../test/world/postgres.ts'
import { all, isLost, openDb, run, send, sql } from '../sql.ts'
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
    if new.delta = 99 then perform pg_advisory_xact_lock(99); end if;
    if new.delta = 98 then perform pg_sleep(60); end if;
    return null;
  end $$;
  create constraint trigger at_commit after insert on added deferrable initially deferred
    for each row execute function at_commit()`

/** Counters that intents add to. Each answers the counter's new value, by a row that was read without a lock. */
async function counters() {
  const database = await freshDatabase()
  const db = openDb(database.url, 4)
  // Looks on without taking a connection of the pool.
  const watch = openDb(database.url, 1)
  await sql.raw(SCHEMA).execute(db.reader)
  const ran: string[] = []
  const hooks = { write: async (_intents: Add[]): Promise<string | undefined> => undefined }

  const lane: Lane<Add, number> = {
    name: 'add',
    async run(tx, _, intents) {
      ran.push(intents.map(({ id, by }) => id + by).join(' '))
      const ids = intents.map(({ id }) => id)
      const rows = await all<Row>(
        tx,
        sql`select id, n from counters where id = any(${ids}::text[])`,
      )
      const now = new Map(rows.map(({ id, n }) => [id, n]))
      const outcomes = intents.map(({ id, by }) => {
        now.set(id, (now.get(id) ?? 0) + by)
        return now.get(id) as number
      })
      for (const [i, { id, by }] of intents.entries()) {
        send(tx, sql`update counters set n = n + ${by}::integer where id = ${id}`)
        send(tx, sql`insert into added values (${id}, ${by}::integer, ${outcomes[i]}::integer)`)
      }
      const slow = await hooks.write(intents)
      if (slow) send(tx, sql.raw(slow))
      return outcomes
    },
  }
  const lanes = createLanes<number>({
    db,
    now: () => new Date(),
    async record(tx, _, notes) {
      const taken = await run(tx, sql`update counters set n = n where id = 'c' and n = ${notes[0]}`)
      if (taken !== 1) throw new Error('the key was taken over')
    },
  })
  return {
    db,
    watch,
    ran,
    hooks,
    add: (id: string, by: number, note?: (n: number) => number) =>
      lanes.submit(lane, { id, by }, note),
    /** Every counter, which must be the sum of what was added. */
    async books() {
      const rows = await all<{ id: string; n: number; sum: number }>(
        watch.reader,
        sql`select c.id, c.n, coalesce(sum(a.delta), 0)::integer as sum
          from counters c left join added a on a.counter = c.id group by c.id order by c.id`,
      )
      for (const { n, sum } of rows) expect(n).toBe(sum)
      return Object.fromEntries(rows.map(({ id, n }) => [id, n]))
    },
    /** Waits until the server runs such a statement, and ends its connection if asked to. */
    async whileRuns(query: string, { cut = false, state = 'active' } = {}) {
      const end = cut ? sql`pg_terminate_backend(pid, 5000)` : sql`pid`
      await until(
        () =>
          all(
            watch.reader,
            sql`select ${end} from pg_stat_activity where datname = current_database()
              and pid <> pg_backend_pid() and state = ${state} and query ilike ${query}`,
          ),
        (found) => found.length > 0,
        { everyMs: 10 },
      )
    },
    /** Keeps a commit of 99 waiting until the result is called. */
    async holdCommit() {
      await sql`select pg_advisory_lock(99)`.execute(watch.reader)
      return () => sql`select pg_advisory_unlock(99)`.execute(watch.reader)
    },
    async [Symbol.asyncDispose]() {
      await watch.close()
      await db.close()
      await database.drop()
    },
  }
}

/** Until a batch begins of these intents. */
const begun = (ran: readonly string[], batch: string) =>
  until(
    () => ran,
    () => ran.includes(batch),
    { everyMs: 1 },
  )

test('the next batch begins while the last one commits, and sees what that wrote', async () => {
  await using w = await counters()
  const letCommit = await w.holdCommit()
  const first = w.add('a', 99)
  let isFirstDone = false
  void first.then(() => {
    isFirstDone = true
  })
  await w.whileRuns('commit')
  const second = w.add('a', 1)
  await begun(w.ran, 'a1')
  expect(isFirstDone).toBe(false)
  await letCommit()
  expect(await Promise.all([first, second])).toEqual([99, 100])
  const { rows } = await sql<{
    n: bigint
  }>`select count(*) as n from pg_stat_activity where datname = current_database()
    and pid <> pg_backend_pid() and query ilike 'commit'`.execute(w.watch.reader)
  expect(rows[0]?.n).toBe(1n)
  expect(await w.books()).toEqual({ a: 100, b: 0, c: 0 })
})

test('no intent is lost or taken twice over many batches, and each sees those before it', async () => {
  await using w = await counters()
  const outcomes: Promise<number>[] = []
  for (let i = 0; i < 600; i++) {
    outcomes.push(w.add('a', 1))
    if (i % 20 === 0) await pause(1)
  }
  expect(await Promise.all(outcomes)).toEqual(Array.from({ length: 600 }, (_, i) => i + 1))
  expect(w.ran.length).toBeGreaterThan(3)
  expect(await w.books()).toEqual({ a: 600, b: 0, c: 0 })
})

test('a batch that fails at its commit is decided again, and the one behind it stands', async () => {
  await using w = await counters()
  const poison = w.add('a', 13).catch((error: Error) => error.message)
  const good = w.add('a', 2)
  await w.whileRuns('commit')
  const behind = w.add('b', 5)
  await begun(w.ran, 'b5')
  expect(await poison).toBe('thirteen')
  expect(await Promise.all([good, behind])).toEqual([2, 5])
  expect(w.ran.filter((batch) => batch === 'b5')).toHaveLength(1)
  expect(await w.books()).toEqual({ a: 2, b: 5, c: 0 })
})

test('a connection that is lost while idle is replaced, and no caller hears of it', async () => {
  await using w = await counters()
  expect(await w.add('a', 1)).toBe(1)
  await w.whileRuns('commit', { cut: true, state: 'idle' })
  expect(await w.add('a', 1)).toBe(2)
  expect(await w.books()).toEqual({ a: 2, b: 0, c: 0 })
})

test('a connection that is lost among statements fails its batch, and the next has another', async () => {
  await using w = await counters()
  w.hooks.write = async () => {
    w.hooks.write = async () => undefined
    return 'select pg_sleep(60)'
  }
  const first = w.add('a', 7).catch((error) => error)
  await w.whileRuns('%pg_sleep%', { cut: true })
  // It had been asked to commit, behind the statement that never ended: so nobody knows.
  expect(isLost(await first)).toBe(true)
  expect(await w.add('a', 1)).toBe(1)
  expect(await w.books()).toEqual({ a: 1, b: 0, c: 0 })
})

test('a connection that is lost at a commit fails that batch alone: the one behind it is decided on another', async () => {
  await using w = await counters()
  const first = w.add('a', 98)
  await w.whileRuns('commit')
  const behind = w.add('b', 1)
  await begun(w.ran, 'b1')
  const lost = first.catch((error) => error)
  await w.whileRuns('commit', { cut: true })
  expect(isLost(await lost)).toBe(true)
  expect(await behind).toBe(1)
  expect(w.ran.filter((batch) => batch === 'b1')).toHaveLength(2)
  expect(await w.add('c', 4)).toBe(4)
  expect(await w.books()).toEqual({ a: 0, b: 1, c: 4 })
})

test('closing waits for the batches under way, which are answered', async () => {
  await using w = await counters()
  const letCommit = await w.holdCommit()
  const first = w.add('a', 99)
  await w.whileRuns('commit')
  const behind = w.add('b', 1)
  await begun(w.ran, 'b1')
  const closing = w.db.close()
  await letCommit()
  expect(await Promise.all([first, behind])).toEqual([99, 1])
  await closing
  await expect(w.add('a', 1)).rejects.toThrow()
})

test('the stored answer of a keyed request is written with its batch, and a key taken over undoes it', async () => {
  await using w = await counters()
  await w.add('c', 4)
  expect(await w.add('a', 1, () => 4)).toBe(1)
  await expect(w.add('a', 1, () => 5)).rejects.toThrow('the key was taken over')
  expect(await w.books()).toEqual({ a: 1, b: 0, c: 4 })
})
