import { Type } from 'typebox'
import { idParam, Success } from '../../api/http/fields.ts'
import { keyRoute, type Route } from '../../api/http/route.ts'
import type { Owned } from '../../base/db/owned.ts'
import type { Tx } from '../../base/db/sql.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { assetOf } from '../../chain/client/rails.ts'
import type { Agreement } from '../../members/agreements/agreement.ts'
import { AgreementBody, showAgreement } from '../../members/agreements/view.ts'
import { cancelAgreement, pauseAgreement, resumeAgreement, scheduleCancel } from './change.ts'
import { lockOwnAgreement, type OwnAgreement } from './own-agreement.ts'

const answers = Type.Object({ success: Success, agreement: AgreementBody })
const NoBody = Type.Union([Type.Object({}, { additionalProperties: false }), Type.Null()])

type Change = (tx: Tx, at: Date, of: Owned<OwnAgreement> & { asset: Asset }) => Promise<Agreement>

const changeRoute = (verb: 'pause' | 'resume', summary: string, change: Change) =>
  keyRoute({
    method: 'POST',
    path: `/api/billing/agreements/{id}/${verb}`,
    tag: 'Billing',
    summary,
    description: 'Either party may pause; only the one who paused resumes.',
    scope: 'billing:write',
    params: idParam('agreement'),
    body: NoBody,
    response: answers,
    attack: 'none',
    costs: { statements: 600 },
    errors: ['not_found', 'invalid_state'],
    handle: async ({ params, caller, at, services, write }) => {
      return write(async (tx) => {
        const own = await lockOwnAgreement(tx, caller, params.id)
        const asset = assetOf(services.chain, own.agreement)
        const agreement = await change(tx, at, { ...own, asset })
        const viewer = caller.walletAddress
        return { success: true, agreement: showAgreement(agreement, { viewer, asset }) }
      })
    },
  })

const cancel = keyRoute({
  method: 'POST',
  path: '/api/billing/agreements/{id}/cancel',
  tag: 'Billing',
  summary: 'End an agreement, now or with its current period',
  description:
    'Either party may. Once this answers nothing is charged; with `at_period_end` nothing after the current period.',
  scope: 'billing:write',
  params: idParam('agreement'),
  body: Type.Union([
    Type.Object(
      {
        at_period_end: Type.Optional(
          Type.Boolean({
            description:
              'true: the agreement lasts to the end of its period; otherwise it ends now',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    Type.Null(),
  ]),
  response: answers,
  attack: 'none',
  costs: { statements: 600 },
  errors: ['not_found', 'invalid_state', 'invalid_field'],
  handle: async ({ params, body, caller, at, services, write }) => {
    const change = body?.at_period_end === true ? scheduleCancel : cancelAgreement
    return write(async (tx) => {
      const own = await lockOwnAgreement(tx, caller, params.id)
      const asset = assetOf(services.chain, own.agreement)
      const agreement = await change(tx, at, { ...own, asset })
      const viewer = caller.walletAddress
      return { success: true, agreement: showAgreement(agreement, { viewer, asset }) }
    })
  },
})

export const billingChangeRoutes: Route[] = [
  changeRoute('pause', 'Stop the charges of an agreement for a time', pauseAgreement),
  changeRoute('resume', 'Go on with a paused agreement, from the next period', resumeAgreement),
  cancel,
]
