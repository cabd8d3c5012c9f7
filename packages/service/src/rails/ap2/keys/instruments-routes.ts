import { Type } from 'typebox'
import { AssetField, NetworkField } from '../../../api/http/fields.ts'
import { keyRoute, type Route } from '../../../api/http/route.ts'
import { ownCard } from '../../../money/cards/controls/own-card.ts'
import { CardIdField, strict } from '../fields.ts'

const instruments = keyRoute({
  method: 'GET',
  path: '/api/ap2/instruments',
  tag: 'AP2',
  summary: 'How a card is named in a mandate',
  description: 'The card, as mandates name it.',
  scope: 'cards:read',
  query: Type.Object({ card_id: CardIdField }, strict),
  response: Type.Object({
    instruments: Type.Array(
      Type.Object({
        id: Type.String({ description: 'The `payment_instrument.id`' }),
        type: Type.String({ description: 'Kind of instrument' }),
        description: Type.String({ description: 'Description of the instrument, in words' }),
        status: Type.String({ description: 'State of the instrument' }),
        network: NetworkField,
        asset: AssetField,
        currencies: Type.Array(Type.String(), { description: 'Currencies that may be named' }),
      }),
      { description: 'The payment instruments that a mandate may name' },
    ),
  }),
  attack: 'none',
  costs: { statements: 300 },
  errors: ['not_found'],
  handle: async ({ query, caller, services }) => {
    const card = await ownCard(services.db.reader, caller, query.card_id)
    const { id, purpose, status, network, asset } = card
    const currencies = ['USD', 'USDC']
    return {
      instruments: [{ id, type: 'card', description: purpose, status, network, asset, currencies }],
    }
  },
})

export const ap2InstrumentRoutes: Route[] = [instruments]
