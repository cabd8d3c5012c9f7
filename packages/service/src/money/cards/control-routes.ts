import { Type } from 'typebox'
import type { Scope } from '../../api/http/caller.ts'
import { AmountIn, AmountOut, idParam, OneOf, Success } from '../../api/http/fields.ts'
import { keyRoute, type Route } from '../../api/http/route.ts'
import { parsePositiveAmount, toNumber } from '../../base/kernel/money.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { assetOf } from '../../chain/client/rails.ts'
import { CARD_STATUSES, type CardWithMoney } from './card.ts'
import { changeControls, rotateToken } from './controls/change.ts'
import { cancelCard, claimCard } from './controls/claim.ts'
import { freezeCard, unfreezeCard } from './controls/freeze.ts'
import { mine } from './controls/own-card.ts'
import { ControlsBody, readControls } from './issue/orders.ts'
import { CardBody, cardBody } from './view.ts'

const CardAnswer = Type.Object({ success: Success, card: CardBody })
const StatusAnswer = Type.Object({
  success: Success,
  card_id: Type.String({ description: 'Id of the card' }),
  status: OneOf(CARD_STATUSES, 'State of the card'),
})

const statusRoute = (
  { verb, ...said }: { verb: string; scope: Scope; summary: string; description: string },
  change: typeof freezeCard,
): Route =>
  keyRoute({
    method: 'POST',
    path: `/api/cards/{id}/${verb}`,
    tag: 'Cards',
    ...said,
    params: idParam('card'),
    response: StatusAnswer,
    attack: 'none',
    costs: { statements: 600 },
    errors: ['not_found', 'invalid_state'],
    handle: ({ params, caller, at, write }) =>
      write(async (tx) => {
        const card = await change(tx, at, mine(caller, params.id))
        return { success: true, card_id: card.id, status: card.status }
      }),
  })
const freeze = statusRoute(
  {
    verb: 'freeze',
    scope: 'cards:write',
    summary: 'Stop every debit of a card',
    description: 'At once, on every protocol. Money still arrives on it.',
  },
  freezeCard,
)
// A key that spends with a card may freeze it. Only controls:write may undo a freeze, since the wallet may have set it.
const unfreeze = statusRoute(
  {
    verb: 'unfreeze',
    scope: 'controls:write',
    summary: 'Let a frozen card spend again',
    description:
      'Needs `controls:write`: whoever may stop a card must not undo that its wallet has.',
  },
  unfreezeCard,
)

const controls = keyRoute({
  method: 'PATCH',
  path: '/api/cards/{id}/controls',
  tag: 'Cards',
  summary: 'Change what a card may spend on',
  description:
    'A restricted key needs the scope `controls:write`: whoever may spend with a card must not loosen its controls.',
  scope: 'controls:write',
  params: idParam('card'),
  body: ControlsBody,
  response: CardAnswer,
  attack: 'open',
  costs: { statements: 1_000, rows: 200 },
  errors: ['invalid_amount', 'not_found', 'invalid_state'],
  handle: async ({ params, body, caller, at, services, write }) => {
    const { chain } = services
    return write(async (tx) => {
      const own = mine(caller, params.id)
      const changeOf = (card: CardWithMoney) => readControls(body, assetOf(chain, card))
      const card = await changeControls(tx, at, { ...own, changeOf })
      return { success: true, card: cardBody(card, assetOf(chain, card)) }
    })
  },
})

const claim = keyRoute({
  method: 'POST',
  path: '/api/cards/{id}/claim',
  tag: 'Cards',
  summary:
    'Move what is left on an ended card, or what an ACTIVE card earned, to your treasury balance',
  description:
    'The earnings of an open card beyond its limit, or everything left on an ended card.',
  scope: 'cards:write',
  params: idParam('card'),
  body: Type.Object(
    {
      token: Type.String({ maxLength: 100, description: 'The token of the card' }),
      amount: Type.Optional(AmountIn),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    success: Success,
    card: CardBody,
    claimed: AmountOut,
    ...CardBody.properties,
  }),
  attack: 'none',
  costs: { statements: 600 },
  errors: [
    'invalid_amount',
    'invalid_card_token',
    'insufficient_funds',
    'not_found',
    'invalid_state',
    'nothing_to_claim',
  ],
  handle: async ({ params, body, caller, at, services, write }) => {
    const { chain } = services
    return write(async (tx) => {
      const claimed = await claimCard(tx, at, {
        ...mine(caller, params.id),
        token: body.token,
        amountOf: ({ decimals }) =>
          body.amount === undefined ? null : parsePositiveAmount(body.amount, decimals),
        chain,
      })
      const asset = assetOf(chain, claimed.card)
      const card = cardBody(claimed.card, asset)
      return { success: true, card, claimed: toNumber(claimed.claimed, asset.decimals), ...card }
    })
  },
})

const cancel = keyRoute({
  method: 'POST',
  path: '/api/cards/{id}/cancel',
  tag: 'Cards',
  summary: 'Close a card for good; what it does not hold returns to your treasury balance',
  description: 'For good. What was on the card is on the treasury balance again.',
  scope: 'cards:write',
  params: idParam('card'),
  response: CardAnswer,
  attack: 'none',
  costs: { statements: 600 },
  errors: ['not_found', 'invalid_state'],
  handle: ({ params, caller, at, services, write }) =>
    write(async (tx) => {
      const { chain } = services
      const card = await cancelCard(tx, at, { ...mine(caller, params.id), chain })
      return { success: true, card: cardBody(card, assetOf(chain, card)) }
    }),
})

const rotate = keyRoute({
  method: 'POST',
  path: '/api/cards/{id}/rotate-token',
  tag: 'Cards',
  summary: 'Give a card a new token; the old one stops at once',
  description: 'The old token is refused at once. The new one is shown this once.',
  scope: 'cards:write',
  params: idParam('card'),
  response: CardAnswer,
  attack: 'open',
  costs: { statements: 900, rows: 200 },
  errors: ['not_found', 'invalid_state'],
  handle: async ({ params, caller, at, services, write }) => {
    // The token's holder may pay any amount with it, at a pay link and without a key.
    if (caller.maxAmount !== null)
      throw new Problem(
        'forbidden_scope',
        'A key restricted to an amount cannot make a card token. Use a key without max_amount.',
      )
    return write(async (tx) => {
      const { card, token } = await rotateToken(tx, at, mine(caller, params.id))
      return { success: true, card: cardBody(card, assetOf(services.chain, card), token) }
    })
  },
})

export const controlRoutes: Route[] = [freeze, unfreeze, controls, claim, cancel, rotate]
