import { expect, test } from 'vitest'
import { until } from '../../../test/until.ts'
import { type World, world } from '../../../test/world.ts'
import { all, one, sql, type Tx } from '../../base/db/sql.ts'
import { type Cursor, FEED_START, lockCursor, readEnd, saveCursor } from './cursor.ts'
import { adoptRestored, readFeed } from './feed.ts'
import { findPlace } from './place.ts'
import { record } from './record.ts'
import { cardUpdated } from './types/cards.ts'

const WALLET = '0x00000000000000000000000000000000000000A1'
const eventOf = (label: string, walletAddress = WALLET) =>
  cardUpdated.of({ walletAddress, data: { card_id: `card_${label}`, changed: [label] } })
const labelOf = ({ subject }: { subject: string }): string => subject.slice('card_'.length)

const put = (w: World, label: string, walletAddress = WALLET) =>
  w.write((tx) => record(tx, w.now(), [eventOf(label, walletAddress)]))

/** An open transaction that has its id. `record` writes in it, `commit` ends it. */
async function begun(w: World) {
  const gate = Promise.withResolvers<void>()
  const ready = Promise.withResolvers<Tx>()
  const done = w.write(async (tx) => {
    await sql`select pg_current_xact_id()`.execute(tx)
    ready.resolve(tx)
    await gate.promise
  })
  const tx = await ready.promise
  return {
    record: (label: string) => record(tx, w.now(), [eventOf(label)]),
    commit: () => {
      gate.resolve()
      return done
    },
  }
}

/** Waits until every committed event is visible: other tests hold transactions open too. */
async function shown(w: World): Promise<void> {
  const newest = await one<{ xid: bigint }>(
    w.db.reader,
    sql`select coalesce(max(xid), 0) as xid from events`,
  )
  await until(
    async () => (await readEnd(w.db.reader)).xid > (newest?.xid ?? 0n),
    (seen) => expect(seen).toBe(true),
  )
}

/** Continues from its last place, as a polling caller does. */
function poller(read: (after: Cursor) => Promise<(Cursor & { subject: string })[]>) {
  let at: Cursor = FEED_START
  const seen: string[] = []
  return {
    seen,
    async poll() {
      const events = await read(at)
      at = events.at(-1) ?? at
      seen.push(...events.map(labelOf))
    },
  }
}

test('a reader that polls while transactions commit out of order misses no event; a cursor on seq alone loses one', async () => {
  await using w = await world()
  const feed = poller((after) => readFeed(w.db.reader, { walletAddress: WALLET, after, limit: 10 }))
  const control = poller(({ seq }) =>
    all<Cursor & { subject: string }>(
      w.db.reader,
      sql`select xid, seq, subject from events
        where wallet_address = ${WALLET} and seq > ${seq} order by seq`,
    ),
  )
  const poll = () => Promise.all([feed.poll(), control.poll()])
  // The first transaction has the smaller id, the second takes the smaller seq, the third both larger.
  const first = await begun(w)
  const second = await begun(w)
  await second.record('second')
  await first.record('first')
  await first.commit()
  await poll()
  await second.commit()
  await poll()
  const third = await begun(w)
  await put(w, 'fourth')
  await third.record('third')
  await poll()
  await third.commit()
  await shown(w)
  await poll()
  expect(feed.seen).toEqual(['first', 'second', 'third', 'fourth'])
  expect(control.seen).not.toContain('second')
})

test('a reader in pages sees each event once while forty writers commit in any order', async () => {
  await using w = await world()
  const feed = poller((after) => readFeed(w.db.reader, { after, limit: 7 }))
  const writers = Array.from({ length: 40 }, (_, i) =>
    w.write(async (tx) => {
      await record(tx, w.now(), [eventOf(`${i}.1`)])
      await sql`select pg_sleep(${((i * 7) % 10) / 100})`.execute(tx)
      await record(tx, w.now(), [eventOf(`${i}.2`)])
    }),
  )
  const all = Promise.all(writers)
  let isOver = false
  void all.then(() => {
    isOver = true
  })
  while (!isOver) await feed.poll()
  await shown(w)
  for (let page = 0; page < 14; page++) await feed.poll()
  const labels = feed.seen.filter((label) => /^\d+\.[12]$/.test(label))
  expect(labels).toHaveLength(80)
  expect(new Set(labels).size).toBe(80)
  for (let i = 0; i < 40; i++)
    expect(labels.indexOf(`${i}.1`)).toBeLessThan(labels.indexOf(`${i}.2`))
})

test('a feed is of one wallet, of types and of cards; an event of another wallet is no place in it', async () => {
  await using w = await world()
  const other = '0x00000000000000000000000000000000000000B2'
  await put(w, 'mine')
  await put(w, 'theirs', other)
  await shown(w)
  const read = (ask: object) =>
    readFeed(w.db.reader, { walletAddress: WALLET, after: FEED_START, limit: 9, ...ask })
  const [mine, ...rest] = await read({})
  expect(rest).toEqual([])
  expect(mine).toMatchObject({ type: 'card.updated', cardId: 'card_mine', subject: 'card_mine' })
  expect(await read({ types: ['card.frozen'] })).toEqual([])
  expect(await read({ cardIds: ['card_mine'] })).toHaveLength(1)
  expect(await read({ cardIds: ['card_theirs'] })).toEqual([])
  const eventId = mine?.id ?? ''
  const placeFor = (walletAddress: string, cardIds: string[] | null = null) =>
    findPlace(w.db.reader, { walletAddress, cardIds }, eventId)
  const place = { xid: mine?.xid, seq: mine?.seq }
  expect(await placeFor(WALLET)).toEqual(place)
  expect(await placeFor(WALLET, ['card_mine'])).toEqual(place)
  expect(await placeFor(WALLET, ['card_theirs'])).toBeUndefined()
  expect(await placeFor(other)).toBeUndefined()
})

test('a reader that begins at the end sees what comes, also of a transaction that had begun before', async () => {
  await using w = await world()
  await put(w, 'before')
  await shown(w)
  const open = await begun(w)
  const end = await readEnd(w.db.reader)
  await open.record('begun')
  await open.commit()
  await put(w, 'after')
  await shown(w)
  const events = await readFeed(w.db.reader, { after: end, limit: 9 })
  expect(events.map(labelOf)).toEqual(['begun', 'after'])
})

test('two readers of one cursor take turns', async () => {
  await using w = await world()
  await put(w, 'one')
  await put(w, 'two')
  await shown(w)
  const step = () =>
    w.write(async (tx) => {
      const cursor = await lockCursor(tx, 'test')
      const [event] = await readFeed(tx, { walletAddress: WALLET, after: cursor, limit: 1 })
      if (event) await saveCursor(tx, 'test', event)
      return event && labelOf(event)
    })
  const taken = await Promise.all([step(), step(), step()])
  expect(taken.map(String).sort()).toEqual(['one', 'two', 'undefined'])
})

test('after a restore into a new cluster events are shown again, in their order, and new ones come after them', async () => {
  await using w = await world()
  await put(w, 'one')
  await put(w, 'two')
  await put(w, 'three')
  await shown(w)
  const before = await readFeed(w.db.reader, { walletAddress: WALLET, after: FEED_START, limit: 9 })
  await w.write(async (tx) => {
    await lockCursor(tx, 'test')
    await saveCursor(tx, 'test', before[1] ?? FEED_START)
  })
  // As if dumped from a cluster that has seen two thousand million more transactions.
  await w.write(async (tx) => {
    await sql`alter table events disable trigger insert_only`.execute(tx)
    await sql`update events set xid = xid + 2000000000`.execute(tx)
    await sql`update event_cursors set xid = xid + 2000000000`.execute(tx)
    await sql`alter table events enable trigger insert_only`.execute(tx)
  })
  const read = (after: Cursor) => readFeed(w.db.reader, { walletAddress: WALLET, after, limit: 9 })
  expect(await read(FEED_START)).toEqual([])

  expect(await w.write(adoptRestored)).toBe(true)
  expect(await w.write(adoptRestored)).toBe(false)
  await put(w, 'four')
  await shown(w)
  expect((await read(FEED_START)).map(labelOf)).toEqual(['one', 'two', 'three', 'four'])
  const cursor = await w.write((tx) => lockCursor(tx, 'test'))
  expect((await read(cursor)).map(labelOf)).toEqual(['three', 'four'])
  const after = await read(FEED_START)
  expect(after.slice(0, 3).map(({ id, seq }) => [id, seq])).toEqual(
    before.map(({ id, seq }) => [id, seq]),
  )
})

test('a stored event stays as it is, and transaction ids never become smaller', async () => {
  await using w = await world()
  await put(w, 'one')
  const update = (statement: string) => w.write((tx) => sql.raw(statement).execute(tx))
  for (const statement of [
    `update events set data = '{}'`,
    'update events set xid = 0',
    'update event_base set base = base - 1',
    'delete from event_base',
    'truncate events',
  ])
    await expect(update(statement), statement).rejects.toThrow()
})
