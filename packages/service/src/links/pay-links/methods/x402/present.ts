import type { Uses } from '../../../../api/http/services.ts'
import type { Address, Hex } from '../../../../base/kernel/assets.ts'
import { unixSeconds } from '../../../../base/kernel/clock.ts'
import { Problem } from '../../../../base/kernel/problem.ts'
import {
  type ParsedPayment,
  type PaymentPayload,
  parseAnyPaymentSignature,
  parseAnyXPayment,
} from '../../../../base/protocols/x402/payment/payload.ts'
import { parsePermit2Signature } from '../../../../base/protocols/x402/payment/permit2.ts'
import {
  encodePaymentResponse,
  encodeXPaymentResponse,
  PAYMENT_RESPONSE_HEADER,
  type SettleResponse,
  X_PAYMENT_RESPONSE_HEADER,
} from '../../../../base/protocols/x402/response.ts'
import type { JsonObject } from '../../../../base/protocols/x402/wire.ts'
import type { PayLink } from '../../../link/store.ts'
import type { SettledLink } from '../../../link/view.ts'
import { isPaidByPermit } from '../authorization/payer.ts'
import type { PayRequest, Present, PresentOutcome } from '../method.ts'
import { problemOf } from '../refused.ts'
import { resourceOf } from './offer.ts'
import { settleByX402, settleDirectByX402 } from './settle.ts'
import { signReceipt } from './signed.ts'

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
  services: Uses<'chain'>,
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
  const parsed = parsePayment(services, link, v2 === undefined ? { v1: v1 ?? '' } : { v2 })
  if (!parsed.ok)
    throw new Problem('invalid_payment', parsed.detail, { extra: { reason: parsed.reason } })
  return parsed.payload
}

/** Reads the value of PAYMENT-SIGNATURE (v2) or X-PAYMENT (v1) as this link is paid. */
export function parsePayment(
  services: Uses<'chain'>,
  link: PayLink,
  header: { v1: string; v2?: undefined } | { v2: string },
): ParsedPayment {
  if (header.v2 === undefined) return parseAnyXPayment(header.v1)
  return isPaidByPermit(services, link)
    ? parsePermit2Signature(header.v2, { asset: link.token as Address, payTo: link.payTo })
    : parseAnyPaymentSignature(header.v2)
}

/** Settles the link by the payment. The receipt header names the refusal too. */
async function pay(
  services: Uses<'chain' | 'clock' | 'db' | 'lanes' | 'log' | 'relay' | 'settings' | 'signing'>,
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
    const response = { success: true, transaction, ...paid } as const
    const extensions = await signedReceipt(services, at, { link, payment, outcome })
    const headers = receiptHeader(payment, { ...response, ...extensions })
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

/** Our signed word that the link was paid; v1 of x402 has no place for it. */
async function signedReceipt(
  services: Uses<'chain' | 'settings' | 'signing'>,
  at: Date,
  { link, payment, outcome }: { link: PayLink; payment: PaymentPayload; outcome: SettledLink },
): Promise<{ extensions?: JsonObject }> {
  if (payment.x402Version === 1) return {}
  const { authorization } = payment
  const { txHash, settledAt } = outcome.settlement
  const chosen = link.amount === null ? authorization.value : null
  const receipt = {
    resourceUrl: resourceOf(services, link, chosen),
    network: services.chain.network,
    payer: authorization.from,
    // The time of the payment, not of the answer: a repeated request gets the same receipt.
    issuedAt: unixSeconds(settledAt ?? at),
    ...(txHash && { transaction: txHash }),
  }
  return { extensions: await signReceipt(services, at, receipt) }
}

const receiptHeader = (
  payment: PaymentPayload,
  response: SettleResponse,
): Record<string, string> =>
  payment.x402Version === 1
    ? { [X_PAYMENT_RESPONSE_HEADER]: encodeXPaymentResponse(response) }
    : { [PAYMENT_RESPONSE_HEADER]: encodePaymentResponse(response) }
