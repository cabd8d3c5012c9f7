import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { pause, until } from '../../../../test/until.ts'
import { type User, type World, world } from '../../../../test/world.ts'
import { one, sql, type Tx } from '../../../base/db/sql.ts'
import { newId } from '../../../base/kernel/ids.ts'
import { FEED_START } from '../cursor.ts'
import { record } from '../record.ts'
import type { FeedEvent } from '../sources.ts'
import { cardUpdated } from '../types/cards.ts'
import { createStream } from './stream.ts'

type Frame = { id: string; event: string; data: { id: string; data: { card_id?: string } } }
type Options = { key: string; query?: string; lastId?: string }

const put = (w: World, walletAddress: string, ...cards: string[]) =>
  w.write((tx) =>
    record(
      tx,
      w.now(),
      cards.map((card_id) => cardUpdated.of({ walletAddress, data: { card_id, changed: [] } })),
    ),
  )

/** A reader of the stream. `frames` fills as it reads; `ended` tells whether the service ended it in due form. */
async function follow(base: string, { key, query = '', lastId }: Options) {
  const headers = { authorization: `Bearer ${key}`, ...(lastId && { 'last-event-id': lastId }) }
  // A connection of its own: a pool would open others, which delay the end of the server.
  const asked = get(`${base}/api/events/stream${query}`, { headers, agent: false })
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  const frames: Frame[] = []
  let text = ''
  response.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
    if (response.statusCode !== 200) return
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, id, event, data] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(block) ?? []
      if (id && event && data) frames.push({ id, event, data: JSON.parse(data) })
    }
  })
  const ended = once(response, 'end').then(
    () => true,
    () => false,
  )
  const isStream = response.statusCode === 200
  if (!isStream) await ended
  return {
    status: response.statusCode,
    headers: response.headers,
    body: isStream ? undefined : JSON.parse(text),
    frames,
    cards: () => frames.flatMap(({ data }) => data.data.card_id ?? []),
    ended,
    async [Symbol.asyncDispose]() {
      asked.destroy()
      await ended
    },
  }
}

const shows = (stream: { cards(): string[] }, ...cards: string[]) =>
  until(
    () => stream.cards(),
    (seen) => expect(seen).toEqual(cards),
  )

async function signIn(w: World, { account, wallet }: User): Promise<string> {
  const asked = await w.call('POST', '/api/auth/challenge', { wallet_address: wallet })
  const { message } = asked.body
  const signature = await account.signMessage({ message })
  return (await w.call('POST', '/api/auth/verify', { message, signature })).body.token
}

const countSlots = async (w: World) =>
  Number(
    (
      await one<{ n: bigint }>(
        w.db.reader,
        sql`select (select count(*) from event_streams) + (select count(*) from session_streams) as n`,
      )
    )?.n,
  )

test('a stream begins now, shows events as they come, and continues after Last-Event-ID without a gap or a double', async () => {
  await using w = await world()
  const base = await w.listen()
  const user = await w.user()
  const stranger = await w.user()
  await put(w, user.wallet, 'card_before')
  await until(
    async () => (await user.get('/api/events')).text,
    (seen) => expect(seen).toContain('card_before'),
  )
  const seen: string[] = []
  let lastId = ''
  {
    await using stream = await follow(base, { key: user.key })
    expect(stream.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    await put(w, stranger.wallet, 'card_strange')
    await put(w, user.wallet, 'card_1')
    await put(w, user.wallet, 'card_2', 'card_3')
    await shows(stream, 'card_1', 'card_2', 'card_3')
    const [frame] = stream.frames
    const { events } = (await user.get('/api/events?type=card.updated')).body
    expect(frame?.data).toEqual(events[1])
    expect(frame).toMatchObject({ id: events[1].id, event: 'card.updated' })
    // As if the connection had been lost after the second.
    seen.push(...stream.cards().slice(0, 2))
    lastId = stream.frames[1]?.id ?? ''
  }
  await put(w, user.wallet, ...Array.from({ length: 120 }, (_, i) => `card_away_${i}`))
  await using again = await follow(base, { key: user.key, lastId, query: '?after=evt_older' })
  await put(w, user.wallet, 'card_last')
  const away = Array.from({ length: 120 }, (_, i) => `card_away_${i}`)
  await shows(again, 'card_3', ...away, 'card_last')
  await using whole = await follow(base, { key: user.key, query: '?type=key.created&after=' })
  expect(whole.status).toBe(200)
})

test('a reader of the stream misses none of the events whose transactions commit out of order', async () => {
  await using w = await world()
  const base = await w.listen()
  const user = await w.user()
  await using stream = await follow(base, { key: user.key })
  const gates = Array.from({ length: 8 }, () => Promise.withResolvers<void>())
  const begun: Promise<Tx>[] = []
  const writers = gates.map((gate, i) => {
    const ready = Promise.withResolvers<Tx>()
    begun.push(ready.promise)
    return w.write(async (tx) => {
      await sql`select pg_current_xact_id()`.execute(tx)
      ready.resolve(tx)
      await gate.promise
      const data = { card_id: `card_${i}`, changed: [] }
      await record(tx, w.now(), [cardUpdated.of({ walletAddress: user.wallet, data })])
    })
  })
  await Promise.all(begun)
  for (const [i, gate] of [...gates.entries()].reverse()) {
    gate.resolve()
    await writers[i]
    await pause(50)
  }
  await put(w, user.wallet, 'card_end')
  const all = [...gates.map((_, i) => `card_${i}`), 'card_end']
  await until(
    () => stream.cards().sort(),
    (seen) => expect(seen).toEqual(all.sort()),
  )
})

test('of twenty streams asked for at once, at two machines, a wallet gets five; one that ends leaves its slot', async () => {
  await using w = await world()
  await using other = await w.machine()
  const bases = [await w.listen(), await other.listen()]
  const user = await w.user()
  const asked = await Promise.all(
    Array.from({ length: 20 }, (_, i) => follow(bases[i % 2] ?? '', { key: user.key })),
  )
  const open = asked.filter(({ status }) => status === 200)
  const refused = asked.filter(({ status }) => status === 429)
  expect([open.length, refused.length]).toEqual([5, 15])
  expect(refused[0]?.body).toMatchObject({ code: 'rate_limited' })
  expect(refused[0]?.headers['retry-after']).toBe('5')
  await using _stranger = await follow(bases[0] ?? '', { key: (await w.user()).key })
  expect(_stranger.status).toBe(200)
  // A person's page is none of the programs that listen.
  await using page = await follow(bases[0] ?? '', { key: await signIn(w, user) })
  expect(page.status).toBe(200)
  await put(w, user.wallet, 'card_1')
  for (const stream of [page, ...open]) await shows(stream, 'card_1')
  await page[Symbol.asyncDispose]()
  await open[0]?.[Symbol.asyncDispose]()
  await until(
    () => countSlots(w),
    (seen) => expect(seen).toBe(5),
  )
  await using next = await follow(bases[1] ?? '', { key: user.key })
  expect(next.status).toBe(200)
  for (const stream of open) await stream[Symbol.asyncDispose]()
})

test('a slot whose process died is free after its lease', async () => {
  await using w = await world()
  const base = await w.listen()
  const user = await w.user()
  for (let slot = 1; slot <= 5; slot++)
    await w.write((tx) =>
      sql`insert into event_streams values (${user.wallet}, ${slot}, ${newId('req', w.now())},
        ${new Date(w.now().getTime() + 20_000)})`.execute(tx),
    )
  expect((await follow(base, { key: user.key })).status).toBe(429)
  await w.advance(21)
  await using stream = await follow(base, { key: user.key })
  expect(stream.status).toBe(200)
})

test('callers that hang up at once leave no slot behind', async () => {
  await using w = await world()
  const base = await w.listen()
  const user = await w.user()
  const { port, hostname } = new URL(base)
  for (let i = 0; i < 40; i++) {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    socket.write(
      `GET /api/events/stream HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${user.key}\r\n\r\n`,
    )
    await pause(i % 20)
    socket.destroy()
  }
  await until(
    () => countSlots(w),
    (seen) => expect(seen).toBe(0),
  )
})

test('revoking the key, ending the session, and the end of their time close a stream, and nothing later is sent', async () => {
  await using w = await world()
  const base = await w.listen()
  const user = await w.user()
  const restricted = async (body: object) =>
    (await user.post('/api/keys/restricted', { name: 'x', scopes: ['events:read'], ...body })).body
  const revoked = await restricted({})
  const expiring = await restricted({ expires_in: 1 })
  await using first = await follow(base, { key: revoked.api_key })
  await using second = await follow(base, { key: expiring.api_key })
  const session = await signIn(w, user)
  await using third = await follow(base, { key: session })
  await using stays = await follow(base, { key: user.key })
  await put(w, user.wallet, 'card_1')
  for (const stream of [first, second, third, stays]) await shows(stream, 'card_1')

  const gone = await user.send('DELETE', `/api/keys/${revoked.key.key_hash}`)
  expect(gone.status).toBe(200)
  await put(w, user.wallet, 'card_2')
  expect(await first.ended).toBe(true)
  await shows(stays, 'card_1', 'card_2')
  // A transaction of another test that is open keeps the present back: the stream then begins a little earlier.
  const shown = first.frames.map(({ event }) => event)
  expect(shown.slice(shown.indexOf('card.updated'))).toEqual(['card.updated'])
  expect((await follow(base, { key: revoked.api_key })).status).toBe(401)
  await w.call('POST', '/api/auth/logout', undefined, { key: session })
  expect(await third.ended).toBe(true)

  await w.advance(3_601)
  expect(await second.ended).toBe(true)
  await put(w, user.wallet, 'card_3')
  await shows(stays, 'card_1', 'card_2', 'card_3')
  expect(await countSlots(w)).toBe(1)
})

test('a stream of a restricted key shows the events of its cards, and a type that is unknown is a 400', async () => {
  await using w = await world()
  const base = await w.listen()
  const user = await w.user()
  const [mine, other] = [await user.card(), await user.card()]
  const order = { name: 'x', scopes: ['events:read'], card_ids: [mine.id] }
  const key = (await user.post('/api/keys/restricted', order)).body.api_key
  await using stream = await follow(base, { key })
  await using typed = await follow(base, { key: user.key, query: '?type=card.frozen,card.funded' })
  await put(w, user.wallet, other.id, mine.id)
  for (const card of [other, mine]) await user.post(`/api/cards/${card.id}/freeze`)
  await shows(stream, mine.id, mine.id)
  await shows(typed, other.id, mine.id)
  const unknown = await follow(base, { key, query: '?type=no.such' })
  expect(unknown.status).toBe(400)
  expect(unknown.body.error).toContain('payment.settled, ')
  expect((await follow(base, { key, lastId: 'evt_x' })).status).toBe(400)
})

test('a stream of a key that loses a card with its sale ends, and shows no more of it if it comes back', async () => {
  await using w = await world()
  const base = await w.listen()
  const [user, other] = [await w.user(), await w.user()]
  const [sold, kept] = [await user.card(), await user.card()]
  const order = { name: 'x', scopes: ['events:read'], card_ids: [sold.id, kept.id] }
  const key = (await user.post('/api/keys/restricted', order)).body.api_key
  await w.shown()
  await using before = await follow(base, { key })
  await using whole = await follow(base, { key: user.key })
  const give = async (from: User, to: User) =>
    expect(
      (await from.post(`/api/cards/${sold.id}/transfer`, { to_wallet: to.wallet })).status,
    ).toBe(200)
  await give(user, other)
  expect(await before.ended).toBe(true)
  await using after = await follow(base, { key })
  await give(other, user)
  await put(w, user.wallet, sold.id, kept.id)
  await shows(after, kept.id)
  await shows(whole, sold.id, sold.id, sold.id, kept.id)
})

test('a server that closes ends its streams, also one whose reader takes nothing', async () => {
  await using w = await world()
  const other = await w.machine()
  const base = await other.listen()
  const user = await w.user()
  await using stream = await follow(base, { key: user.key })
  const { port, hostname } = new URL(base)
  const idle = connect(Number(port), hostname)
  idle.on('error', () => undefined).pause()
  idle.write(
    `GET /api/events/stream HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${user.key}\r\n\r\n`,
  )
  await put(w, user.wallet, 'card_1')
  await shows(stream, 'card_1')
  const from = Date.now()
  await other[Symbol.asyncDispose]()
  expect(Date.now() - from).toBeLessThan(20_000)
  expect(await stream.ended).toBe(true)
  idle.destroy()
})

test('for a reader that takes nothing one page is read, and then it is cut off', async () => {
  let pages = 0
  let closed = 0
  const event = {
    id: 'evt_1',
    type: 'x',
    data: { text: 'x'.repeat(20_000) },
    createdAt: new Date(),
  }
  const { readable } = createStream({
    after: FEED_START,
    readWithinMs: 200,
    readPage: async () => {
      pages++
      return Array.from({ length: 50 }, () => event as unknown as FeedEvent)
    },
    onClose: () => {
      closed++
    },
  })
  // As a socket does that is full: it has asked for the first bytes, and asks for no more.
  readable.once('readable', () => readable.read(1))
  await until(
    () => readable.destroyed,
    (seen) => expect(seen).toBe(true),
  )
  expect(pages).toBe(1)
  expect(readable.readableLength).toBeLessThan(200_000)
  expect(closed).toBe(1)
})

test('a HEAD opens no stream', async () => {
  await using w = await world()
  const user: User = await w.user()
  expect((await user.send('HEAD', '/api/events/stream')).status).toBe(405)
  expect(await countSlots(w)).toBe(0)
})
