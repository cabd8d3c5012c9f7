import { Type } from 'typebox'
import { CodeParam } from '../http/fields.ts'
import { type Answer, answer, publicRoute, type Route } from '../http/route.ts'
import type { Services } from '../http/services.ts'
import type { Address } from '../kernel/assets.ts'
import { formatAmount, parsePositiveAmount, toNumber } from '../kernel/money.ts'
import { notFound, Problem } from '../kernel/problem.ts'
import {
  type PaymentPayload,
  parsePaymentSignature,
  parseXPayment,
} from '../protocols/x402/payload.ts'
import {
  encodePaymentRequired,
  PAYMENT_REQUIRED_HEADER,
  type PaymentRequired,
  paymentRequiredV1,
} from '../protocols/x402/requirements.ts'
import {
  encodePaymentResponse,
  encodeXPaymentResponse,
  PAYMENT_RESPONSE_HEADER,
  type SettleResponse,
  X_PAYMENT_RESPONSE_HEADER,
} from '../protocols/x402/response.ts'
import { renderCheckout, renderMissing } from './checkout-page.ts'
import { baseOf, pageAnswer } from './checkout-routes.ts'
import { viewCheckout } from './checkout-view.ts'
import { closedProblem } from './link.ts'
import { offerOf, settleByX402 } from './settle-by-x402.ts'
import { findLink, type PayLink } from './store.ts'
import { linkUrl, settledBody } from './view.ts'

type Asked = {
  params: { code: string }
  query: { amount?: string | undefined }
  headers: Record<string, string | undefined>
  at: Date
  services: Services
}

/** The headers that tell browsers' scripts how the payment went, and caches to keep out. */
const SHARED_HEADERS = {
  'cache-control': 'no-store',
  vary: 'accept, payment-signature, x-payment',
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-PAYMENT-RESPONSE, Retry-After',
}

/** One URL for everybody: a page for people, 402 for x402 clients and programs, the receipt for who has paid. */
async function pay({ params, query, headers, at, services }: Asked): Promise<Answer> {
  const wantsPage = (headers.accept ?? '').includes('text/html')
  const link = await findLink(services.db.reader, params.code)
  if (!link) {
    if (wantsPage) return pageAnswer(404, renderMissing(baseOf(services)))
    throw notFound('pay link')
  }
  const payment = readPayment(headers)
  if (payment) return settle(services, at, { link, payment, query })
  if (wantsPage) return checkoutPage(services, at, { link, chosen: query.amount })
  const closed = closedProblem(link, at)
  if (closed) throw closed
  return demand(services, { link, chosen: chosenAmount(services, link, query.amount) })
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

/** 402 with every way to pay: the x402 v2 header, the v1 body, and the rest in words. */
function demand(
  services: Services,
  of: { link: PayLink; chosen: bigint | null; error?: string | undefined },
): Answer {
  const { link } = of
  const { asset } = services.chain
  const url = linkUrl(services, link)
  const accepts = link.acceptedProtocols.includes('x402') ? offerOf(services, link, of.chosen) : []
  const required: PaymentRequired = {
    resource: {
      url: of.chosen === null ? url : `${url}?amount=${formatAmount(of.chosen, asset.decimals)}`,
      description: link.memo || `Pay link ${link.code}`,
      mimeType: 'application/json',
    },
    accepts,
    error:
      of.error ??
      (accepts.length > 0 ? 'payment required' : 'name the amount: add ?amount= to the URL'),
  }
  const body = {
    ...paymentRequiredV1(required),
    code: 'payment_required',
    pay_link: {
      code: link.code,
      url,
      amount: link.amount === null ? null : toNumber(link.amount, asset.decimals),
      memo: link.memo,
    },
    accepted_protocols: link.acceptedProtocols,
    prepare: `${services.settings.publicUrl}/api/pay/${link.code}/prepare`,
    settle: `${services.settings.publicUrl}/api/pay/${link.code}/settle`,
  }
  const header =
    accepts.length > 0 ? { [PAYMENT_REQUIRED_HEADER]: encodePaymentRequired(required) } : {}
  return answer(402, body, { ...SHARED_HEADERS, ...header })
}

/** The payment that the request carries, read strictly; a malformed one is 400. */
function readPayment(headers: Asked['headers']): PaymentPayload | undefined {
  const v2 = headers['payment-signature']
  const v1 = headers['x-payment']
  if (v2 !== undefined && v1 !== undefined)
    throw new Problem(
      'invalid_payment',
      'Send one payment: PAYMENT-SIGNATURE or X-PAYMENT, not both.',
    )
  const parsed =
    v2 !== undefined ? parsePaymentSignature(v2) : v1 !== undefined ? parseXPayment(v1) : undefined
  if (!parsed) return undefined
  if (!parsed.ok)
    throw new Problem('invalid_payment', parsed.detail, { extra: { reason: parsed.reason } })
  return parsed.payload
}

async function settle(
  services: Services,
  at: Date,
  of: { link: PayLink; payment: PaymentPayload; query: Asked['query'] },
): Promise<Answer> {
  const { link, payment } = of
  if (!link.acceptedProtocols.includes('x402'))
    throw new Problem(
      'protocol_not_accepted',
      `This link takes ${link.acceptedProtocols.join(', ')}, not x402.`,
    )
  const outcome = await settleByX402(services, at, { link, payload: payment })
  const payer = payment.authorization.from as Address
  const network = services.chain.network
  if (outcome.kind === 'settled') {
    const { settlement } = outcome
    const transaction = settlement.txHash as `0x${string}`
    const receipt = receiptHeader(payment, { success: true, transaction, network, payer })
    return answer(200, settledBody(services, outcome), {
      ...SHARED_HEADERS,
      ...receipt,
      'cache-control': 'private, no-store',
    })
  }
  if (outcome.kind === 'pending') {
    const statusUrl = `${services.settings.publicUrl}/api/paylinks/${link.code}/status`
    throw new Problem(
      'settlement_pending',
      'The payment is on its way to the chain. Repeat this same request for the receipt; do not sign again.',
      {
        headers: { 'retry-after': '3' },
        extra: { status_url: statusUrl, settlement_id: outcome.settlement.id },
      },
    )
  }
  const receipt = receiptHeader(payment, {
    success: false,
    errorReason: outcome.reason,
    transaction: '',
    network,
    payer,
  })
  const again = demand(services, {
    link,
    chosen: link.amount === null ? payment.authorization.value : null,
    error: outcome.reason,
  })
  return answer(
    402,
    { ...(again.body as object), detail: outcome.detail },
    { ...again.headers, ...receipt },
  )
}

const receiptHeader = (
  payment: PaymentPayload,
  response: SettleResponse,
): Record<string, string> =>
  payment.x402Version === 1
    ? { [X_PAYMENT_RESPONSE_HEADER]: encodeXPaymentResponse(response) }
    : { [PAYMENT_RESPONSE_HEADER]: encodePaymentResponse(response) }

const payRoute = (method: 'GET' | 'POST'): Route =>
  publicRoute({
    method,
    path: '/pay/{code}',
    tag: 'Pay links',
    summary: 'Pay a link: a page for people, x402 for programs',
    description:
      'With `Accept: text/html` the checkout page. Otherwise 402 with the x402 v2 header PAYMENT-REQUIRED and a body that lists every way to pay; with PAYMENT-SIGNATURE (or X-PAYMENT of x402 v1) the payment is settled on chain and the receipt returned.',
    params: CodeParam,
    query: Type.Object({
      amount: Type.Optional(
        Type.String({ maxLength: 40, description: 'For a link whose payer chooses the amount' }),
      ),
    }),
    response: Type.Any(),
    alsoAnswers: { 402: 'Payment required', 410: 'The link takes no more payments' },
    errors: [
      'invalid_payment',
      'not_found',
      'pay_link_expired',
      'pay_link_cancelled',
      'pay_link_completed',
      'pay_link_busy',
      'settlement_pending',
      'signer_unavailable',
    ],
    handle: (context) => pay(context as Asked),
  })

export const payRoutes: Route[] = [payRoute('GET'), payRoute('POST')]
