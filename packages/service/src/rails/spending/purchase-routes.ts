import { Type } from 'typebox'
import { keySpaceOf } from '../../api/http/caller.ts'
import { iso, Success, Timestamp } from '../../api/http/fields.ts'
import { keyRoute, type Route } from '../../api/http/route.ts'
import { openPurchase, WINDOW_MAX_SECONDS } from './purchases.ts'

const open = keyRoute({
  method: 'POST',
  path: '/api/pay/purchases',
  tag: 'Payments',
  summary: 'Name a purchase by what is bought, so that its repetition pays nothing',
  description:
    'For agents that repeat a call without a name of their own for it. Send `purchase_id` as the Idempotency-Key of `POST /api/pay`: within the window the same digest gives the same id, unless its payment was refused.',
  scope: 'payments:write',
  body: Type.Object(
    {
      digest: Type.String({
        pattern: '^[0-9a-f]{64}$',
        description:
          'SHA-256 of what is bought, hex: of the card, the method, the URL and the body',
      }),
      window_seconds: Type.Integer({
        minimum: 1,
        maximum: WINDOW_MAX_SECONDS,
        description: 'How long the same request is a repetition',
      }),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    success: Success,
    purchase_id: Type.String({ description: 'Id of the purchase' }),
    is_new: Type.Boolean({ description: 'Whether it begins with this request' }),
    created_at: Timestamp,
  }),
  attack: { fleeting: 'two to three days' },
  costs: { statements: 600, rows: 200 },
  errors: [],
  handle: async ({ body, caller, at, write }) =>
    write(async (tx) => {
      const { id, createdAt, isNew } = await openPurchase(tx, at, {
        walletAddress: caller.walletAddress,
        keySpace: keySpaceOf(caller),
        digest: Buffer.from(body.digest, 'hex'),
        windowSeconds: body.window_seconds,
      })
      return { success: true, purchase_id: id, is_new: isNew, created_at: iso(createdAt) }
    }),
})

export const purchaseRoutes: Route[] = [open]
