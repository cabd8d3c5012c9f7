import { Type } from 'typebox'
import { CursorQuery, ListOf, PAGE_DEFAULT, pageOf } from '../http/fields.ts'
import { keyRoute, type Route } from '../http/route.ts'
import { EVENT_TYPES } from './catalogue.ts'
import { EnvelopeBody, envelopeOf } from './envelope.ts'
import { readFeed } from './feed.ts'
import { placeAfter } from './place.ts'

const TAG = 'Events'
const TypeQuery = Type.Optional(
  ListOf([...EVENT_TYPES], 'Only events of these types, separated by commas'),
)

const list = keyRoute({
  method: 'GET',
  path: '/api/events',
  tag: TAG,
  summary: 'What happened to your wallet, oldest first',
  description:
    'Without `after` it begins with the oldest event that is kept. Continue with the id of the last event that you were given: a reader that does so misses none. A key restricted to cards sees the events of its cards.',
  scope: 'events:read',
  query: Type.Object({ ...CursorQuery, type: TypeQuery }, { additionalProperties: false }),
  response: Type.Object({
    events: Type.Array(EnvelopeBody, { description: 'Oldest first' }),
    has_more: Type.Boolean(),
  }),
  errors: ['cursor_expired'],
  handle: async ({ query, caller, at, services }) => {
    const { limit = PAGE_DEFAULT, type: types } = query
    const { reader } = services.db
    const { walletAddress, cardIds } = caller
    const after = await placeAfter(reader, at, { walletAddress, cardIds }, query.after)
    const ask = { after, limit: limit + 1, walletAddress, cardIds, ...(types && { types }) }
    const { rows, hasMore } = pageOf(await readFeed(reader, ask), limit)
    return { events: rows.map(envelopeOf), has_more: hasMore }
  },
})

export const eventRoutes: Route[] = [list]
