import type { Answer } from './answer.ts'
import { base64, randomText, utf8 } from './bytes.ts'
import { type Challenge, challenges, shown, written } from './mpp.ts'
import {
  atomic,
  type Discovery,
  PaywallError,
  type PaywallOptions,
  type Price,
  paymentSeconds,
  whole,
} from './options.ts'
import type { Terms } from './service.ts'

/** The headers of a request, whatever holds them. */
export type HeaderReader = { get(name: string): string | null }

/** A request as its demand depends on it. */
export type Visit = {
  method: string
  headers: HeaderReader
  /** The URL that payers see. */
  resource: string
  /** Its host, which MPP calls the realm. */
  realm: string
  search: string
  digest: string | undefined
}

/** The reason why a payment was not taken. `reason` is its protocol's own name. */
export type Refusal = { code: string; reason: string; detail: string }

/** The price of a request, and the ways to pay it. */
export type Quote = {
  /** For a price by use the most. */
  amount: bigint
  isUpTo: boolean
  /** The offers of x402 v2, in order. */
  accepts: object[]
  /** The same for v1. */
  acceptsV1: object[]
}

/** The ways to pay a price. Throws `PaywallError` for one that cannot be paid in any way. */
export function quote(terms: Terms, price: Price, visit: Visit, options: PaywallOptions): Quote {
  const { decimals } = terms.asset
  if (typeof price === 'object') return quoteUpTo(terms, atomic(price.upTo, decimals), options)
  const amount = atomic(price, decimals)
  const isCarried = terms.isOnChain && amount >= terms.minOnChain
  if (amount > 0n && !isCarried && terms.cardLink === null)
    throw new PaywallError(
      'no_way_to_pay',
      `${whole(amount, decimals)} ${terms.asset.symbol} can be paid in no way: ${
        terms.isOnChain
          ? `payments on chain are at least ${whole(terms.minOnChain, decimals)}`
          : 'the service carries nothing to the chain now'
      }, and no card of yours can receive.`,
    )
  const { contract, name, version } = terms.asset
  const maxTimeoutSeconds = paymentSeconds(options)
  const shared = { asset: contract, payTo: terms.payTo, maxTimeoutSeconds }
  const exact = { scheme: 'exact', ...shared, extra: { name, version } }
  const about = {
    resource: visit.resource,
    description: options.describe ?? '',
    mimeType: mimeTypeOf(options),
  }
  return {
    amount,
    isUpTo: false,
    accepts: isCarried ? [{ ...exact, network: terms.network, amount: String(amount) }] : [],
    acceptsV1:
      isCarried && terms.networkV1 !== null
        ? [{ ...exact, ...about, network: terms.networkV1, maxAmountRequired: String(amount) }]
        : [],
  }
}

function quoteUpTo(terms: Terms, amount: bigint, options: PaywallOptions): Quote {
  const { network, asset, payTo, uptoFacilitator } = terms
  if (!terms.isOnChain || uptoFacilitator === null)
    throw new PaywallError(
      'upto_not_spoken',
      'A price by use needs the scheme upto of x402, which this service does not speak now: its chain lacks the contracts, or its relayers the gas. Ask for a fixed price.',
    )
  const extra = {
    ...{ name: asset.name, version: asset.version },
    ...{ assetTransferMethod: 'permit2', facilitatorAddress: uptoFacilitator },
  }
  const offer = { scheme: 'upto', network, amount: String(amount), asset: asset.contract, payTo }
  const accepts = [{ ...offer, maxTimeoutSeconds: paymentSeconds(options), extra }]
  return { amount, isUpTo: true, accepts, acceptsV1: [] }
}

const mimeTypeOf = ({ discovery }: PaywallOptions): string =>
  (discovery === false ? undefined : discovery?.mimeType) ?? 'application/json'

/** The 402: every way to pay, in headers for programs and in words for whoever reads the body. */
export async function demand(
  of: { terms: Terms; quote: Quote; visit: Visit; options: PaywallOptions },
  refusal?: Refusal,
): Promise<Answer> {
  const { terms, quote, visit, options } = of
  const asked = {
    ...{ amount: quote.amount, resource: visit.resource, realm: visit.realm },
    describe: short(options.describe ?? ''),
    ...{ digest: visit.digest, accept: visit.headers.get('accept-payment') },
    leastSeconds: paymentSeconds(options),
    isAuthorizationTaken: /^(?!payment\b)\S/i.test(visit.headers.get('authorization') ?? ''),
  }
  const made = quote.isUpTo ? [] : await challenges(terms, asked)
  const texts = textsOf(of, made, refusal)
  const isBare = visit.method === 'HEAD'
  return {
    status: 402,
    headers: {
      ...SHARED,
      'content-type': 'application/problem+json',
      ...(quote.accepts.length > 0 && {
        'payment-required': base64(utf8(texts.required.join(randomText(16)))),
      }),
      ...(made.length > 0 && { 'www-authenticate': made.map(written) }),
    },
    body: isBare ? null : texts.document.join(JSON.stringify(made.map(shown))),
  }
}

/** The texts of a demand, each in two parts: between them stands what no two demands share. */
export type Texts = { required: [string, string]; document: [string, string] }

const HOLE = 'purser:hole'
const TEXTS_MAX = 200

/** Most demands are for the same routes and prices: their texts are written once for the terms, which last a minute. */
function textsOf(of: Demanded, made: readonly Challenge[], refusal: Refusal | undefined): Texts {
  const { terms, quote, visit } = of
  const write = (): Texts => ({
    required: split(JSON.stringify(required(of, refusal)), HOLE),
    document: split(JSON.stringify(document(of, made, refusal)), `"${HOLE}"`),
  })
  if (refusal || visit.headers.get('accept-payment') !== null) return write()
  const name = `${quote.isUpTo} ${quote.amount} ${visit.method} ${visit.resource}`
  const known = terms.texts.get(name)
  if (known) return known
  const texts = write()
  if (terms.texts.size < TEXTS_MAX) terms.texts.set(name, texts)
  return texts
}

/** The hole is the last of its kind: a seller's words come before it. */
function split(text: string, hole: string): [string, string] {
  const at = text.lastIndexOf(hole)
  return [text.slice(0, at), text.slice(at + hole.length)]
}

/** Answers that hold a demand or a payment are for their payer alone, and depend on these. */
export const VARY =
  'PAYMENT-SIGNATURE, X-PAYMENT, Authorization, Payment-Authorization, Accept-Payment'
const EXPOSED =
  'PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-PAYMENT-RESPONSE, WWW-Authenticate, Payment-Receipt, Retry-After'
export const SHARED = {
  'cache-control': 'no-store',
  vary: VARY,
  'access-control-expose-headers': EXPOSED,
}

const short = (text: string): string => [...text].slice(0, 120).join('')

type Demanded = { terms: Terms; quote: Quote; visit: Visit; options: PaywallOptions }

/** `PaymentRequired` of x402 v2. The retry key is a secret of this answer, which its client sends back. */
function required({ quote, visit, options }: Demanded, refusal: Refusal | undefined): object {
  const { discovery = {}, describe = '' } = options
  const { serviceName, tags, iconUrl } = discovery || {}
  return {
    x402Version: 2,
    error: refusal?.reason ?? 'PAYMENT-SIGNATURE header is required',
    resource: {
      ...{ url: visit.resource, description: short(describe), mimeType: mimeTypeOf(options) },
      ...(serviceName !== undefined && { serviceName }),
      ...(tags && { tags }),
      ...(iconUrl !== undefined && { iconUrl }),
    },
    accepts: quote.accepts,
    extensions: {
      ...(discovery && { bazaar: bazaar(visit, discovery) }),
      'payment-identifier': { info: { required: false } },
      'retry-key': { info: { key: HOLE } },
    },
  }
}

function bazaar({ method, search }: Visit, discovery: Discovery): object {
  const { input, output, schema, routeTemplate } = discovery
  const params = search === '' ? {} : Object.fromEntries(new URLSearchParams(search))
  const shown = input ?? (Object.keys(params).length > 0 ? { queryParams: params } : {})
  return {
    info: {
      input: { type: 'http', method: method === 'HEAD' ? 'GET' : method, ...shown },
      ...(output !== undefined && { output: { type: 'json', example: output } }),
    },
    ...(schema && { schema }),
    ...(routeTemplate !== undefined && { routeTemplate }),
  }
}

const PROBLEMS: Record<string, string> = {
  insufficient_funds: 'payment-insufficient',
  payment_expired: 'payment-expired',
}

/** The body: a problem document, the v1 demand, and what to do in words. */
function document(
  { terms, quote, visit, options }: Demanded,
  made: readonly Challenge[],
  refusal: Refusal | undefined,
): object {
  const { asset } = terms
  const amount = whole(quote.amount, asset.decimals)
  const words = quote.isUpTo
    ? `at most ${amount} ${asset.symbol}, by what this request uses`
    : `${amount} ${asset.symbol} for this request`
  const type = refusal ? (PROBLEMS[refusal.code] ?? 'verification-failed') : 'payment-required'
  return {
    type: `https://paymentauth.org/problems/${type}`,
    title: 'Payment Required',
    status: 402,
    detail: refusal?.detail ?? `This costs ${words}.`,
    code: refusal?.code ?? 'payment_required',
    ...(refusal && { reason: refusal.reason }),
    price: { amount, currency: asset.symbol, amount_atomic: String(quote.amount), words },
    description: options.describe ?? '',
    resource: visit.resource,
    next: nextOf(words, refusal),
    retry: retryOf(refusal),
    ways: waysOf(terms, quote, { made, visit }),
    x402Version: 1,
    error: refusal?.reason ?? 'X-PAYMENT header is required',
    accepts: quote.acceptsV1,
    mpp: HOLE,
  }
}

const nextOf = (words: string, refusal: Refusal | undefined): string[] => [
  ...(refusal ? [`Your payment was not taken here: ${refusal.detail}`] : []),
  `Decide whether to pay ${words}.`,
  'Pay by one of the entries of `ways`.',
  'Repeat this same request, with the same method, URL and body, and the payment in its header.',
]

/** Says what may be repeated, to one who has lost an answer. */
const retryOf = (refusal: Refusal | undefined): object => ({
  same_request: true,
  same_payment: refusal === undefined,
  new_payment: true,
  words: refusal
    ? 'This request took nothing for the payment that you sent. If it was taken before, it buys what it was made for: send it there. Else mend what `detail` says, or make a new payment.'
    : 'Nothing was taken. If an answer to a payment is lost, send the same payment again, never a new one: it is taken once.',
})

function waysOf(
  { issuer, cardLink }: Terms,
  quote: Quote,
  { made, visit }: { made: readonly Challenge[]; visit: Visit },
): object[] {
  const isOffered = (method: string) => made.some((challenge) => challenge.method === method)
  const v2 = 'Sign one of the offers in the response header PAYMENT-REQUIRED (base64 JSON).'
  const call = { card_id: 'card_…', card_token: 'tok_…' }
  return [
    ...(quote.accepts.length > 0
      ? [{ protocol: 'x402', version: 2, header: 'PAYMENT-SIGNATURE', how: v2 }]
      : []),
    ...(quote.acceptsV1.length > 0
      ? [{ protocol: 'x402', version: 1, header: 'X-PAYMENT', how: 'Sign one of `accepts`.' }]
      : []),
    ...(isOffered('evm')
      ? [
          {
            ...{ protocol: 'mpp', method: 'evm', header: 'Authorization' },
            how: 'Answer the challenge of `mpp` with the method evm by a signed EIP-3009 authorization.',
          },
        ]
      : []),
    ...(isOffered('agentcard')
      ? [
          {
            ...{ protocol: 'mpp', method: 'agentcard', header: 'Authorization' },
            how: 'Have your card answer the challenge of `mpp` with the method agentcard: the call gives the header to send.',
            call: {
              ...{ method: 'POST', url: `${issuer}/api/mpp/agentcard` },
              body: { ...call, challenge: 'the entry of `mpp`, as it stands' },
            },
          },
        ]
      : []),
    ...(cardLink !== null || quote.accepts.length > 0
      ? [
          {
            protocol: 'card',
            how: `With a card of ${issuer}, one call pays and fetches: its answer holds the answer of this URL.`,
            call: {
              ...{ method: 'POST', url: `${issuer}/api/pay` },
              body: { ...call, url: visit.resource, method: visit.method },
            },
          },
        ]
      : []),
  ]
}
