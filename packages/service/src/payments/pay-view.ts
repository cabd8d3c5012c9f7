import { Type } from 'typebox'
import { AmountOut, NetworkField, NullableString } from '../http/fields.ts'
import { type Answer, answer } from '../http/route.ts'
import type { Asset } from '../kernel/assets.ts'
import { toNumber } from '../kernel/money.ts'
import { Problem } from '../kernel/problem.ts'
import { type ShownResponse, showResponse } from './exchange.ts'
import { isSuccess, type PayResult } from './pay.ts'
import { debitOf, isOpen, type OutboundPayment } from './store.ts'

const ResponseBody = Type.Object({
  status: Type.Integer(),
  headers: Type.Record(Type.String(), Type.String()),
  body: Type.Unknown(),
  body_encoding: Type.String({ description: '`json`, `text` or `base64`' }),
  truncated: Type.Boolean(),
})
const SettlementBody = Type.Object({
  status: Type.String({ description: '`SETTLED` or `PENDING`, as the chain has it' }),
  tx_hash: Type.Union([Type.String(), Type.Null()], {
    description: 'While PENDING: what the seller says, if it says anything',
  }),
})
const ReceiptBody = Type.Object(
  {
    success: Type.Boolean(),
    transaction: NullableString,
    network: NullableString,
    payer: NullableString,
    error_reason: NullableString,
  },
  { description: "The seller's own word on the settlement (PAYMENT-RESPONSE). A claim, no proof" },
)

export const PayBody = Type.Object({
  success: Type.Boolean(),
  transaction_id: NullableString,
  amount_debited: Type.Number({ description: 'All that left the card: merchant amount and fee' }),
  merchant_amount: AmountOut,
  platform_fee: AmountOut,
  token: Type.String(),
  network: NetworkField,
  protocol: NullableString,
  settlement: Type.Union([SettlementBody, Type.Null()]),
  response: Type.Union([ResponseBody, Type.Null()], {
    description: "The seller's answer; null where it was lost, or the request is a retry",
  }),
  receipt: Type.Union([ReceiptBody, Type.Null()]),
})
type Body = {
  success: boolean
  transaction_id: string | null
  amount_debited: number
  merchant_amount: number
  platform_fee: number
  token: string
  network: string
  protocol: string | null
  settlement: { status: string; tx_hash: string | null } | null
  response: ShownResponse | null
  receipt: ReturnType<typeof receiptOf>
}

/** 200 where the money has moved or the seller served; 202 where neither is known; a refusal where it came back. */
export function payAnswer(result: PayResult, asset: Asset): Body | Answer {
  const response = result.response ? showResponse(result.response) : null
  if (result.kind === 'free') return freeBody(asset, response)
  const { payment } = result
  if (payment.state === 'released' || payment.state === 'undone')
    throw new Problem(
      'payment_rejected',
      'The seller did not take the payment, and the money is back on the card. Use a new Idempotency-Key to try again.',
      { extra: { transaction_id: payment.id } },
    )
  const served = result.response !== undefined && isSuccess(result.response)
  const body = paidBody(payment, asset, response)
  if (!isOpen(payment) || served) return body
  return answer(202, {
    ...body,
    success: false,
    code: 'outcome_unknown',
    error: `The payment was handed to the seller and its outcome is not known yet. The money stays held until the chain tells. Do not pay again; ask GET /api/settlement/status/${payment.id}.`,
  })
}

const freeBody = (asset: Asset, response: ShownResponse | null): Body => ({
  success: true,
  transaction_id: null,
  amount_debited: 0,
  merchant_amount: 0,
  platform_fee: 0,
  token: asset.symbol,
  network: asset.network,
  protocol: null,
  settlement: null,
  response,
  receipt: null,
})

function paidBody(payment: OutboundPayment, asset: Asset, response: ShownResponse | null): Body {
  const out = (value: bigint) => toNumber(value, asset.decimals)
  return {
    success: true,
    transaction_id: payment.id,
    amount_debited: out(debitOf(payment)),
    merchant_amount: out(payment.merchantAmount),
    platform_fee: out(payment.fee),
    token: payment.asset,
    network: payment.network,
    protocol: 'x402',
    settlement: {
      status: isOpen(payment) ? 'PENDING' : 'SETTLED',
      tx_hash: payment.txHash ?? claimedHash(payment),
    },
    response,
    receipt: receiptOf(payment),
  }
}

function claimedHash({ receipt }: OutboundPayment): string | null {
  const claimed = receipt?.transaction ?? ''
  return /^0x[0-9a-fA-F]{64}$/.test(claimed) ? claimed.toLowerCase() : null
}

export function receiptOf({ receipt }: OutboundPayment) {
  if (!receipt) return null
  return {
    success: receipt.success,
    transaction: receipt.transaction ?? null,
    network: receipt.network ?? null,
    payer: receipt.payer ?? null,
    error_reason: receipt.errorReason ?? null,
  }
}
