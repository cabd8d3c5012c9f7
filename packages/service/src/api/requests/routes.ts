import { Type } from 'typebox'
import type { Reader } from '../../base/db/sql.ts'
import { addHours } from '../../base/kernel/clock.ts'
import { notFound } from '../../base/kernel/problem.ts'
import type { Caller } from '../http/caller.ts'
import {
  CursorQuery,
  checkAfter,
  HasMore,
  iso,
  NullableString,
  OneOf,
  PAGE_DEFAULT,
  pageOf,
  Timestamp,
} from '../http/fields.ts'
import { keyRoute, type Route } from '../http/route.ts'
import { findKeys } from '../keys/store.ts'
import { KEPT_HOURS } from './jobs.ts'
import { findRequest, type LoggedRequest, listRequests, type Seen } from './store.ts'

const WAYS = ['session', 'key'] as const
const RequestId = Type.String({ maxLength: 64, description: 'The `request_id` of its answer' })
const RequestBody = Type.Object({
  request_id: Type.String({ description: 'Its id, as in `X-Request-Id` and in a refusal' }),
  at: Timestamp,
  method: Type.String({ description: 'Its method' }),
  route: Type.String({ description: 'The operation’s path, with {name} for a value' }),
  path: Type.String({ description: 'Its path; … where a secret stood. Without the query' }),
  status: Type.Integer({ description: 'The status of the answer' }),
  code: NullableString('The code of a refusal; null otherwise'),
  ms: Type.Integer({ description: 'How long the answer took' }),
  way: OneOf(WAYS, 'Whether a sign-in or an API key made it'),
  key_hash: NullableString('The key; null for a sign-in'),
  key_name: NullableString('The name of the key; null without one'),
})

/** A restricted key sees its own requests alone: others may name cards that it must not know. */
const seenBy = ({ walletAddress, credentialHash, scopes }: Caller, at: Date): Seen => ({
  walletAddress,
  credentialHash: scopes === null ? null : credentialHash,
  since: addHours(at, -KEPT_HOURS),
})

async function view(on: Reader, rows: readonly LoggedRequest[]) {
  const hashes = rows.filter(({ way }) => way === 'key').map((row) => row.credentialHash)
  const keys = hashes.length > 0 ? await findKeys(on, [...new Set(hashes)]) : undefined
  return rows.map((row) => ({
    request_id: row.requestId,
    at: iso(row.createdAt),
    ...{ method: row.method, route: row.route, path: row.path, status: row.status, code: row.code },
    ...{ ms: row.ms, way: row.way },
    key_hash: row.way === 'key' ? row.credentialHash : null,
    key_name: keys?.get(row.credentialHash)?.name ?? null,
  }))
}

const CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const

/** The statuses of a class, or all. */
function rangeOf(of: (typeof CLASSES)[number] | undefined): readonly [number, number] {
  const first = of === undefined ? 1 : Number(of[0])
  return [100 * first, of === undefined ? 599 : 100 * first + 99]
}

const list = keyRoute({
  method: 'GET',
  path: '/api/requests',
  tag: 'Keys',
  summary: 'List the requests that the wallet made in the last hour',
  description:
    'Newest first, about a second after the answer: method, path, status and time, never a body, a query or a header. Of a wallet that makes more than a hundred a second the refused ones come first; the newest thousand stay. For looking into a fault, not for keeping accounts: a crash loses what was not written. A restricted key sees its own.',
  scope: 'any',
  query: Type.Object(
    {
      ...CursorQuery,
      status: Type.Optional(OneOf(CLASSES, 'A class of statuses: 4xx are refusals')),
      way: Type.Optional(OneOf(WAYS, 'Those of sign-ins, or of API keys')),
      request_id: Type.Optional(RequestId),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    requests: Type.Array(RequestBody, { description: 'The requests' }),
    has_more: HasMore,
  }),
  attack: 'none',
  costs: { statements: 300 },
  errors: [],
  handle: async ({ query, caller, at, services: { db } }) => {
    const seen = seenBy(caller, at)
    const { after, limit = PAGE_DEFAULT, way = null, request_id: requestId = null } = query
    await checkAfter(after, async (id) => (await findRequest(db.reader, seen, id)) !== undefined)
    const asked = { after, limit, way, requestId, statuses: rangeOf(query.status) }
    const { rows, hasMore } = pageOf(await listRequests(db.reader, seen, asked), limit)
    return { requests: await view(db.reader, rows), has_more: hasMore }
  },
})

const get = keyRoute({
  method: 'GET',
  path: '/api/requests/{request_id}',
  tag: 'Keys',
  summary: 'Show one request of the last hour',
  description: 'As in the list. It is there about a second after its answer.',
  scope: 'any',
  params: Type.Object({ request_id: RequestId }),
  response: RequestBody,
  attack: 'none',
  costs: { statements: 300 },
  errors: ['not_found'],
  handle: async ({ params, caller, at, services: { db } }) => {
    const found = await findRequest(db.reader, seenBy(caller, at), params.request_id)
    if (!found) throw notFound('request')
    const [shown] = await view(db.reader, [found])
    if (!shown) throw notFound('request')
    return shown
  },
})

export const requestRoutes: Route[] = [list, get]
