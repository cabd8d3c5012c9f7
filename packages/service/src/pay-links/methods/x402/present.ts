import { type Answer, answer } from '../../../http/route.ts'
import type { Services } from '../../../http/services.ts'
import type { Address, Hex } from '../../../kernel/assets.ts'
import { Problem } from '../../../kernel/problem.ts'
import {
  type PaymentPayload,
  parseAnyPaymentSignature,
  parseAnyXPayment,
} from '../../../protocols/x402/payload.ts'
import {
  encodePaymentResponse,
  encodeXPaymentResponse,
  PAYMENT_RESPONSE_HEADER,
  type SettleResponse,
  X_PAYMENT_RESPONSE_HEADER,
} from '../../../protocols/x402/response.ts'
import { demand, PAID_HEADERS, type PayRequest, pending, problemOf } from '../../demand.ts'
import type { PayLink } from '../../store.ts'
import { settledBody } from '../../view.ts'
import { settleByX402 } from './settle.ts'

/** The x402 payment that a request carries, read strictly; a malformed one is 400. */
export function readX402Payment(headers: PayRequest['headers']): PaymentPayload | undefined {
  const v2 = headers['payment-signature']
  const v1 = headers['x-payment']
  if (v2 !== undefined && v1 !== undefined)
    throw new Problem(
      'invalid_payment',
      'Send one payment: PAYMENT-SIGNATURE or X-PAYMENT, not both.',
    )
  const parsed =
    v2 !== undefined
      ? parseAnyPaymentSignature(v2)
      : v1 !== undefined
        ? parseAnyXPayment(v1)
        : undefined
  if (!parsed) return undefined
  if (!parsed.ok)
    throw new Problem('invalid_payment', parsed.detail, { extra: { reason: parsed.reason } })
  return parsed.payload
}

/** Settles the link by the payment and answers its receipt, or 402 with the reason and the demand again. */
export async function payByX402(
  services: Services,
  at: Date,
  of: { link: PayLink; payment: PaymentPayload; request: PayRequest },
): Promise<Answer> {
  const { link, payment, request } = of
  const outcome = await settleByX402(services, at, { link, payload: payment })
  if (outcome.kind === 'pending') throw pending(services, outcome.settlement, link)
  const payer = payment.authorization.from as Address
  const paid = { network: services.chain.network, payer }
  if (outcome.kind === 'settled') {
    const transaction = (outcome.settlement.txHash ?? '') as Hex
    const receipt = receiptHeader(payment, { success: true, transaction, ...paid })
    return answer(200, settledBody(services, outcome), { ...PAID_HEADERS, ...receipt })
  }
  const { reason, detail, headers } = outcome
  const failed = { success: false, errorReason: reason, transaction: '', ...paid } as const
  const again = demand(services, at, {
    link,
    request,
    chosen: link.amount === null ? payment.authorization.value : null,
    refused: { problem: problemOf(reason), reason, detail },
  })
  return answer(402, again.body, {
    ...again.headers,
    ...headers,
    ...receiptHeader(payment, failed),
  })
}

const receiptHeader = (
  payment: PaymentPayload,
  response: SettleResponse,
): Record<string, string> =>
  payment.x402Version === 1
    ? { [X_PAYMENT_RESPONSE_HEADER]: encodeXPaymentResponse(response) }
    : { [PAYMENT_RESPONSE_HEADER]: encodePaymentResponse(response) }
