import { Type } from 'typebox'
import type { Carried } from '../../../api/http/route.ts'
import { PROBLEM_CONTENT_TYPE } from '../../../base/protocols/mpp/problem.ts'
import type { PayMethod } from '../methods/method.ts'
import { METHODS } from '../methods/methods.ts'

const Page = Type.String({
  description: 'For a request with `Accept: text/html`: a page for people',
})

const Ways = Type.Array(Type.Record(Type.String(), Type.Unknown()))
const Demand = Type.Object(
  {
    type: Type.String({ description: 'The problem type (RFC 9457)' }),
    status: Type.Integer({ description: '402' }),
    title: Type.String({ description: 'The problem type in words' }),
    detail: Type.String({ description: 'The next step, or the reason for a refusal' }),
    code: Type.String({ description: '`payment_required`' }),
    error: Type.String({ description: 'Why a payment is due, as x402 v1 says it' }),
    x402Version: Type.Integer({ description: '1: the body is the demand of x402 v1' }),
    accepts: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      description: 'The ways to pay by x402 v1',
    }),
    accepted_protocols: Type.Array(Type.String(), { description: 'The protocols of the link' }),
    mpp: { ...Ways, description: 'The challenges of WWW-Authenticate, parsed' },
  },
  { title: 'PaymentDemand', additionalProperties: true },
)

const headersOf = (pick: (method: PayMethod) => Record<string, string> | undefined) =>
  Object.assign({}, ...METHODS.map(pick)) as Record<string, string>

/** The answers of `/pay/{code}` besides JSON: a page for people, and the headers of each method for programs. */
export const PAY_ANSWERS: Record<number, Carried> = {
  200: {
    content: { 'text/html': Page },
    headers: headersOf(({ present }) => present?.receiptHeaders),
  },
  402: {
    content: { 'application/json': Demand, [PROBLEM_CONTENT_TYPE]: Demand },
    headers: headersOf((method) => method.demand?.headers),
  },
  404: { content: { 'text/html': Page } },
  410: { content: { 'text/html': Page } },
}
