import { type Static, Type } from 'typebox'
import { mayUseCard } from '../../../api/http/caller.ts'
import {
  CursorQuery,
  checkAfter,
  HasMore,
  iso,
  isoOrNull,
  NullableTimestamp,
  PAGE_DEFAULT,
  pageOf,
  Success,
  TextField,
  Timestamp,
} from '../../../api/http/fields.ts'
import { keyRoute, type Route } from '../../../api/http/route.ts'
import { notFound, Problem } from '../../../base/kernel/problem.ts'
import type { JsonObject } from '../../../base/protocols/json.ts'
import { ownCard } from '../../../money/cards/controls/own-card.ts'
import { lockCards } from '../../../money/cards/store.ts'
import { CardIdField, CardTokenField, JwkIn, strict } from '../fields.ts'
import { lockByToken } from '../own-card.ts'
import { registerKey } from './keys.ts'
import {
  type CardKey,
  findCardsWithKey,
  type KeyRole,
  listKeysOfOwner,
  revokeCardKey,
} from './store.ts'

const Role = Type.Unsafe<KeyRole>({
  type: 'string',
  enum: ['user', 'agent'],
  description:
    'A user key signs mandates for the card; an agent key only closes them, within an open one',
})
const KeyBody = Type.Object({
  kid: Type.String({ description: 'RFC 7638 thumbprint' }),
  role: Role,
  label: Type.String({ description: 'A name of your choosing' }),
  is_held: Type.Boolean({ description: 'The service keeps the private half' }),
  created_at: Timestamp,
  revoked_at: NullableTimestamp('When it was revoked; null where it is good'),
})

const keyBody = (key: CardKey): Static<typeof KeyBody> => ({
  kid: key.kid,
  role: key.role,
  label: key.label,
  is_held: key.sealed !== null,
  created_at: iso(key.createdAt),
  revoked_at: isoOrNull(key.revokedAt),
})

const register = keyRoute({
  method: 'POST',
  path: '/api/ap2/keys',
  tag: 'AP2',
  summary: 'Register a P-256 public key on a card',
  description:
    'With a `user` key you sign mandates for the card yourself; an `agent` key may stand in the `cnf` of open mandates only. A card has at most 10 active user keys.',
  scope: 'cards:write',
  body: Type.Object(
    {
      card_id: CardIdField,
      card_token: CardTokenField,
      jwk: JwkIn,
      role: Role,
      label: Type.Optional(TextField({ maxLength: 100, description: 'A name of your choosing' })),
    },
    strict,
  ),
  response: Type.Object({ key: KeyBody }),
  attack: 'open',
  costs: { statements: 900, rows: 200 },
  errors: ['invalid_field', 'invalid_card_token', 'forbidden_scope', 'not_found', 'invalid_state'],
  handle: async ({ body, caller, at, write }) => {
    // A user key can sign for any amount.
    if (caller.maxAmount !== null)
      throw new Problem(
        'forbidden_scope',
        'A key restricted to an amount cannot register keys of a card. Use a key without max_amount.',
      )
    return write(async (tx) => {
      const card = await lockByToken(tx, caller, body)
      const { role, label = '' } = body
      const jwk = body.jwk as JsonObject
      return { key: keyBody(await registerKey(tx, at, { cardId: card.id, jwk, role, label })) }
    })
  },
})

const list = keyRoute({
  method: 'GET',
  path: '/api/ap2/keys',
  tag: 'AP2',
  summary: 'The keys that you registered on a card, newest first, revoked ones too',
  description: 'A revoked key stays in the list: what it signed before stays paid.',
  scope: 'cards:read',
  query: Type.Object({ ...CursorQuery, card_id: CardIdField }, strict),
  response: Type.Object({
    keys: Type.Array(KeyBody, { description: 'The keys' }),
    has_more: HasMore,
  }),
  attack: 'none',
  costs: { statements: 400 },
  errors: ['not_found'],
  handle: async ({ query, caller, services }) => {
    const card = await ownCard(services.db.reader, caller, query.card_id)
    const limit = query.limit ?? PAGE_DEFAULT
    const keys = (await listKeysOfOwner(services.db.reader, card)).toReversed()
    const last = keys.findIndex(({ kid }) => kid === query.after)
    await checkAfter(query.after, async () => last >= 0)
    const start = last + 1
    const { rows, hasMore } = pageOf(keys.slice(start, start + limit + 1), limit)
    return { keys: rows.map(keyBody), has_more: hasMore }
  },
})

const revoke = keyRoute({
  method: 'DELETE',
  path: '/api/ap2/keys/{kid}',
  tag: 'AP2',
  summary: 'Revoke a key of a card at once',
  description:
    'Nothing that it signed is accepted any more; what it paid stays paid. Without `card_id` it is revoked on every card of yours that has it.',
  scope: 'cards:write',
  params: Type.Object({
    kid: Type.String({ maxLength: 64, description: 'Id of the key: its RFC 7638 thumbprint' }),
  }),
  query: Type.Object({ card_id: Type.Optional(CardIdField) }, strict),
  response: Type.Object({ success: Success }),
  attack: 'none',
  costs: { statements: 800 },
  errors: ['not_found'],
  handle: async ({ params, query, caller, at, write }) =>
    write(async (tx) => {
      const { walletAddress } = caller
      const { kid } = params
      const meant = (await findCardsWithKey(tx, { walletAddress, kid })).filter(
        (id) => mayUseCard(caller, id) && (query.card_id === undefined || query.card_id === id),
      )
      const cards = await lockCards(tx, meant)
      // A card that was sold meanwhile is another's, and so are its keys.
      const cardIds = meant.filter((id) => cards.get(id)?.walletAddress === walletAddress)
      if (cardIds.length === 0) throw notFound('key')
      await revokeCardKey(tx, at, { cardIds, kid })
      return { success: true }
    }),
})

export const ap2KeyRoutes: Route[] = [register, list, revoke]
