import { type Static, Type } from 'typebox'
import type { Hex } from '../../base/kernel/assets.ts'
import { parsePositiveAmount, toNumber } from '../../base/kernel/money.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { defaultAsset } from '../../chain/client/rails.ts'
import { personAddress } from '../../chain/client/reads.ts'
import { isOperator, SCOPES, type Scope } from '../http/caller.ts'
import {
  AddressField,
  AmountIn,
  BytesField,
  CardIdField,
  CursorQuery,
  checkNetwork,
  expiryOf,
  HasMore,
  HoursField,
  iso,
  isoOrNull,
  NetworkField,
  NullableNumber,
  NullableString,
  NullableTimestamp,
  PAGE_DEFAULT,
  pageOf,
  Success,
  TextField,
  Timestamp,
} from '../http/fields.ts'
import { answer, keyRoute, publicRoute, type Route } from '../http/route.ts'
import { checkOwnPage } from '../http/server/own-origin.ts'
import { createKey, listKeys, mintKey, revokeKey } from './api-key.ts'
import { sessionCookie } from './cookie.ts'
import { DescendantsQuery, Revoked, sessionRoutes } from './session-routes.ts'
import {
  checkAnswer,
  closeSession,
  issueChallenge,
  openSessionAt,
  SESSION_HOURS,
} from './sign-in.ts'
import type { ApiKey } from './store.ts'

const strict = { additionalProperties: false }
const NullableList = (description: string) =>
  Type.Union([Type.Array(Type.String()), Type.Null()], { description })
const Done = Type.Object({ success: Success })
const ScopeField = Type.Unsafe<Scope>({ type: 'string', enum: [...SCOPES] })

const KeyBody = Type.Object({
  key_hash: Type.String({ description: 'SHA-256 of the key, hex: its name in this API' }),
  key_hint: Type.String({ description: 'Prefix and last four characters' }),
  status: Type.Unsafe<'active' | 'revoked'>({
    type: 'string',
    enum: ['active', 'revoked'],
    description: 'Whether it was revoked. A key past its expires_at is refused too',
  }),
  created_at: Timestamp,
  revoked_at: NullableTimestamp('When it was revoked; null where it is good'),
  last_used_at: NullableTimestamp('When it was last used; null for never'),
  name: NullableString('The name that you gave it; null without one'),
  scopes: NullableList('The scopes of the key; null for all'),
  expires_at: NullableTimestamp('When it ends; null for never'),
  card_ids: NullableList('Cards that the key may use; null for all of the wallet'),
  max_amount: NullableNumber('The most that one payment may be; null for no limit'),
  made_by: Type.Union([Type.String(), Type.Null()], {
    description:
      'The key_hash of the key, or the id of the session, that made it; null if nobody noted it',
  }),
})

const toBody = (key: ApiKey, decimals: number): Static<typeof KeyBody> => ({
  key_hash: key.hash.toString('hex'),
  key_hint: key.hint,
  status: key.revokedAt ? 'revoked' : 'active',
  created_at: iso(key.createdAt),
  revoked_at: isoOrNull(key.revokedAt),
  last_used_at: isoOrNull(key.lastUsedAt),
  name: key.name,
  scopes: key.scopes && [...key.scopes],
  expires_at: isoOrNull(key.expiresAt),
  card_ids: key.cardIds && [...key.cardIds],
  max_amount: key.maxAmount === null ? null : toNumber(key.maxAmount, decimals),
  made_by: key.madeBy,
})

const challengeRoute = publicRoute({
  method: 'POST',
  path: '/api/auth/challenge',
  tag: 'Keys',
  summary: 'Ask for a message to sign in with',
  description:
    'The message is good for five minutes, and once. Sign it as it is (EIP-191) and send both to `POST /api/auth/verify`.',
  body: Type.Object({ wallet_address: AddressField, network: Type.Optional(NetworkField) }, strict),
  response: Type.Object({
    message: Type.String({ description: 'EIP-4361; the wallet signs it as it is' }),
    nonce: Type.String({ description: 'Stands in the message; works once' }),
    expires_at: Timestamp,
  }),
  attack: { fleeting: 'ten minutes' },
  costs: { statements: 700, rows: 100 },
  errors: ['invalid_address', 'invalid_network'],
  handle: async ({ body, at, services, write }) => {
    const { settings, chain } = services
    checkNetwork(settings, body)
    const site = { publicUrl: settings.publicUrl, chainId: chain.chainId }
    const wallet = personAddress(body.wallet_address, 'wallet_address')
    return write(async (tx) => {
      const { message, nonce, expiresAt } = await issueChallenge(tx, at, site, wallet)
      return { message, nonce, expires_at: iso(expiresAt) }
    })
  },
})

const verifyRoute = publicRoute({
  method: 'POST',
  path: '/api/auth/verify',
  tag: 'Keys',
  summary: 'Sign in with the signed message',
  description:
    'The token is a Bearer credential for 12 hours; it is also set as an HttpOnly cookie. Wallets with a key, and contract wallets (EIP-1271, EIP-6492).',
  body: Type.Object(
    {
      message: Type.String({ maxLength: 4096, description: 'The message to sign (EIP-4361)' }),
      signature: BytesField({
        min: 0,
        max: 16_384,
        description: 'The signature of the message, by the wallet',
      }),
    },
    strict,
  ),
  response: Type.Object({
    token: Type.String({ description: 'The token. Keep it secret' }),
    wallet_address: Type.String({ description: 'Address of the wallet' }),
    expires_at: Timestamp,
  }),
  attack: 'chain',
  costs: { statements: 200, rpc: 200 },
  errors: ['invalid_signature', 'invalid_nonce', 'chain_unavailable', 'origin_not_allowed'],
  handle: async ({ body, headers, at, services, requestId }) => {
    const { db, chain, settings } = services
    if (headers.origin !== undefined) checkOwnPage(headers, settings)
    const { message, signature } = body
    const signed = { message, signature: signature as Hex }
    const challenge = await checkAnswer(db.reader, at, chain, signed)
    const session = await db.write((tx) =>
      openSessionAt(tx, at, challenge, { settings, requestId, device: headers['user-agent'] }),
    )
    return answer(
      200,
      {
        token: session.token,
        wallet_address: session.walletAddress,
        expires_at: iso(session.expiresAt),
      },
      sessionCookie(settings, headers, {
        value: session.token,
        maxAgeSeconds: SESSION_HOURS * 3600,
      }),
    )
  },
})

const logoutRoute = keyRoute({
  method: 'POST',
  path: '/api/auth/logout',
  tag: 'Keys',
  summary: 'End the session',
  description:
    'The token of this sign-in is refused from the next request on. Keys that it made stay.',
  scope: 'keys:write',
  response: Done,
  attack: 'none',
  costs: { statements: 200 },
  errors: ['invalid_request'],
  handle: async ({ caller, headers, at, services }) => {
    if (caller.kind === 'key')
      throw new Problem(
        'invalid_request',
        'Only a session can be ended. Revoke a key with DELETE /api/keys/{hash}.',
      )
    await services.db.write((tx) => closeSession(tx, at, caller, services.settings))
    const expired = { value: '', maxAgeSeconds: 0 }
    return answer(200, { success: true }, sessionCookie(services.settings, headers, expired))
  },
})

const generateRoute = keyRoute({
  method: 'POST',
  path: '/api/keys/generate',
  tag: 'Keys',
  summary: 'Make an API key',
  description:
    'The key is shown this once. It may do all that the wallet may. A wallet has 50 active keys at most.',
  scope: 'keys:write',
  response: Type.Object({
    api_key: Type.String({ description: 'The key. It is shown this once' }),
  }),
  attack: { capped: '50 keys a wallet' },
  costs: { statements: 1_400, rows: 250 },
  errors: ['scope_escalation', 'invalid_state'],
  handle: async ({ caller, at, services, write }) =>
    write(async (tx) => ({
      api_key: (await createKey(tx, at, caller, services.settings.mode)).text,
    })),
})

const restrictedRoute = keyRoute({
  method: 'POST',
  path: '/api/keys/restricted',
  tag: 'Keys',
  summary: 'Make an API key that may do less',
  description:
    'Only the scopes named; if given, only the cards named, no debit above max_amount, and only until it expires. This holds too where the token of a card pays without a key and a key is sent along. A key cannot make a stronger one.',
  scope: 'keys:write',
  body: Type.Object(
    {
      name: TextField({ minLength: 1, maxLength: 100, description: 'A label' }),
      scopes: Type.Array(ScopeField, {
        minItems: 1,
        uniqueItems: true,
        description: 'The scopes of the key; null for all',
      }),
      card_ids: Type.Optional(
        Type.Array(CardIdField, {
          minItems: 1,
          maxItems: 100,
          uniqueItems: true,
          description: 'Cards that the key may use; null for all of the wallet',
        }),
      ),
      max_amount: Type.Optional(AmountIn),
      expires_in: Type.Optional(HoursField),
    },
    strict,
  ),
  response: Type.Object({
    api_key: Type.String({ description: 'The key. It is shown this once' }),
    key: KeyBody,
  }),
  attack: { capped: '50 keys a wallet' },
  costs: { statements: 1_300, rows: 250 },
  errors: ['invalid_amount', 'scope_escalation', 'invalid_state'],
  handle: async ({ body, caller, at, services, write }) => {
    const { decimals } = defaultAsset(services.chain)
    const limits = {
      scopes: body.scopes,
      cardIds: body.card_ids ?? null,
      maxAmount:
        body.max_amount === undefined
          ? null
          : parsePositiveAmount(body.max_amount, decimals, 'max_amount'),
      expiresAt: expiryOf(at, body.expires_in),
    }
    const wanted = { mode: services.settings.mode, name: body.name, limits }
    return write(async (tx) => {
      const { text, key } = await mintKey(tx, at, caller, wanted)
      return { api_key: text, key: toBody(key, decimals) }
    })
  },
})

const listRoute = keyRoute({
  method: 'GET',
  path: '/api/keys',
  tag: 'Keys',
  summary: 'List the API keys of the wallet',
  description: 'Revoked ones too. A key itself is shown only when it is made.',
  scope: 'keys:read',
  query: Type.Object(CursorQuery, { additionalProperties: false }),
  response: Type.Object({
    keys: Type.Array(KeyBody, { description: 'The keys' }),
    has_more: HasMore,
  }),
  attack: 'none',
  costs: { statements: 300 },
  errors: [],
  handle: async ({ query, caller, services }) => {
    const limit = query.limit ?? PAGE_DEFAULT
    const page = { after: query.after, limit }
    const found = await listKeys(services.db.reader, caller.walletAddress, page)
    const { rows, hasMore } = pageOf(found, limit)
    const { decimals } = defaultAsset(services.chain)
    return { keys: rows.map((key) => toBody(key, decimals)), has_more: hasMore }
  },
})

const revokeRoute = keyRoute({
  method: 'DELETE',
  path: '/api/keys/{hash}',
  tag: 'Keys',
  summary: 'Revoke an API key',
  description:
    'It is refused at once; revoking it again is no fault. A key revokes itself and those that may do no more. With `descendants=true` the keys that it made go too, and those that they made: all or none.',
  scope: 'keys:write',
  params: Type.Object({ hash: Type.String({ maxLength: 64, description: 'key_hash' }) }),
  query: DescendantsQuery,
  response: Revoked,
  attack: 'none',
  costs: { statements: 900 },
  errors: ['not_found', 'scope_escalation'],
  handle: async ({ params, query, caller, at, write }) =>
    write(async (tx) => {
      const withDescendants = query.descendants === true
      const revoked = await revokeKey(tx, at, caller, { hash: params.hash, withDescendants })
      return { success: true, revoked_keys: revoked }
    }),
})

const validateRoute = keyRoute({
  method: 'POST',
  path: '/api/keys/validate',
  tag: 'Keys',
  summary: 'Say whose the credential is',
  description: 'Moves nothing, and answers 401 where the credential is not good.',
  scope: 'any',
  response: Type.Object({
    valid: Type.Boolean({ description: 'true: the key is good' }),
    wallet_address: Type.String({ description: 'Address of the wallet' }),
    authenticated_at: Timestamp,
    is_operator: Type.Boolean({
      description:
        'Whether the wallet may read the operator’s pages; a restricted key needs `operator:read` for that',
    }),
  }),
  attack: 'none',
  costs: { statements: 200 },
  errors: [],
  handle: async ({ caller, services }) => ({
    valid: true,
    wallet_address: caller.walletAddress,
    authenticated_at: iso(caller.authenticatedAt),
    is_operator: isOperator(services.settings, caller.walletAddress),
  }),
})

export const keyRoutes: Route[] = [
  challengeRoute,
  verifyRoute,
  logoutRoute,
  generateRoute,
  restrictedRoute,
  listRoute,
  revokeRoute,
  validateRoute,
  ...sessionRoutes,
]
