import { Type } from 'typebox'
import { CursorQuery, HasMore, ListOf, OneOf, PAGE_DEFAULT, pageOf } from '../http/fields.ts'
import { answer, keyRoute, type Route } from '../http/route.ts'
import { perServices, type Uses } from '../http/services.ts'
import { EVENT_TYPES } from './catalogue.ts'
import { FEED_START } from './cursor.ts'
import { EnvelopeBody, envelopeOf } from './envelope.ts'
import { readFeed } from './feed.ts'
import { findLast, placeAfter, readNewest } from './place.ts'
import { createHub, type FindLive, type Hub } from './stream/hub.ts'

const TAG = 'Events'
const ORDERS = ['oldest', 'newest'] as const
const TypeQuery = Type.Optional(
  ListOf([...EVENT_TYPES], 'Only events of these types, separated by commas'),
)

const list = keyRoute({
  method: 'GET',
  path: '/api/events',
  tag: TAG,
  summary: 'List the events of your wallet, oldest first',
  description:
    'Without `after` it begins with the oldest event that is kept. Continue with the id of the last event that you were given: a reader that does so misses none. With `order=newest` it begins with the last event, for people who look back. A key restricted to cards sees the events of its cards.',
  scope: 'events:read',
  query: Type.Object(
    {
      ...CursorQuery,
      type: TypeQuery,
      order: Type.Optional(OneOf(ORDERS, 'oldest without it')),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    events: Type.Array(EnvelopeBody, { description: 'In the order that was asked for' }),
    has_more: HasMore,
  }),
  attack: 'none',
  costs: { statements: 600 },
  errors: ['cursor_expired'],
  handle: async ({ query, caller, at, services }) => {
    const { limit = PAGE_DEFAULT, type: types } = query
    const { reader } = services.db
    const { walletAddress, cardIds } = caller
    const after = await placeAfter(reader, at, caller, query.after)
    if (query.order === 'newest') {
      const before = query.after === undefined ? {} : { before: after }
      const asked = { ...before, ...(types && { types }), limit: limit + 1 }
      const { rows, hasMore } = pageOf(await readNewest(reader, caller, asked), limit)
      return { events: rows.map(envelopeOf), has_more: hasMore }
    }
    const ask = { after, limit: limit + 1, walletAddress, cardIds, ...(types && { types }) }
    const { rows, hasMore } = pageOf(await readFeed(reader, ask), limit)
    return { events: rows.map(envelopeOf), has_more: hasMore }
  },
})

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  // Proxies may neither gather nor change what is sent, and the connection ends with the stream.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  connection: 'close',
}

const stream = (hubOf: (services: Parameters<typeof createHub>[0]) => Hub) =>
  keyRoute({
    method: 'GET',
    path: '/api/events/stream',
    tag: TAG,
    summary: 'Follow the events of your wallet as they happen',
    description:
      'The feed as Server-Sent Events: `id` is the id of an event, `event` its type, `data` what `GET /api/events` shows of it. Begins after the event that `Last-Event-ID` or `after` names, in that order, or now; a reader that continues with the last id misses none. A comment comes every 15 seconds. It ends with the key or session that opened it, and once the key has lost a card. The keys of a wallet may have five open at once, its sessions twenty.',
    scope: 'events:read',
    streams: true,
    query: Type.Object(
      { after: CursorQuery.after, type: TypeQuery },
      { additionalProperties: false },
    ),
    response: Type.String({ description: 'Server-Sent Events' }),
    attack: { capped: '25 streams a wallet' },
    costs: { statements: 400, rows: 5 },
    errors: ['cursor_expired'],
    handle: async ({ query, headers, caller, at, requestId, services, closing }) => {
      // A browser repeats the URL that it was given when it connects again, and says how far it came.
      const lastId = headers['last-event-id'] || query.after
      const { reader } = services.db
      const last = lastId
        ? { ...(await placeAfter(reader, at, caller, lastId)), id: lastId }
        : await findLast(reader, caller)
      const after = last ?? FEED_START
      const asked = { id: requestId, caller, after, lastId: last?.id, types: query.type, closing }
      const { readable } = await hubOf(services).open(at, asked)
      return answer(200, readable, HEADERS)
    },
  })

/** `findLive` tells which credentials are still good: a stream ends with its own. */
export const eventRoutes = (findLive: FindLive): Route[] => [
  list,
  stream(perServices((services: Uses<'clock' | 'db' | 'log'>) => createHub(services, findLive))),
]
