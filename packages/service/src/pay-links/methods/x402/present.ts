import type { Services } from '../../../http/services.ts'
import type { Address, Hex } from '../../../kernel/assets.ts'
import { Problem } from '../../../kernel/problem.ts'
import {
  type PaymentPayload,
  parseAnyPaymentSignature,
  parseAnyXPayment,
} from '../../../protocols/x402/payment/payload.ts'
import { parsePermit2Signature } from '../../../protocols/x402/payment/permit2.ts'
import {
  encodePaymentResponse,
  encodeXPaymentResponse,
  PAYMENT_RESPONSE_HEADER,
  type SettleResponse,
  X_PAYMENT_RESPONSE_HEADER,
} from '../../../protocols/x402/response.ts'
import { assetOf } from '../../link.ts'
import type { PayLink } from '../../store.ts'
import type { PayRequest, Present, PresentOutcome } from '../method.ts'
import { problemOf } from '../refused.ts'
import { settleByX402, settleDirectByX402 } from './settle.ts'

export const x402Present: Present = {
  requestHeaders: ['payment-signature', 'x-payment'],
  receiptHeaders: {
    [PAYMENT_RESPONSE_HEADER]: 'The x402 v2 settlement, base64 JSON: after PAYMENT-SIGNATURE',
    [X_PAYMENT_RESPONSE_HEADER]: 'The x402 v1 settlement, base64 JSON: after X-PAYMENT',
  },
  ways: [],
  read(headers) {
    if (headers['payment-signature'] === undefined && headers['x-payment'] === undefined)
      return undefined
    return (services, at, { link }) =>
      pay(services, at, { link, payment: readPayment(services, link, headers) })
  },
}

/** The x402 payment in the headers, read strictly: by Permit2 if the link offers that. A malformed one is 400. */
function readPayment(
  services: Services,
  link: PayLink,
  headers: PayRequest['headers'],
): PaymentPayload {
  const v2 = headers['payment-signature']
  const v1 = headers['x-payment']
  if (v2 !== undefined && v1 !== undefined)
    throw new Problem(
      'invalid_payment',
      'Send one payment: PAYMENT-SIGNATURE or X-PAYMENT, not both.',
    )
  const parsed =
    v2 === undefined
      ? parseAnyXPayment(v1 ?? '')
      : assetOf(services.chain, link) === services.chain.asset
        ? parseAnyPaymentSignature(v2)
        : parsePermit2Signature(v2, { asset: link.token as Address, payTo: link.payTo })
  if (!parsed.ok)
    throw new Problem('invalid_payment', parsed.detail, { extra: { reason: parsed.reason } })
  return parsed.payload
}

/** Settles the link by the payment. The receipt header names the refusal too. */
async function pay(
  services: Services,
  at: Date,
  { link, payment }: { link: PayLink; payment: PaymentPayload },
): Promise<PresentOutcome> {
  const settle = link.token === null ? settleByX402 : settleDirectByX402
  const outcome = await settle(services, at, { link, payload: payment })
  if (outcome.kind === 'pending') return outcome
  const payer = payment.authorization.from as Address
  const paid = { network: services.chain.network, payer }
  if (outcome.kind === 'settled') {
    const transaction = (outcome.settlement.txHash ?? '') as Hex
    const headers = receiptHeader(payment, { success: true, transaction, ...paid })
    return { kind: 'settled', settled: outcome, headers }
  }
  const { reason, detail, headers } = outcome
  const failed = { success: false, errorReason: reason, transaction: '', ...paid } as const
  return {
    kind: 'refused',
    refused: { problem: problemOf(reason), reason, detail },
    chosen: link.amount === null ? payment.authorization.value : null,
    headers: { ...headers, ...receiptHeader(payment, failed) },
  }
}

const receiptHeader = (
  payment: PaymentPayload,
  response: SettleResponse,
): Record<string, string> =>
  payment.x402Version === 1
    ? { [X_PAYMENT_RESPONSE_HEADER]: encodeXPaymentResponse(response) }
    : { [PAYMENT_RESPONSE_HEADER]: encodePaymentResponse(response) }
