import { Type } from 'typebox'
import type { Carried } from '../http/openapi/carried.ts'
import { CHALLENGE_HEADER } from '../protocols/mpp/headers/challenge.ts'
import { RECEIPT_HEADER } from '../protocols/mpp/headers/receipt.ts'
import { PROBLEM_CONTENT_TYPE } from '../protocols/mpp/problem.ts'
import { PAYMENT_REQUIRED_HEADER } from '../protocols/x402/requirements.ts'
import { PAYMENT_RESPONSE_HEADER, X_PAYMENT_RESPONSE_HEADER } from '../protocols/x402/response.ts'

const Page = Type.String({
  description: 'For a request with `Accept: text/html`: a page for people',
})

const Ways = Type.Array(Type.Record(Type.String(), Type.Unknown()))
const Demand = Type.Object(
  {
    type: Type.String({ description: 'The problem type (RFC 9457)' }),
    status: Type.Integer({ description: '402' }),
    title: Type.String({ description: 'The problem type in words' }),
    detail: Type.String({ description: 'What to do, or why a payment was refused' }),
    code: Type.String({ description: '`payment_required`' }),
    error: Type.String({ description: 'Why a payment is due, as x402 v1 says it' }),
    x402Version: Type.Integer({ description: '1: the body is the demand of x402 v1' }),
    accepts: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      description: 'The ways to pay by x402 v1',
    }),
    accepted_protocols: Type.Array(Type.String(), { description: 'The protocols of the link' }),
    mpp: { ...Ways, description: 'The challenges of WWW-Authenticate, parsed' },
  },
  { additionalProperties: true },
)

/** What `/pay/{code}` answers beside JSON: a page for people, the headers of x402 and MPP for programs. */
export const PAY_ANSWERS: Record<number, Carried> = {
  200: {
    content: { 'text/html': Page },
    headers: {
      [PAYMENT_RESPONSE_HEADER]: 'The x402 v2 settlement, base64 JSON: after PAYMENT-SIGNATURE',
      [X_PAYMENT_RESPONSE_HEADER]: 'The x402 v1 settlement, base64 JSON: after X-PAYMENT',
      [RECEIPT_HEADER]: 'The MPP receipt, base64url JSON: after `Authorization: Payment`',
    },
  },
  402: {
    content: { 'application/json': Demand, [PROBLEM_CONTENT_TYPE]: Demand },
    headers: {
      [PAYMENT_REQUIRED_HEADER]: 'What x402 v2 may pay, base64 JSON, where the link takes x402',
      [CHALLENGE_HEADER]: 'MPP challenges of the scheme `Payment`, where the link takes MPP',
    },
  },
  404: { content: { 'text/html': Page } },
  410: { content: { 'text/html': Page } },
}
