import { createServer, request } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createPurser, PurserError, type PurserEvent } from '../../../sdk/src/purser.ts'
import { record } from '../../src/api/events/record.ts'
import { cardUpdated } from '../../src/api/events/types/cards.ts'
import { sql } from '../../src/base/db/sql.ts'
import { pause, until } from '../until.ts'
import { type World, world } from '../world.ts'

const put = (w: World, walletAddress: string, ...cards: string[]) =>
  w.write((tx) =>
    record(
      tx,
      w.now(),
      cards.map((card_id) => cardUpdated.of({ walletAddress, data: { card_id, changed: [] } })),
    ),
  )

/** A proxy that cuts every connection when it is asked to. */
async function cutter(target: string) {
  const sockets = new Set<Socket>()
  const placed = Promise.withResolvers<void>()
  const server = createServer((asked, answer) => {
    const { method, headers, url } = asked
    const isPlaced = headers['last-event-id'] !== undefined
    if (isPlaced) placed.resolve()
    const forwarded = request(`${target}${url}`, { method, headers, agent: false }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(answer)
      // Its first bytes say where the stream begins; one that has not read them asks without a place again.
      if (!isPlaced) reply.once('data', () => setImmediate(() => answer.destroy()))
    })
    forwarded.on('error', () => answer.destroy())
    answer.on('close', () => forwarded.destroy())
    asked.pipe(forwarded)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The client has asked again, and has named its place. Connections before that one are cut. */
    placed: placed.promise,
    cut: () => {
      for (const socket of sockets) socket.destroy()
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const cardOf = (event: PurserEvent) => ('card_id' in event.data ? event.data.card_id : event.type)

test('the SDK reads the feed in pages, from the start and from an event on', async () => {
  await using w = await world()
  const baseUrl = await w.listen()
  const user = await w.user()
  const purser = createPurser({ baseUrl, apiKey: user.key })
  const cards = Array.from({ length: 130 }, (_, i) => `card_${i}`)
  await put(w, user.wallet, ...cards)
  const types = ['card.updated' as const]
  const read = async (after?: string) => {
    const events: PurserEvent[] = []
    for await (const event of purser.listEvents({ types, ...(after && { after }) }))
      events.push(event)
    return events
  }
  await until(
    async () => (await read()).map(cardOf),
    (seen) => expect(seen).toEqual(cards),
  )
  const all = await read()
  expect((await read(all[119]?.id)).map(cardOf)).toEqual(cards.slice(120))
})

test('the SDK follows the stream over lost connections without a gap or a double, until its key is revoked', async () => {
  await using w = await world()
  await using proxy = await cutter(await w.listen())
  const user = await w.user()
  const made = await user.post('/api/keys/restricted', { name: 'x', scopes: ['events:read'] })
  const purser = createPurser({ baseUrl: proxy.url, apiKey: made.body.api_key })
  const seen: unknown[] = []
  const following = (async () => {
    for await (const event of purser.followEvents({ types: ['card.updated'] }))
      seen.push(cardOf(event))
  })()
  const ended = following.catch((error) => error)
  // The client knows where the stream begins; the first event comes while the connection is down.
  await proxy.placed
  proxy.cut()
  const cards = Array.from({ length: 9 }, (_, i) => `card_${i}`)
  for (const [i, card] of cards.entries()) {
    await put(w, user.wallet, card)
    if (i % 3 === 2) proxy.cut()
  }
  await until(
    () => seen,
    (seen) => expect(seen).toEqual(cards),
  )
  await user.send('DELETE', `/api/keys/${made.body.key.key_hash}`)
  expect(await ended).toBeInstanceOf(PurserError)
  expect(await ended).toMatchObject({ status: 401, code: 'invalid_api_key' })
})

/** Waits until a stream is open: it has its place in the feed before it takes a slot. */
const isFollowed = (w: World) =>
  until(
    async () => (await sql`select from event_streams`.execute(w.db.reader)).rows.length,
    (seen) => expect(seen).toBe(1),
  )

test('following ends when the caller says so, also long after the request was made', async () => {
  await using w = await world()
  const baseUrl = await w.listen()
  const user = await w.user()
  const purser = createPurser({ baseUrl, apiKey: user.key })
  const stop = new AbortController()
  const seen: unknown[] = []
  const following = (async () => {
    for await (const event of purser.followEvents({ signal: stop.signal })) seen.push(cardOf(event))
  })()
  await isFollowed(w)
  await put(w, user.wallet, 'card_1')
  // "From now on" begins before transactions that are still open, so an event of just before may come too.
  await until(
    () => seen,
    (seen) => expect(seen).toContain('card_1'),
  )
  // The engine then forgets the signal of a request that nobody holds.
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let times = 0; times < 3; times++) {
    collect()
    await pause(50)
  }
  stop.abort()
  await following
})
