import { Type } from 'typebox'
import { iso, NullableString, Success, Timestamp } from '../http/fields.ts'
import { keyRoute, type Route } from '../http/route.ts'
import { endSession } from './api-key.ts'
import { listSessions } from './store.ts'

export const DescendantsQuery = Type.Object(
  {
    descendants: Type.Optional(
      Type.Boolean({
        description: 'Whether the keys that it made go too, and those that they made',
      }),
    ),
  },
  { additionalProperties: false },
)
export const Revoked = Type.Object({
  success: Success,
  revoked_keys: Type.Integer({ description: 'Keys that were good until now' }),
})

const list = keyRoute({
  method: 'GET',
  path: '/api/sessions',
  tag: 'Keys',
  summary: 'List the sessions of the wallet',
  description:
    'Sign-ins that are good, newest first; a wallet has 20 at most, and the oldest ends.',
  scope: 'keys:read',
  response: Type.Object({
    sessions: Type.Array(
      Type.Object({
        id: Type.String({ description: 'Id of the session' }),
        created_at: Timestamp,
        expires_at: Timestamp,
        device: NullableString('Its User-Agent'),
        is_current: Type.Boolean({ description: 'Whether this request was made with it' }),
      }),
      { description: 'The sessions' },
    ),
  }),
  attack: 'none',
  costs: { statements: 300 },
  errors: [],
  handle: async ({ caller, at, services }) => {
    const sessions = await listSessions(services.db.reader, at, caller.walletAddress)
    return {
      sessions: sessions.map(({ id, hash, device, createdAt, expiresAt }) => ({
        id,
        device,
        created_at: iso(createdAt),
        expires_at: iso(expiresAt),
        is_current: hash.toString('hex') === caller.credentialHash,
      })),
    }
  },
})

const end = keyRoute({
  method: 'DELETE',
  path: '/api/sessions/{id}',
  tag: 'Keys',
  summary: 'End a session of the wallet',
  description:
    'It is refused at once. With `descendants=true` the keys that it made go too, and those that they made, also when the session is over already.',
  scope: 'keys:write',
  params: Type.Object({ id: Type.String({ maxLength: 64, description: 'Id of the session' }) }),
  query: DescendantsQuery,
  response: Revoked,
  attack: 'none',
  costs: { statements: 1_100 },
  errors: ['not_found', 'scope_escalation'],
  handle: async ({ params, query, caller, at, write }) =>
    write(async (tx) => {
      const withDescendants = query.descendants === true
      const revoked = await endSession(tx, at, caller, { id: params.id, withDescendants })
      return { success: true, revoked_keys: revoked }
    }),
})

export const sessionRoutes: Route[] = [list, end]
