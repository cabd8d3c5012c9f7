import { type TProperties, Type } from 'typebox'
import { CodeParam } from '../../../api/http/fields.ts'
import { type Answer, answer, publicRoute, type Route } from '../../../api/http/route.ts'
import type { Services } from '../../../api/http/services.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { normalHash } from '../../../chain/client/reads.ts'
import { assetOfLink, linkUrl, statusAt } from '../../link/link.ts'
import { findLink, type LinkProtocol, type PayLink } from '../../link/store.ts'
import type { FormValues, PageForm } from '../methods/method.ts'
import { METHODS } from '../methods/methods.ts'
import { readSeller } from '../pieces/seller.ts'
import { pathsOf, type Refusal } from '../pieces/view.ts'
import { renderCheckout, renderMissing } from './page.ts'
import { findById, findByTransaction, type PaymentState } from './payment.ts'
import { renderPayment } from './receipt.ts'
import { viewCheckout } from './view.ts'

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

type MethodWithForm = { protocol: LinkProtocol; form: PageForm }
const METHODS_WITH_FORM: readonly MethodWithForm[] = METHODS.flatMap(({ protocol, page }) =>
  page?.form ? [{ protocol, form: page.form }] : [],
)

const Form = Type.Object(
  {
    ...(Object.assign({}, ...METHODS_WITH_FORM.map(({ form }) => form.fields)) as TProperties),
    amount: Type.Optional(
      Type.String({ maxLength: 40, description: 'In whole units of the asset' }),
    ),
  },
  { additionalProperties: false },
)

/** The forms of the page. The answer redirects to the payment's own address, so that a reload sends nothing again. */
const sendForm = publicRoute({
  method: 'POST',
  path: PATH,
  heedsKey: true,
  tag: 'Pay links',
  summary: 'Pay by a form of the checkout page',
  params: CodeParam,
  body: Form,
  response: Type.Any(),
  attack: 'open',
  costs: { statements: 1_600, rows: 200, rpc: 350 },
  errors: [],
  hidden: true,
  handle: async ({ params, body, caller, at, services }) => {
    const link = await findLink(services.db.reader, params.code)
    if (!link) return pageAnswer(404, renderMissing(baseOf(services)))
    const page = pathsOf(linkUrl(services, link)).page
    const values = body as FormValues
    const sent = METHODS_WITH_FORM.find(({ form }) => form.isMeant(values))
    try {
      if (!sent) throw emptyForm()
      const shown = await sent.form.pay(services, at, { link, form: trimmed(values), caller })
      const query = new URLSearchParams(shown)
      return answer(303, '', { location: `${page}/paid?${query}`, 'cache-control': 'no-store' })
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error
      return refuse(services, at, { link, values, sent, problem: error })
    }
  },
})

const trimmed = (form: FormValues): FormValues =>
  Object.fromEntries(Object.entries(form).map(([name, value]) => [name, value?.trim()]))

const emptyForm = (): Problem => {
  const asked = METHODS_WITH_FORM.map(({ form }) => form.asks)
  return new Problem('missing_field', `Enter ${asked.join(', or ')}.`)
}

/** Refusals that name fields of the API, in the words of the page. */
const FOR_PEOPLE: Readonly<Record<string, string>> = {
  binding_required:
    'The transfer alone does not say which link it pays. Sign the message below with the wallet that paid, and send the form again.',
}

/** The page again, with the reason and the values that were sent, except secrets. */
async function refuse(
  services: Services,
  at: Date,
  of: { link: PayLink; values: FormValues; sent: MethodWithForm | undefined; problem: Problem },
): Promise<Answer> {
  const { link, values, sent, problem } = of
  const refusal: Refusal = {
    message: FOR_PEOPLE[problem.code] ?? problem.message,
    form: sent?.protocol ?? null,
    values: Object.fromEntries((sent?.form.shown ?? []).map((name) => [name, values[name]])),
  }
  const view = await viewCheckout(services, at, { link, chosen: values.amount, refusal })
  return pageAnswer(problem.status, renderCheckout(view))
}

/** The prefix of every path of the service. */
export const baseOf = (services: Services): string =>
  new URL(services.settings.publicUrl).pathname.replace(/\/$/, '')

const showPayment = publicRoute({
  method: 'GET',
  path: PATH,
  tag: 'Pay links',
  summary: 'Show the result of a link payment, as a page',
  params: CodeParam,
  query: Type.Object({
    settlement: Type.Optional(Type.String({ maxLength: 64, description: 'How it was settled' })),
    tx_hash: Type.Optional(
      Type.String({
        maxLength: 80,
        description: 'Hash of the transaction on chain',
      }),
    ),
  }),
  response: Type.Any(),
  attack: 'chain',
  costs: { statements: 200, rpc: 100 },
  errors: [],
  hidden: true,
  handle: async ({ params, query, at, services }) => {
    const link = await findLink(services.db.reader, params.code)
    if (!link) return pageAnswer(404, renderMissing(baseOf(services)))
    const url = linkUrl(services, link)
    const { settlement, tx_hash } = query
    if (!settlement && !tx_hash) return answer(303, '', { location: pathsOf(url).page })
    const payment = settlement
      ? await findById(services, link, settlement)
      : await findByHash(services, link, tx_hash ?? '')
    const seller = await readSeller(services, link.walletAddress)
    const html = renderPayment({
      ...(seller && { seller }),
      link,
      url,
      asset: assetOfLink(services.chain, link),
      explorerUrl: services.settings.explorerUrl,
      isLocalChain: services.settings.embeddedRpcUrl !== null,
      payment,
      status: statusAt(link, at),
    })
    return pageAnswer(payment.kind === 'unknown' ? 404 : 200, html)
  },
})

/** The state of a transaction; `unknown` for a text that is not a hash. */
async function findByHash(services: Services, link: PayLink, text: string): Promise<PaymentState> {
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) return { kind: 'unknown' }
  return findByTransaction(services, { link, txHash: normalHash(text) })
}

export const checkoutRoutes: Route[] = [sendForm, showPayment]
