import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { darkWay } from '../../../../test/faults/dark-way.ts'
import { pause, until } from '../../../../test/until.ts'
import { primaryAndStandby } from '../../../../test/world/standby.ts'
import { all, type Db, openDb, type Reader, sql } from '../sql.ts'
import { openReplica, type Replica } from './replica.ts'
import type { Fault } from './watch.ts'

let servers: Awaited<ReturnType<typeof primaryAndStandby>>
let db: Db
let replica: Replica
let faults: (Fault | undefined)[]

beforeAll(async () => {
  servers = await primaryAndStandby(async (url) => {
    const made = openDb(url, 1)
    await made.together((on) =>
      sql`create table marks (name text); create table home as select ${sql.lit('primary')} as name`.execute(
        on,
      ),
    )
    await made.close()
  })
  db = openDb(servers.primary.url, 4)
})
beforeEach(() => {
  faults = []
  replica = open(servers.standby.url)
})
afterEach(() => replica.close())
afterAll(async () => {
  await db?.close()
  await servers?.[Symbol.asyncDispose]()
})

const open = (url: string, mostSeconds = 3_600): Replica =>
  openReplica(db, {
    ...{ url, connections: 4, mostSeconds },
    primary: { url: servers.primary.url, isPooled: false },
    changed: (fault) => faults.push(fault),
  })

/** Where a read was answered: by the standby, or by the primary. */
const place = (on: Reader): Promise<'standby' | 'primary'> =>
  all(on, sql<{ isStandby: boolean }>`select pg_is_in_recovery() as is_standby`).then(([row]) =>
    row?.isStandby ? 'standby' : 'primary',
  )
const names = async (on: Reader): Promise<string[]> =>
  (await all(on, sql<{ name: string }>`select name from marks order by 1`)).map(({ name }) => name)
const write = (name: string) =>
  db.write((tx) => sql`insert into marks values (${name})`.execute(tx).then(() => undefined))
const isUsed = () =>
  until(
    () => replica.read(place),
    (at) => at === 'standby',
  )
const fault = (wanted: Fault | undefined) =>
  until(
    () => replica.use(),
    ({ fault }) => expect(fault).toBe(wanted),
  )

test('reads go to the standby, and see what the primary has committed', async () => {
  await isUsed()
  await write('first')
  expect(
    await until(
      () => replica.read(names),
      (found) => found.includes('first'),
    ),
  ).toEqual(['first'])
  const { reads, lagSeconds } = replica.use()
  expect(reads.replica).toBeGreaterThan(1)
  expect(lagSeconds).toBeLessThan(60)
})

// The time of the last transaction that a standby has replayed says otherwise.
test('an idle primary is no lag', async () => {
  await servers.primary.run('checkpoint')
  await replica.close()
  replica = open(servers.standby.url, 1)
  await isUsed()
  await pause(1_500)
  expect(await replica.read(place)).toBe('standby')
  expect(faults).toEqual([undefined])
})

test('what fails on the standby alone is answered by the primary, and the standby is read on', async () => {
  await isUsed()
  const temporary = async (on: Reader) => {
    await sql`create temp table if not exists only_here (name text)`.execute(on)
    return place(on)
  }
  expect(await replica.read(temporary)).toBe('primary')
  expect(await replica.read(place)).toBe('standby')
})

test('a fault of the read itself is that of the primary', async () => {
  await isUsed()
  await expect(replica.read((on) => sql`select no_such()`.execute(on))).rejects.toMatchObject({
    code: '42883',
  })
})

// To open its connections anew would make the next reads slow, and they would leave it in turn.
test('a read that is slow is answered by the primary, and the others stay with the standby', async () => {
  await isUsed()
  faults = []
  const slow = async (on: Reader) => {
    const at = await place(on)
    if (at === 'standby') await sql`select pg_sleep(1)`.execute(on)
    return at
  }
  expect(await replica.read(slow)).toBe('primary')
  for (let i = 0; i < 20; i++) expect(await replica.read(place)).toBe('standby')
  expect(faults).toEqual([])
})

test('a standby that is frozen is left, and is read again when it is back', async () => {
  await isUsed()
  await servers.standby.freeze()
  try {
    const answers = await Promise.all(Array.from({ length: 20 }, () => replica.read(place)))
    expect(new Set(answers)).toEqual(new Set(['primary']))
    await until(() => replica.use().fault)
  } finally {
    await servers.standby.thaw()
  }
  await isUsed()
})

test('a standby that is killed and started again is left and found again', async () => {
  await isUsed()
  await servers.standby.kill()
  expect(await replica.read(place)).toBe('primary')
  await fault('lost')
  await servers.standby.start()
  await isUsed()
})

// Its connections are silent and nobody has closed them. New ones work.
test('connections that are cut off are not waited for', async () => {
  const way = await darkWay(servers.standby.url)
  await replica.close()
  replica = open(way.url)
  await isUsed()
  way.cut()
  expect(await replica.read(place)).toBe('primary')
  await isUsed()
  await replica.close()
  way.close()
})

test('a standby whose rows are too old is not read until it has caught up', async () => {
  await replica.close()
  replica = open(servers.standby.url, 1)
  await isUsed()
  await servers.standby.run('select pg_wal_replay_pause()')
  await write('late')
  await fault('behind')
  expect(await replica.read(names)).toContain('late')
  await until(
    () => replica.use().lagSeconds ?? 0,
    (lag) => lag > 1,
  )
  await servers.standby.run('select pg_wal_replay_resume()')
  await isUsed()
  expect(await replica.read(names)).toContain('late')
})

test('another database of the same server is refused', async () => {
  await servers.primary.run('create database other')
  const url = new URL(servers.standby.url)
  url.pathname = '/other'
  await replica.close()
  replica = open(url.href)
  await fault('other_database')
  expect(await replica.read(place)).toBe('primary')
})

test('no read fails while the standby is frozen, killed and started again', async () => {
  await isUsed()
  const waits: number[] = []
  let isOver = false
  const readers = Array.from({ length: 8 }, async () => {
    while (!isOver) {
      const askedAt = performance.now()
      await replica.read(names)
      waits.push(performance.now() - askedAt)
      await pause(2)
    }
  })
  await servers.standby.freeze()
  await pause(1_000)
  await servers.standby.thaw()
  await fault(undefined)
  await servers.standby.kill()
  await pause(500)
  await servers.standby.start()
  await fault(undefined)
  isOver = true
  // A read that fails would end its reader.
  await Promise.all(readers)
  const { reads } = replica.use()
  expect(Math.min(reads.replica, reads.primary)).toBeGreaterThan(0)
})

test('a role without any rights of a server learns enough', async () => {
  await servers.primary.run(
    `create role plain login password 'plain'; grant select on marks to plain`,
  )
  const asPlain = (text: string) =>
    Object.assign(new URL(text), { username: 'plain', password: 'plain' }).href
  await replica.close()
  replica = openReplica(db, {
    ...{ url: asPlain(servers.standby.url), connections: 2, mostSeconds: 10 },
    primary: { url: asPlain(servers.primary.url), isPooled: false },
  })
  await isUsed()
})

test('the primary itself is no replica', async () => {
  await replica.close()
  replica = open(servers.primary.url)
  await fault('takes_writes')
})

// It is a second master then. Nothing leads back from here.
test('a standby that was promoted is left alone, though it is ahead in its own log', async () => {
  await isUsed()
  await servers.standby.run('select pg_promote()')
  await servers.standby.run(`insert into marks values ('second master')`)
  expect(await replica.read(names)).not.toContain('second master')
  await fault('takes_writes')
})

// Patroni demotes it so, and `pg_rewind` of PostgreSQL 15 finds nothing to do. Its rows are those of the second master.
test('a standby that was promoted and is a standby again is left alone, also when the primary is beyond it', async () => {
  await servers.standby.demote()
  await replica.close()
  replica = open(servers.standby.url)
  await fault('other_history')
  await servers.primary.run('select pg_switch_wal()')
  await write('after')
  const end = performance.now() + 2_000
  while (performance.now() < end) {
    expect(await replica.read(place)).toBe('primary')
    await pause(50)
  }
})
