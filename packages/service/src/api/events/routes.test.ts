import { expect, test } from 'vitest'
import { until } from '../../../test/until.ts'
import { type User, type World, world } from '../../../test/world.ts'
import { sql, type Tx } from '../../base/db/sql.ts'
import { newId } from '../../base/kernel/ids.ts'
import { deleteEvents } from './place.ts'
import { record } from './record.ts'
import { cardFrozen, cardUpdated } from './types/cards.ts'

type Seen = { id: string; type: string; data: { card_id?: string } }

const updated = (walletAddress: string, card_id: string) =>
  cardUpdated.of({ walletAddress, data: { card_id, changed: [] } })

/** Follows the feed as a client does: by the id of the last event that it was given. */
function follower(user: User, query = '') {
  let after = ''
  const seen: Seen[] = []
  return {
    seen,
    cards: () => seen.flatMap(({ data }) => data.card_id ?? []),
    async poll(): Promise<boolean> {
      const path = `/api/events?limit=3${query}${after}`
      const reply = await user.get(path, { isImpatient: true })
      expect(reply.status, reply.text).toBe(200)
      seen.push(...reply.body.events)
      const last = seen.at(-1)
      if (last) after = `&after=${last.id}`
      return reply.body.has_more
    },
  }
}

/** Reads on until the feed shows the card: transactions of other tests on the same cluster hold it back. */
const shown = (feed: ReturnType<typeof follower>, card: string) =>
  until(
    async () => {
      await feed.poll()
      return feed.cards()
    },
    (seen) => expect(seen).toContain(card),
  )

const put = (w: World, ...events: ReturnType<typeof updated>[]) =>
  w.write((tx) => record(tx, w.now(), events))

test('a client that polls while transactions commit out of order is given each event once', async () => {
  await using w = await world()
  const user = await w.user()
  const feed = follower(user, '&type=card.updated')
  const gates = Array.from({ length: 8 }, () => Promise.withResolvers<void>())
  const begun: Promise<Tx>[] = []
  const writers = gates.map((gate, i) => {
    const ready = Promise.withResolvers<Tx>()
    begun.push(ready.promise)
    return w.write(async (tx) => {
      await sql`select pg_current_xact_id()`.execute(tx)
      ready.resolve(tx)
      await gate.promise
      await record(tx, w.now(), [updated(user.wallet, `card_${i}`)])
    })
  })
  await Promise.all(begun)
  // The latest begun commits first: each takes a smaller seq than those with smaller transaction ids.
  for (const [i, gate] of [...gates.entries()].reverse()) {
    gate.resolve()
    await writers[i]
    await feed.poll()
  }
  await put(w, updated(user.wallet, 'card_end'))
  await shown(feed, 'card_end')
  expect(feed.cards().sort()).toEqual([...gates.map((_, i) => `card_${i}`), 'card_end'].sort())
})

test('the feed begins with the oldest event, in pages, each event in the one envelope', async () => {
  await using w = await world()
  const user = await w.user()
  for (let i = 0; i < 5; i++) await put(w, updated(user.wallet, `card_${i}`))
  const feed = follower(user)
  await shown(feed, 'card_4')
  expect(feed.seen.map(({ type }) => type)).toEqual([
    'key.created',
    ...Array(5).fill('card.updated'),
  ])
  expect(feed.seen[1]).toEqual({
    id: expect.stringMatching(/^evt_[0-9a-z]{26}$/),
    type: 'card.updated',
    created: expect.any(Number),
    api_version: '2026-07-16',
    seq: expect.any(Number),
    data: { card_id: 'card_0', changed: [] },
  })
  const { events, has_more } = (await user.get('/api/events?limit=2')).body
  expect([events.length, has_more]).toEqual([2, true])
  // An event of a type that the filter leaves out is still a place.
  const filtered = await user.get(
    `/api/events?type=card.updated,card.frozen&after=${feed.seen[0]?.id}`,
  )
  expect(filtered.body.events).toHaveLength(5)
  expect((await user.get(`/api/events?after=${feed.seen[5]?.id}`)).body).toEqual({
    events: [],
    has_more: false,
  })
})

test('a type that is unknown is a 400 that lists the known ones', async () => {
  await using w = await world()
  const user = await w.user()
  for (const type of ['no.such', 'card.updated,no.such', 'card.updated,', '']) {
    const reply = await user.get(`/api/events?type=${type}`)
    expect([type, reply.status]).toEqual([type, 400])
    expect(reply.body.error).toContain('payment.settled, ')
  }
})

test('a key restricted to cards sees the events of its cards, and no other is a place in its feed', async () => {
  await using w = await world()
  const user = await w.user()
  const [mine, other] = [await user.card(), await user.card()]
  const restricted = (body: object) =>
    user.post('/api/keys/restricted', { name: 'reader', ...body })
  const made = await restricted({ scopes: ['events:read'], card_ids: [mine.id] })
  const key = made.body.api_key
  await put(
    w,
    cardFrozen.of({ walletAddress: user.wallet, data: { card_id: mine.id, reason: null } }),
    cardFrozen.of({ walletAddress: user.wallet, data: { card_id: other.id, reason: null } }),
  )
  const whole = follower(user)
  await shown(whole, other.id)
  const { events } = (await user.get('/api/events', { key })).body
  expect(events.map(({ type, data }: Seen) => [type, data.card_id])).toEqual([
    ['card.issued', mine.id],
    ['card.frozen', mine.id],
  ])
  const hidden = whole.seen.find(({ data }) => data.card_id === other.id)
  expect((await user.get(`/api/events?after=${hidden?.id}`)).status).toBe(200)
  expect((await user.get(`/api/events?after=${hidden?.id}`, { key })).status).toBe(400)
  const none = (await restricted({ scopes: ['cards:read'] })).body.api_key
  expect((await user.get('/api/events', { key: none })).body.code).toBe('forbidden_scope')
})

test('an id that was never in the feed is a 400, and one that was deleted by its age is 410', async () => {
  await using w = await world()
  const [user, stranger] = [await w.user(), await w.user()]
  const after = async (id: string | undefined) => {
    const { status, body } = await user.get(`/api/events?after=${id}`)
    return [status, body.code]
  }
  const unknown = [400, 'invalid_field']
  const made = [newId('evt', w.now()), `evt_${'0'.repeat(26)}`, `evt_${'z'.repeat(26)}`, 'evt_x']
  for (const id of made) expect([id, ...(await after(id))]).toEqual([id, ...unknown])

  const feed = follower(user)
  await put(w, updated(user.wallet, 'card_old'))
  await shown(feed, 'card_old')
  const theirs = follower(stranger)
  await theirs.poll()
  expect(await after(theirs.seen[0]?.id)).toEqual(unknown)

  await w.advance(401 * 86_400)
  await put(w, updated(user.wallet, 'card_new'))
  await shown(feed, 'card_new')
  const before = new Date(w.now().getTime() - 400 * 86_400_000)
  let deleted = 0
  for (;;) {
    const some = await w.write((tx) => deleteEvents(tx, before, 2))
    deleted += some
    if (some < 2) break
  }
  expect(deleted).toBeGreaterThanOrEqual(feed.seen.length - 1)
  const { events } = (await user.get('/api/events')).body
  expect(events.map(({ data }: Seen) => data.card_id)).toEqual(['card_new'])
  expect(await after(feed.seen[0]?.id)).toEqual([410, 'cursor_expired'])
  expect(await after(events[0].id)).toEqual([200, undefined])
  // Within the time of the events that are kept an unknown id was never one.
  await w.advance(60)
  expect(await after(newId('evt', w.now()))).toEqual(unknown)
  expect(await after('evt_x')).toEqual(unknown)
})

test('who looks back gets the last event first, page by page, and each once', async () => {
  await using w = await world()
  const user = await w.user({ treasury: 20 })
  for (let i = 0; i < 3; i++) await user.card({ limit: 2 })
  const oldest = await until(
    async () => (await user.get('/api/events?limit=100')).body.events as Seen[],
    (events) => events.filter(({ type }) => type === 'card.issued').length === 3,
  )
  const back: string[] = []
  for (let after = ''; ; ) {
    const { body } = await user.get(`/api/events?order=newest&limit=2${after}`)
    back.push(...body.events.map(({ id }: Seen) => id))
    if (!body.has_more) break
    after = `&after=${back.at(-1)}`
  }
  expect(back).toEqual(oldest.map(({ id }) => id).toReversed())
  const { body } = await user.get('/api/events?order=newest&type=card.issued&limit=1')
  expect(body.events.map(({ id }: Seen) => id)).toEqual([
    oldest.findLast(({ type }) => type === 'card.issued')?.id,
  ])
  const other = await w.user()
  expect((await other.get('/api/events?order=newest&type=card.issued')).body.events).toEqual([])
})
