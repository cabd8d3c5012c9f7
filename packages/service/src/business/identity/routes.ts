import { Type } from 'typebox'
import { keyRoute, type Route } from '../../api/http/route.ts'
import type { Services } from '../../api/http/services.ts'
import { assert } from '../../base/kernel/assert.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { lockOwnCard, mine, ownCard } from '../../money/cards/controls/own-card.ts'
import { type Identity, readIdentities } from './identity.ts'
import { readLiveIdentities } from './on-chain/live.ts'
import { type MintOutcome, rationed, requestMint, requestWithdrawal } from './request.ts'
import { IdentityBody, identityBody } from './view.ts'

const TAG = 'Credentials'
const params = Type.Object({ id: Type.String({ description: 'Id of the card' }) })
const response = Type.Object({ identity: IdentityBody })

const readIdentity = keyRoute({
  method: 'GET',
  path: '/api/cards/{id}/identity',
  tag: TAG,
  summary: "The card's identity token on chain",
  description:
    'An ERC-721 token in an ERC-8004 registry. Its own account (ERC-6551) is the holder address, which is null until the mint is final.',
  scope: 'market:read',
  params,
  response,
  attack: 'chain',
  costs: { statements: 400, rpc: 100 },
  errors: ['not_found'],
  handle: async ({ params: { id }, caller, at, services }) => {
    const card = await ownCard(services.db.reader, caller, id)
    const live = await readLiveIdentities(services, at, [card.id])
    return shown(services.settings, card.id, live)
  },
})

const mintIdentity = keyRoute({
  method: 'POST',
  path: '/api/cards/{id}/identity',
  tag: TAG,
  summary: 'Mint the identity token of a card',
  description:
    'Once for each card, and only for one that was paid by another wallet. The service mints the token into its vault, for the wallet that owns the card, and pays the gas: ten a UTC day for each wallet. Asked again it answers the present state. `credential.identity_updated` tells each new state.',
  scope: 'market:write',
  params,
  response,
  attack: 'none',
  costs: { statements: 900 },
  errors: ['not_found', 'no_counted_payment', 'gas_budget_spent', 'identity_unavailable'],
  handle: ({ params: { id }, caller, at, services, write }) =>
    write(async (tx) => {
      const card = await lockOwnCard(tx, at, mine(caller, id))
      const { settings } = services
      const outcome = await requestMint(tx, at, { settings, card })
      const refusal = refusalOf(outcome)
      if (refusal) throw refusal
      return shown(settings, card.id, await readIdentities(tx, [card.id]))
    }),
})

const withdrawIdentity = keyRoute({
  method: 'POST',
  path: '/api/cards/{id}/identity/withdraw',
  tag: TAG,
  summary: 'Send the identity token to your wallet',
  description:
    'To the wallet that owns the card, once the token is FINAL. A listing of the card ends. From then on the card is sold on chain only. A token that you send back to the vault is kept for you again.',
  scope: 'market:write',
  params,
  response,
  attack: 'none',
  costs: { statements: 800 },
  errors: [
    'not_found',
    'invalid_state',
    'identity_moving',
    'gas_budget_spent',
    'identity_unavailable',
  ],
  handle: ({ params: { id }, caller, at, services, write }) =>
    write(async (tx) => {
      const { settings } = services
      const card = await lockOwnCard(tx, at, mine(caller, id))
      if (settings.identity === null) throw unavailable()
      await requestWithdrawal(tx, at, { settings, card })
      return shown(settings, card.id, await readIdentities(tx, [card.id]))
    }),
})

function refusalOf(outcome: MintOutcome): Problem | undefined {
  switch (outcome) {
    case 'unavailable':
      return unavailable()
    case 'rationed':
      return rationed()
    case 'unpaid':
      return new Problem(
        'no_counted_payment',
        'Only a card that another wallet has paid gets an identity token: receive a payment first. It counts some seconds after it has settled.',
      )
    default:
      return undefined
  }
}

const unavailable = (): Problem =>
  new Problem(
    'identity_unavailable',
    'This service has no vault for identity tokens on its network: its operator sets PURSER_CREDENTIAL_VAULT.',
  )

const shown = (
  settings: Services['settings'],
  cardId: string,
  identities: ReadonlyMap<string, Identity>,
) => {
  const identity = identities.get(cardId)
  assert(identity, 'every card that is asked for has an identity, NONE at least')
  return { identity: identityBody(cardId, identity, settings) }
}

export const identityRoutes: Route[] = [readIdentity, mintIdentity, withdrawIdentity]
