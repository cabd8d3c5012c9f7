import { Type } from 'typebox'
import { AGREEMENT_STATUSES, PARTIES } from '../../api/events/types/agreements.ts'
import {
  CursorQuery,
  checkAfter,
  HasMore,
  idParam,
  OneOf,
  PAGE_DEFAULT,
  pageOf,
} from '../../api/http/fields.ts'
import { keyRoute, type Route } from '../../api/http/route.ts'
import { railOf } from '../../chain/client/rails.ts'
import { findAgreement, listAgreements, listCharges } from '../../members/agreements/store.ts'
import {
  AgreementBody,
  ChargeBody,
  showAgreement,
  showCharge,
} from '../../members/agreements/view.ts'
import { billingChangeRoutes } from './change-routes.ts'
import { billingCreateRoutes } from './create-routes.ts'
import { isParty, ownAgreement } from './own-agreement.ts'

const list = keyRoute({
  method: 'GET',
  path: '/api/billing/agreements',
  tag: 'Billing',
  summary: "The wallet's agreements, newest first",
  description: 'Those that it pays and those that pay it; `role` names one side.',
  scope: 'billing:read',
  query: Type.Object(
    {
      ...CursorQuery,
      role: Type.Optional(OneOf(PARTIES, 'Your side of the agreements; both without it')),
      status: Type.Optional(OneOf(AGREEMENT_STATUSES, 'State of the agreement')),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    agreements: Type.Array(AgreementBody, { description: 'The agreements, newest first' }),
    has_more: HasMore,
  }),
  attack: 'none',
  costs: { statements: 300 },
  errors: ['invalid_field'],
  handle: async ({ query, caller, services }) => {
    const { reader } = services.db
    const { limit = PAGE_DEFAULT, after, role, status } = query
    await checkAfter(after, async (id) => {
      const agreement = await findAgreement(reader, id)
      return agreement !== undefined && isParty(agreement, caller)
    })
    const { walletAddress, cardIds } = caller
    const filter = { walletAddress, cardIds, role, status, after, limit }
    const { rows, hasMore } = pageOf(await listAgreements(reader, filter), limit)
    const shown = rows.map((one) =>
      showAgreement(one, { viewer: walletAddress, asset: railOf(services.chain, one.asset).asset }),
    )
    return { agreements: shown, has_more: hasMore }
  },
})

const get = keyRoute({
  method: 'GET',
  path: '/api/billing/agreements/{id}',
  tag: 'Billing',
  summary: 'An agreement and its newest charges',
  description:
    'For its payer and its merchant, at most 100 charges, newest first. The open mandate that funds it is never shown.',
  scope: 'billing:read',
  params: idParam('agreement'),
  response: Type.Object({
    agreement: AgreementBody,
    charges: Type.Array(ChargeBody, { description: 'The newest hundred charges' }),
  }),
  attack: 'none',
  costs: { statements: 300 },
  errors: ['not_found'],
  handle: async ({ params, caller, services }) =>
    services.db.together(async (on) => {
      const { agreement, party } = await ownAgreement(on, caller, params.id)
      const { asset } = railOf(services.chain, agreement.asset)
      const charges = await listCharges(on, agreement.id)
      return {
        agreement: showAgreement(agreement, { viewer: caller.walletAddress, asset }),
        charges: charges.map((one) => showCharge(one, { isPayer: party === 'payer', asset })),
      }
    }),
})

export const billingRoutes: Route[] = [list, get, ...billingCreateRoutes, ...billingChangeRoutes]
