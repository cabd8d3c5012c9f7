import { Type } from 'typebox'
import { CodeParam } from '../../../api/http/fields.ts'
import { type Answer, answer, publicRoute, type Route } from '../../../api/http/route.ts'
import type { Services } from '../../../api/http/services.ts'
import { parsePositiveAmount } from '../../../base/kernel/money.ts'
import { notFound, Problem } from '../../../base/kernel/problem.ts'
import { DECLINES } from '../../../money/cards/policy.ts'
import type { LinkSettlement } from '../../../money/settlements/settlement.ts'
import { checkOffered } from '../../direct/gate.ts'
import { assetOfLink, closedProblem, leastProblem } from '../../link/link.ts'
import { findLink, type LinkProtocol, type PayLink } from '../../link/store.ts'
import { settledBody } from '../../link/view.ts'
import type { PayRequest, PresentOutcome } from '../methods/method.ts'
import { METHODS } from '../methods/methods.ts'
import { returnable } from '../methods/x402/sign-in.ts'
import { renderCheckout, renderMissing } from '../page/page.ts'
import { baseOf, pageAnswer } from '../page/routes.ts'
import { viewCheckout } from '../page/view.ts'
import { AGENT_ERRORS, checkAgent } from './agent.ts'
import { PAY_ANSWERS } from './answers.ts'
import { comeBack } from './come-back.ts'
import { demand, sharedHeaders } from './demand.ts'
import { prepareRoute } from './prepare.ts'
import { settleRoute } from './settle.ts'

type Asked = PayRequest & {
  sent: { method: string; target: string }
  params: { code: string }
  query: { amount?: string | undefined }
  at: Date
  services: Services
}

/** One URL for everyone: a page for people, 402 for programs, and the receipt for a request that carries a payment. */
async function pay({ params, query, at, services, sent, ...request }: Asked): Promise<Answer> {
  const wantsPage = (request.headers.accept ?? '').includes('text/html')
  const link = await findLink(services.db.reader, params.code)
  if (!link) {
    if (wantsPage) return pageAnswer(404, renderMissing(baseOf(services)))
    throw notFound('pay link')
  }
  if (link.allowedAgents && !wantsPage)
    await checkAgent(services, at, { link, request, sent, isPaying: isPayment(request) })
  const outcome = await presented(services, at, { link, request })
  const back = outcome ? undefined : await comeBack(services, at, { link, request })
  if (back?.kind === 'settled')
    return await answerOf(services, at, { link, request, outcome: back })
  if (outcome) return await answerOf(services, at, { link, request, outcome })
  if (wantsPage) return checkoutPage(services, at, { link, chosen: query.amount })
  const closed = closedProblem(link, at)
  if (closed) throw returnable(services, at, { link, closed })
  await checkOffered(services, at, link)
  const chosen = chosenAmount(services, link, query.amount)
  const refused = back && { refused: back.refused }
  return await demand(services, at, { link, chosen, request, ...refused })
}

/** Whether the request carries a payment. */
const isPayment = ({ headers }: PayRequest): boolean =>
  METHODS.some(({ present }) => present?.read(headers) !== undefined)

/** The outcome of the one payment that the request carries; undefined if it carries none. */
async function presented(
  services: Services,
  at: Date,
  { link, request }: { link: PayLink; request: PayRequest },
): Promise<PresentOutcome | undefined> {
  const payments = METHODS.flatMap(({ protocol, present }) => {
    const pay = present?.read(request.headers)
    return pay ? [{ protocol, pay }] : []
  })
  const [payment, another] = payments
  if (!payment) return undefined
  if (another)
    throw new Problem(
      'invalid_payment',
      `Send one payment: by ${payment.protocol} or by ${another.protocol}, not both.`,
    )
  checkAccepted(link, payment.protocol)
  return payment.pay(services, at, { link, request })
}

async function answerOf(
  services: Services,
  at: Date,
  of: { link: PayLink; request: PayRequest; outcome: PresentOutcome },
): Promise<Answer> {
  const { link, request, outcome } = of
  if (outcome.kind === 'pending') throw pending(services, outcome.settlement, link)
  if (outcome.kind === 'settled')
    return answer(200, settledBody(services, outcome.settled), {
      ...sharedHeaders(),
      'cache-control': 'private, no-store',
      ...outcome.headers,
    })
  const { refused, chosen } = outcome
  await checkOffered(services, at, link)
  const again = await demand(services, at, { link, chosen, request, refused })
  return answer(402, again.body, { ...again.headers, ...outcome.headers })
}

/** 503 while a payment is on its way: a challenge would make the client sign a second payment. */
const pending = (services: Services, settlement: LinkSettlement | null, link: PayLink): Problem =>
  new Problem(
    'settlement_pending',
    'The payment is on its way to the chain. Repeat this same request for the receipt; do not sign again.',
    {
      headers: { 'retry-after': '3' },
      extra: {
        status_url: `${services.settings.publicUrl}/api/paylinks/${link.code}/status`,
        ...(settlement && { settlement_id: settlement.id }),
      },
    },
  )

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
  if (view.status !== 'ACTIVE') return pageAnswer(410, renderCheckout(view))
  return pageAnswer(view.isGateClosed ? 402 : 200, renderCheckout(view))
}

function chosenAmount(services: Services, link: PayLink, text: string | undefined): bigint | null {
  if (link.amount !== null || text === undefined) return null
  const asset = assetOfLink(services.chain, link)
  const chosen = parsePositiveAmount(text, asset.decimals)
  const small = leastProblem(link, chosen, asset)
  if (small) throw small
  return chosen
}

const AnyBody = Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
  description: 'Anything. MPP binds the payment to its exact bytes',
})

const payRoute = (method: 'GET' | 'POST'): Route =>
  publicRoute({
    method,
    path: '/pay/{code}',
    isOpenToSites: true,
    heedsKey: true,
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
    payments: METHODS.flatMap(({ present }) => present?.ways ?? []),
    response: Type.Any(),
    alsoAnswers: { 402: 'Payment required', 410: 'The link takes no more payments' },
    carried: PAY_ANSWERS,
    attack: 'gas',
    costs: { statements: 1_500, rpc: 300 },
    errors: [
      'invalid_payment',
      'amount_below_minimum',
      'protocol_not_accepted',
      'not_found',
      'pay_link_expired',
      'pay_link_cancelled',
      'pay_link_completed',
      'pay_link_busy',
      'settlement_pending',
      'payment_exception',
      'no_active_plan',
      'signer_unavailable',
      'chain_unavailable',
      ...AGENT_ERRORS,
      ...DECLINES,
    ],
    handle: ({ params, query, headers, rawBody, caller, sent, at, services }) =>
      pay({ params, query, headers, rawBody, caller, sent, at, services }),
  })

export const payRoutes: Route[] = [prepareRoute, settleRoute, payRoute('GET'), payRoute('POST')]
