import { Type } from 'typebox'
import { Success } from '../../../api/http/fields.ts'
import { keyRoute, type Route } from '../../../api/http/route.ts'
import { strict } from '../fields.ts'
import { receiptOf } from './receipts.ts'
import { keepReceived, readReceipt } from './received-receipt.ts'

const receive = keyRoute({
  method: 'POST',
  path: '/api/ap2/receipt',
  tag: 'AP2',
  summary: "Keep a merchant's receipt with the mandate that it is for",
  description:
    'For mandates that paid here or that the service signed for you. The receipt must refer to the mandate; its signature is verified if this service made it.',
  scope: 'payments:write',
  body: Type.Object(
    {
      payment_receipt: Type.String({ minLength: 1, maxLength: 16_384, description: 'JWT' }),
      mandate_id: Type.String({ minLength: 1, maxLength: 300, description: 'Id of the mandate' }),
    },
    strict,
  ),
  response: Type.Object({
    success: Success,
    mandate_id: Type.String({ description: 'Id of the mandate' }),
    status: Type.String({ description: 'Success or Error, as the receipt says' }),
    signature: Type.String({ description: 'verified or unverified' }),
  }),
  attack: 'none',
  costs: { statements: 300 },
  errors: ['invalid_field', 'not_found'],
  handle: async ({ body, caller, at, services, write }) => {
    const receipt = await readReceipt(services, body.payment_receipt)
    const { walletAddress } = caller
    return write(async (tx) => {
      await keepReceived(tx, at, { walletAddress, mandateId: body.mandate_id, receipt })
      const { status, signature } = receipt
      return { success: true, mandate_id: body.mandate_id, status, signature }
    })
  },
})

const receipt = keyRoute({
  method: 'GET',
  path: '/api/ap2/receipts/{settlement_id}',
  tag: 'AP2',
  summary: 'The signed AP2 receipt of a settlement, for its payer and its seller',
  description: 'Signed when it is first asked for, and the same ever after.',
  scope: 'payments:read',
  params: Type.Object({
    settlement_id: Type.String({ maxLength: 64, description: 'Id of the settlement' }),
  }),
  response: Type.Object({
    settlement_id: Type.String({ description: 'Id of the settlement' }),
    receipt: Type.String({ description: 'A JWT that a key of our JWKS signed' }),
  }),
  attack: 'none',
  costs: { statements: 300 },
  errors: ['not_found', 'payment_archived'],
  handle: async ({ params, caller, at, services }) => ({
    settlement_id: params.settlement_id,
    receipt: await receiptOf(services, at, { settlementId: params.settlement_id, caller }),
  }),
})

export const ap2ReceiptRoutes: Route[] = [receipt, receive]
