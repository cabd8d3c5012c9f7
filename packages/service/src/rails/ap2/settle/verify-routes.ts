import { Type } from 'typebox'
import { isoOrNull, NullableString, NullableTimestamp } from '../../../api/http/fields.ts'
import { keyRoute, type Route } from '../../../api/http/route.ts'
import type { Presentation } from '../../../base/protocols/ap2/read/presentation.ts'
import { strict } from '../fields.ts'
import { dryRun } from './dry-run.ts'

const MANDATE_MAX = 200_000

const verify = keyRoute({
  method: 'POST',
  path: '/api/ap2/verify',
  tag: 'AP2',
  summary: 'Try a mandate on a link: each check and its result; nothing moves',
  description:
    'Makes every check of `POST /api/ap2/settle` but that of the card token, against the state of this moment. `ok` says whether settle would accept it now, or has accepted it. The wallet of the payer card is shown why not; for others a limit, a balance or a budget in the way is `payment_rejected`.',
  scope: 'payments:read',
  body: Type.Object(
    {
      pay_link_code: Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Code of the pay link',
      }),
      closed_mandate: Type.String({
        minLength: 1,
        maxLength: MANDATE_MAX,
        description: 'The closed payment mandate of AP2, as an SD-JWT',
      }),
      open_mandate: Type.Optional(
        Type.String({
          maxLength: MANDATE_MAX,
          description: 'The open payment mandate of AP2, as an SD-JWT',
        }),
      ),
    },
    strict,
  ),
  response: Type.Object({
    ok: Type.Boolean({ description: 'Whether it passed' }),
    already_settled: Type.Boolean({ description: 'Whether this mandate has paid the link before' }),
    checks: Type.Array(
      Type.Object({
        check: Type.String({ description: 'Name of the check' }),
        ok: Type.Boolean({ description: 'Whether it passed' }),
        detail: Type.String({ description: 'Why it did not pass, in words' }),
        code: NullableString('Code of the pay link'),
      }),
      { description: 'Each check of the mandate in order, and its result' },
    ),
    mandate: Type.Union(
      [
        Type.Object({
          kind: Type.String({ description: 'direct or autonomous' }),
          mandate_id: Type.String({ description: 'Id of the mandate' }),
          open_id: NullableString('Hash under which the use of the open mandate is counted'),
          payee: Type.String({ description: 'The payee' }),
          payment_amount: Type.Object(
            {
              amount: Type.Integer({ description: 'In whole units of the asset' }),
              currency: Type.String({
                description: 'Currency of the amount, or the contract of its token',
              }),
            },
            { description: 'The amount to pay, in minor units of the currency' },
          ),
          card_id: Type.String({ description: 'Id of the card' }),
          expires_at: NullableTimestamp('When it ends; null for never'),
        }),
        Type.Null(),
      ],
      { description: 'The mandate' },
    ),
  }),
  attack: 'none',
  costs: { statements: 800 },
  errors: ['protocol_not_accepted', 'not_found'],
  handle: async ({ body, caller, at, services }) => {
    const presented = {
      code: body.pay_link_code,
      closedMandate: body.closed_mandate,
      openMandate: body.open_mandate,
    }
    const { ok, isSettled, checks, presentation } = await dryRun(services, at, {
      presented,
      caller,
    })
    return {
      ok,
      already_settled: isSettled,
      checks: checks.map(({ code = null, ...check }) => ({ ...check, code })),
      mandate: presentation ? mandateOf(presentation) : null,
    }
  },
})

const mandateOf = ({ shape, mandateId, openId, closed, expiresAt }: Presentation) => ({
  kind: shape,
  mandate_id: mandateId,
  open_id: openId ?? null,
  payee: closed.payee.id,
  payment_amount: { amount: Number(closed.amount.amount), currency: closed.amount.currency },
  card_id: closed.instrument.id,
  expires_at: isoOrNull(expiresAt ?? null),
})

export const ap2VerifyRoutes: Route[] = [verify]
