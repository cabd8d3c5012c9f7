import { Type } from 'typebox'
import { CodeParam } from '../http/fields.ts'
import { type Answer, publicRoute, type Route } from '../http/route.ts'
import type { Services } from '../http/services.ts'
import { parsePositiveAmount } from '../kernel/money.ts'
import { notFound, Problem } from '../kernel/problem.ts'
import { MppRefusal } from '../protocols/mpp/refusal.ts'
import { demand, type PayRequest } from './demand.ts'
import { closedProblem } from './link.ts'
import { payByMpp, readMppPayment, refuseMpp } from './methods/mpp/present.ts'
import { payByX402, readX402Payment } from './methods/x402/present.ts'
import { renderCheckout, renderMissing } from './page/page.ts'
import { baseOf, pageAnswer } from './page/routes.ts'
import { viewCheckout } from './page/view.ts'
import { PAY_ANSWERS } from './pay-answers.ts'
import { findLink, type LinkProtocol, type PayLink } from './store.ts'

type Asked = PayRequest & {
  params: { code: string }
  query: { amount?: string | undefined }
  at: Date
  services: Services
}

/** One URL for everybody: a page for people, 402 for programs, the receipt for who has paid. */
async function pay({ params, query, at, services, ...request }: Asked): Promise<Answer> {
  const wantsPage = (request.headers.accept ?? '').includes('text/html')
  const link = await findLink(services.db.reader, params.code)
  if (!link) {
    if (wantsPage) return pageAnswer(404, renderMissing(baseOf(services)))
    throw notFound('pay link')
  }
  const paid = await payWith(services, at, { link, request })
  if (paid) return paid
  if (wantsPage) return checkoutPage(services, at, { link, chosen: query.amount })
  const closed = closedProblem(link, at)
  if (closed) throw closed
  const chosen = chosenAmount(services, link, query.amount)
  return demand(services, at, { link, chosen, request })
}

/** The answer to the one payment that the request carries; `undefined` where it carries none. */
async function payWith(
  services: Services,
  at: Date,
  { link, request }: { link: PayLink; request: PayRequest },
): Promise<Answer | undefined> {
  const x402 = readX402Payment(request.headers)
  const mpp = readMppPayment(request.headers)
  if (x402 && mpp)
    throw new Problem(
      'invalid_payment',
      'Send one payment: one of x402 or a Payment credential, not both.',
    )
  if (x402) {
    checkAccepted(link, 'x402')
    return payByX402(services, at, { link, payment: x402, request })
  }
  if (!mpp) return undefined
  checkAccepted(link, 'mpp')
  return mpp instanceof MppRefusal
    ? refuseMpp(services, at, { link, request, refusal: mpp })
    : payByMpp(services, at, { link, credential: mpp, request })
}

function checkAccepted(link: PayLink, protocol: LinkProtocol): void {
  if (!link.acceptedProtocols.includes(protocol))
    throw new Problem(
      'protocol_not_accepted',
      `This link takes ${link.acceptedProtocols.join(', ')}, not ${protocol}.`,
    )
}

async function checkoutPage(
  services: Services,
  at: Date,
  asked: { link: PayLink; chosen: string | undefined },
): Promise<Answer> {
  const view = await viewCheckout(services, at, asked)
  return pageAnswer(view.status === 'ACTIVE' ? 200 : 410, renderCheckout(view))
}

function chosenAmount(services: Services, link: PayLink, text: string | undefined): bigint | null {
  if (link.amount !== null || text === undefined) return null
  return parsePositiveAmount(text, services.chain.asset.decimals)
}

const AnyBody = Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
  description: 'Whatever is sent with the payment: MPP binds the payment to these very bytes',
})

const payRoute = (method: 'GET' | 'POST'): Route =>
  publicRoute({
    method,
    path: '/pay/{code}',
    isOpenToSites: true,
    tag: 'Pay links',
    summary: 'Pay a link: a page for people, x402 and MPP for programs',
    description:
      'With `Accept: text/html` the checkout page. Otherwise 402 with the x402 v2 header PAYMENT-REQUIRED, MPP challenges in `WWW-Authenticate: Payment` and a problem document that lists every way to pay. With PAYMENT-SIGNATURE (or X-PAYMENT of x402 v1) the payment is settled on chain and PAYMENT-RESPONSE returned; with `Authorization: Payment` on chain (method `evm`) or by a card of this service (`agentcard`), and Payment-Receipt returned. The same payment again gets the same receipt.',
    params: CodeParam,
    query: Type.Object({
      amount: Type.Optional(
        Type.String({ maxLength: 40, description: 'For a link whose payer chooses the amount' }),
      ),
    }),
    ...(method === 'POST' && { body: AnyBody }),
    payments: [
      {
        method: 'evm',
        intent: 'charge',
        description: 'By EIP-3009 authorization; gas is paid here',
      },
      {
        ...{ method: 'agentcard', intent: 'charge', currency: 'usdc' },
        description: 'By a card of this service: POST /api/mpp/agentcard gives the credential',
      },
    ],
    response: Type.Any(),
    alsoAnswers: { 402: 'Payment required', 410: 'The link takes no more payments' },
    carried: PAY_ANSWERS,
    errors: [
      'invalid_payment',
      'protocol_not_accepted',
      'not_found',
      'pay_link_expired',
      'pay_link_cancelled',
      'pay_link_completed',
      'pay_link_busy',
      'settlement_pending',
      'signer_unavailable',
    ],
    handle: ({ params, query, headers, rawBody, at, services }) =>
      pay({ params, query, headers, rawBody, at, services }),
  })

export const payRoutes: Route[] = [payRoute('GET'), payRoute('POST')]
