import { Type } from 'typebox'
import { AssetField, IgnoredBody, NetworkField } from '../../../api/http/fields.ts'
import { keyRoute, type Route } from '../../../api/http/route.ts'
import { least, minusOrZero, plus, toNumber } from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { shownAsset } from '../../../chain/client/rails.ts'
import { ownCard } from '../../../money/cards/controls/own-card.ts'
import { listCards } from '../../../money/cards/lists/store.ts'
import { standingRefusal } from '../../../money/cards/policy.ts'
import { CardIdField, strict } from '../fields.ts'

const METHODS_MAX = 1000

const paymentMethods = keyRoute({
  method: 'POST',
  path: '/api/ap2/payment-methods',
  tag: 'AP2',
  summary: 'Your cards as payment methods, newest first',
  description:
    'Name a card for that card alone. `GET /api/ap2/instruments` says how it stands in a mandate.',
  scope: 'cards:read',
  body: Type.Union([Type.Object({ card_id: Type.Optional(CardIdField) }, strict), Type.Null()]),
  response: Type.Object({
    methods: Type.Array(
      Type.Object({
        type: Type.String({ description: 'card' }),
        card_id: Type.String({ description: 'Id of the card' }),
        available: Type.Number({
          description:
            'The amount that the card may spend now, in whole units of its asset; 0 if it may not spend',
        }),
        status: Type.String({ description: 'State of the card' }),
        network: NetworkField,
        asset: AssetField,
      }),
      { description: 'Methods of MPP that are spoken' },
    ),
  }),
  attack: 'none',
  costs: { statements: 300 },
  errors: ['not_found'],
  handle: async ({ body, caller, at, services }) => {
    const { reader } = services.db
    const cards =
      body?.card_id === undefined
        ? await listCards(reader, caller.walletAddress, {
            ids: caller.cardIds,
            limit: METHODS_MAX - 1,
          })
        : [await ownCard(reader, caller, body.card_id)]
    return {
      methods: cards.map((card) => {
        const left = minusOrZero(card.limitAmount, plus(card.spent, card.held))
        return {
          type: 'card',
          card_id: card.id,
          available: standingRefusal(card, at)
            ? 0
            : toNumber(least(left, card.available), shownAsset(services.chain, card).decimals),
          status: card.status,
          network: card.network,
          asset: card.asset,
        }
      }),
    }
  },
})

const execute = keyRoute({
  method: 'POST',
  path: '/api/ap2/execute',
  tag: 'AP2',
  summary: 'Gone: use POST /api/ap2/settle',
  description: 'Always 410: call `POST /api/ap2/settle`.',
  scope: 'payments:write',
  body: IgnoredBody,
  response: Type.Object({}),
  attack: 'none',
  costs: { statements: 200 },
  errors: ['gone'],
  handle: async () => {
    throw new Problem(
      'gone',
      'This operation has been removed. Have a mandate signed by POST /api/ap2/mandate, and settle the pay link with it by POST /api/ap2/settle.',
      { extra: { migrate_to: '/api/ap2/settle' } },
    )
  },
})

export const ap2OlderRoutes: Route[] = [paymentMethods, execute]
