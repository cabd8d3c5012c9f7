import { type Static, Type } from 'typebox'
import { normalHash, personAddress } from '../../chain/reads.ts'
import { CodeParam } from '../../http/fields.ts'
import { type Answer, answer, publicRoute, type Route } from '../../http/route.ts'
import type { Services } from '../../http/services.ts'
import { parsePositiveAmount } from '../../kernel/money.ts'
import { Problem } from '../../kernel/problem.ts'
import { randomToken } from '../../kernel/secrets.ts'
import { findLink, type PayLink } from '../store.ts'
import { linkUrl } from '../view.ts'
import { renderCheckout, renderMissing } from './page.ts'
import {
  findById,
  findByTransaction,
  type PaymentState,
  payByForm,
  reportTransaction,
} from './pay.ts'
import { renderPayment } from './receipt.ts'
import { pathsOf, type Refusal, viewCheckout } from './view.ts'

const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

/** A page of the checkout, as a browser may show it. */
export const pageAnswer = (status: number, html: string): Answer =>
  answer(status, html, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': POLICY,
    'cache-control': 'no-store',
  })

const PATH = '/pay/{code}/paid'
/** The paths whose bodies come from HTML forms. */
export const checkoutFormPaths: readonly string[] = [PATH]

const Form = Type.Object(
  {
    attempt: Type.Optional(Type.String({ maxLength: 64 })),
    payer_card_id: Type.Optional(Type.String({ maxLength: 64 })),
    payer_card_token: Type.Optional(Type.String({ maxLength: 100 })),
    tx_hash: Type.Optional(Type.String({ maxLength: 80 })),
    from_address: Type.Optional(Type.String({ maxLength: 60 })),
    amount: Type.Optional(Type.String({ maxLength: 40 })),
  },
  { additionalProperties: false },
)
type Form = Static<typeof Form>

/** The forms of the page. What was done is shown at an address of its own, so that a reload does nothing again. */
const sendForm = publicRoute({
  method: 'POST',
  path: PATH,
  tag: 'Pay links',
  summary: 'Pay by a form of the checkout page',
  params: CodeParam,
  body: Form,
  response: Type.Any(),
  errors: [],
  hidden: true,
  handle: async ({ params, body, at, services }) => {
    const link = await findLink(services.db.reader, params.code)
    if (!link) return pageAnswer(404, renderMissing(baseOf(services)))
    const page = pathsOf(linkUrl(services, link)).page
    try {
      const query = await take(services, at, { link, form: trimmed(body) })
      return answer(303, '', { location: `${page}/paid?${query}`, 'cache-control': 'no-store' })
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error
      return refuse(services, at, { link, form: body, problem: error })
    }
  },
})

const trimmed = (form: Form): Form =>
  Object.fromEntries(Object.entries(form).map(([name, value]) => [name, value.trim()]))

/** Does what the form asks, and answers the query that shows it. */
async function take(
  services: Services,
  at: Date,
  { link, form }: { link: PayLink; form: Form },
): Promise<URLSearchParams> {
  if (form.tx_hash) {
    if (!link.acceptedProtocols.includes('onchain'))
      throw new Problem('protocol_not_accepted', 'This link takes no transfers on chain.')
    const txHash = normalHash(form.tx_hash)
    const from = form.from_address ? personAddress(form.from_address, 'from_address') : null
    await reportTransaction(services, at, { link, txHash, from })
    return new URLSearchParams({ tx_hash: txHash })
  }
  const { payer_card_id: cardId, payer_card_token: token } = form
  if (!cardId || !token)
    throw new Problem(
      'missing_field',
      'Enter the card id and the card token, or a transaction hash.',
    )
  const { asset } = services.chain
  const settlement = await payByForm(services, at, {
    attempt: form.attempt || randomToken(),
    payment: {
      code: link.code,
      cardId,
      token,
      amount: form.amount ? parsePositiveAmount(form.amount, asset.decimals) : null,
      protocol: 'card',
      asset,
      fee: services.settings.fee,
    },
  })
  return new URLSearchParams({ settlement })
}

/** The page again, with the reason and what was entered; the card's token is not sent back. */
async function refuse(
  services: Services,
  at: Date,
  { link, form, problem }: { link: PayLink; form: Form; problem: Problem },
): Promise<Answer> {
  const { tx_hash, from_address, payer_card_id, amount } = form
  const refusal: Refusal = {
    message: problem.message,
    form: tx_hash === undefined ? 'card' : 'chain',
    values: { tx_hash, from_address, payer_card_id },
  }
  const view = await viewCheckout(services, at, { link, chosen: amount, refusal })
  return pageAnswer(problem.status, renderCheckout(view))
}

/** The path before every page of the service, where it stands below one. */
export const baseOf = (services: Services): string =>
  new URL(services.settings.publicUrl).pathname.replace(/\/$/, '')

const showPayment = publicRoute({
  method: 'GET',
  path: PATH,
  tag: 'Pay links',
  summary: 'What became of a payment of a link, as a page',
  params: CodeParam,
  query: Type.Object({
    settlement: Type.Optional(Type.String({ maxLength: 64 })),
    tx_hash: Type.Optional(Type.String({ maxLength: 80 })),
  }),
  response: Type.Any(),
  errors: [],
  hidden: true,
  handle: async ({ params, query, services }) => {
    const link = await findLink(services.db.reader, params.code)
    if (!link) return pageAnswer(404, renderMissing(baseOf(services)))
    const url = linkUrl(services, link)
    const { settlement, tx_hash } = query
    if (!settlement && !tx_hash) return answer(303, '', { location: pathsOf(url).page })
    const payment = settlement
      ? await findById(services, link, settlement)
      : await findByHash(services, link, tx_hash ?? '')
    const html = renderPayment({
      link,
      url,
      asset: services.chain.asset,
      explorerUrl: services.settings.explorerUrl,
      isLocalChain: services.settings.embeddedRpcUrl !== null,
      payment,
    })
    return pageAnswer(payment.kind === 'unknown' ? 404 : 200, html)
  },
})

/** What became of a transaction; of a text that is no hash there is nothing to show. */
async function findByHash(services: Services, link: PayLink, text: string): Promise<PaymentState> {
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) return { kind: 'unknown' }
  return findByTransaction(services, { link, txHash: normalHash(text) })
}

export const checkoutRoutes: Route[] = [sendForm, showPayment]
