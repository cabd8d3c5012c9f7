import { Type } from 'typebox'
import { AmountOut, iso, Timestamp } from '../../../api/http/fields.ts'
import { keyRoute, type Route } from '../../../api/http/route.ts'
import { toNumber } from '../../../base/kernel/money.ts'
import { exponentOf } from '../../../base/protocols/ap2/read/currency.ts'
import { CardIdField, CardTokenField, type Currency, CurrencyField, strict } from '../fields.ts'
import { lockByToken } from '../own-card.ts'
import { closeDirect, closeWithin } from './close.ts'
import { closingIn, readClosing } from './close-terms.ts'

const mandateRoute = keyRoute({
  method: 'POST',
  path: '/api/ap2/mandate',
  tag: 'AP2',
  summary: 'Have the service sign the payment of a link by a card',
  description:
    'Without `open_mandate` the service signs for the card with its own key. With one it signs with the agent key that it keeps for the card, within what the open mandate allows; the answer is then both, joined. It moves no money: send it to `POST /api/ap2/settle`.',
  scope: 'payments:write',
  body: Type.Object({ card_id: CardIdField, card_token: CardTokenField, ...closingIn }, strict),
  response: Type.Object({
    mandate: Type.String({ description: 'The SD-JWT, to be settled as `closed_mandate`' }),
    mandate_id: Type.String({ description: 'Its `jti`' }),
    amount: AmountOut,
    currency: CurrencyField,
    expires_at: Timestamp,
  }),
  attack: 'open',
  costs: { statements: 1_100, rows: 200 },
  errors: [
    'missing_field',
    'invalid_field',
    'invalid_amount',
    'invalid_address',
    'protocol_not_accepted',
    'invalid_card_token',
    'forbidden_scope',
    'not_found',
    'invalid_state',
    'mandate_expired',
    'mandate_preset_changed',
    'mandate_constraint_violated',
    'mandate_constraint_unresolved',
    'mandate_limits_missing',
    'mandate_revoked',
  ],
  handle: async ({ body, caller, at, services, write }) => {
    const terms = await readClosing(services, at, { body, caller })
    const signer = await services.signing.current(at)
    const { open_mandate: openMandate } = body
    return write(async (tx) => {
      const card = await lockByToken(tx, caller, body)
      const mandate =
        openMandate === undefined
          ? await closeDirect(tx, at, { card, terms, signer })
          : await closeWithin(tx, at, { card, services, terms, openMandate })
      const { amount, currency } = terms.amount
      return {
        mandate,
        mandate_id: terms.id,
        amount: toNumber(amount, exponentOf(currency)),
        currency: currency as Currency,
        expires_at: iso(terms.expiresAt),
      }
    })
  },
})

export const ap2CloseRoutes: Route[] = [mandateRoute]
