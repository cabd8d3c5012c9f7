import { sha256 } from '#crypto'
import { type Answer, answerOf } from './answer.ts'
import {
  busy,
  keepPrivate,
  misconfigured,
  NOT_CHECKED,
  pending,
  problem,
  receiptHeaders,
  refusalOf,
  silent,
  unchecked,
  unreadable,
  used,
} from './answers.ts'
import { type Bytes, base64url, randomText, utf8 } from './bytes.ts'
import { demand, type HeaderReader, type Quote, quote, type Refusal, type Visit } from './demand.ts'
import { digestHeader } from './mpp.ts'
import {
  type AnswerHead,
  atomic,
  BODY_MAX,
  checkOptions,
  checkPrice,
  PaywallError,
  type PaywallOptions,
  type Service,
} from './options.ts'
import { bodyOf, type Presented, presentedIn, type Unreadable } from './payment.ts'
import { KEPT_MAX, openAnswer, sealAnswer } from './seal.ts'
import {
  openTill,
  type PaymentBody,
  type Receipt,
  ServiceSilent,
  type Settled,
  type Terms,
  type Till,
} from './service.ts'

/** A payment of a request that is being served. */
export type Paid = {
  /** The price in base units; for a price by use the most. */
  amount: bigint
  /** The address of the payer, or the id of a card. */
  payer: string
  protocol: 'x402' | 'mpp'
}

/** The answer of a handler: its body, or null if that streams or is long. */
export type Made = AnswerHead & { body: Bytes | null }
/** The end of an answer: it is given, with its headers as they are now, or another takes its place. */
export type Verdict = { kind: 'give' } | { kind: 'instead'; answer: Answer }

/** A request that may be served. */
export type Admitted = {
  kind: 'admitted'
  /** The request, whose body can be read. */
  request: Request
  /** Undefined for a free request. */
  paid: Paid | undefined
  /** Ends with the handler's answer, before any of it is given. Adds headers to it. */
  conclude(made: Made): Promise<Verdict>
  /** The client is gone, or the handler gave no answer: nothing is taken. */
  abandon(): Promise<void>
}
export type Denied = { kind: 'denied'; answer: Answer }
export type Admission = Admitted | Denied

/** A paywall between requests and a handler. Adapters carry requests and answers. */
export type Gate = {
  admit(visitor: Visitor): Promise<Admission>
}

/** A request that comes to the gate. Most are not paid, and need no `Request`. */
export type Visitor = {
  method: string
  /** As the server knows it, with its origin. */
  url: string
  headers: HeaderReader
  /** The whole body; undefined if it is longer than `most`. */
  read(most: number): Promise<Bytes | undefined>
  /** The request for a handler or a price, with the body. Each can be read once. */
  request(body: Bytes): Request
}

/** The header by which a handler says how much was used of a price `upTo`, in whole units. It is not sent. */
export const CHARGE_HEADER = 'purser-charge'

export function openGate(service: Service, options: PaywallOptions): Gate {
  checkOptions(options)
  const till = openTill(service, options)
  const most = options.maxBodyBytes ?? BODY_MAX
  return {
    async admit(visitor) {
      try {
        const body = await visitor.read(most)
        return body ? await admit({ till, options }, visitor, body) : deny(tooLarge(most))
      } catch (error) {
        if (error instanceof PaywallError || error instanceof ServiceSilent) {
          options.onError?.(error)
          return deny(error instanceof PaywallError ? misconfigured(error) : silent(error))
        }
        throw error
      }
    },
  }
}

const deny = (answer: Answer): Denied => ({ kind: 'denied', answer })

const tooLarge = (most: number): Answer =>
  problem(413, {
    code: 'body_too_large',
    detail: `The body may have ${most} bytes at most.`,
    retry: { same_payment: true, new_payment: false, words: 'Nothing was taken. Send less.' },
  })

type Parts = { till: Till; options: PaywallOptions }

async function admit(parts: Parts, visitor: Visitor, body: Bytes): Promise<Admission> {
  const { till, options } = parts
  if (visitor.method === 'OPTIONS') return deny(PREFLIGHT)
  const payment = presentedIn(visitor.headers)
  if (payment && 'fault' in payment) return deny(unreadable(payment.fault))
  // An empty request asks for the price alone, whatever the handler needs.
  const isProbe = payment === undefined && isEmpty(body)
  const refused = isProbe ? undefined : await options.check?.(visitor.request(body))
  if (refused) return deny(await answerOf(refused))
  const { price } = options
  const asked = typeof price === 'function' ? await price(visitor.request(body)) : price
  if (asked instanceof Response) return deny(await answerOf(asked))
  if (asked !== price) checkPrice(asked)
  const terms = await till.terms()
  if (typeof asked !== 'object' && atomic(asked, terms.asset.decimals) === 0n)
    return { kind: 'admitted', request: visitor.request(body), paid: undefined, ...FREE }
  const visit = await visitOf(visitor, body, options)
  const of = { terms, visit, options, quote: quote(terms, asked, visit, options) }
  // A look at the head alone buys nothing.
  if (!payment || visitor.method === 'HEAD') return deny(await demand(of))
  return take({ ...of, till, payment, request: visitor.request(body), body })
}

const FREE = {
  conclude: async (): Promise<Verdict> => ({ kind: 'give' }),
  abandon: async () => undefined,
}

const isEmpty = (body: Bytes): boolean =>
  body.length === 0 ||
  (body.length < 16 && /^\s*(\{\s*\})?\s*$/.test(new TextDecoder().decode(body)))

const PREFLIGHT: Answer = {
  status: 204,
  headers: {
    allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    'access-control-allow-headers':
      'PAYMENT-SIGNATURE, X-PAYMENT, Authorization, Payment-Authorization, Accept-Payment, Content-Type',
  },
  body: null,
}

const URL_MAX = 512

async function visitOf(visitor: Visitor, body: Bytes, options: PaywallOptions): Promise<Visit> {
  const url = new URL(visitor.url)
  const seen = originOf(url, options.publicUrl, visitor.headers.get('host'))
  const whole = seen.origin + url.pathname + url.search
  return {
    ...{ method: visitor.method, headers: visitor.headers, search: url.search },
    realm: seen.hostname,
    // A long query would not fit into headers. The name of the request holds all of it.
    resource: whole.length <= URL_MAX ? whole : (seen.origin + url.pathname).slice(0, 2_048),
    digest: body.length > 0 ? digestHeader(await sha256(body)) : undefined,
  }
}

/** The origin that the payer asked. Next writes localhost for a loopback address, so the header comes before the URL. */
function originOf(url: URL, publicUrl: string | undefined, host: string | null): URL {
  if (publicUrl !== undefined) return new URL(publicUrl)
  if (host === null || host === url.host) return url
  return URL.parse(`${url.protocol}//${host}`) ?? url
}

type Asked = Parts & {
  terms: Terms
  visit: Visit
  quote: Quote
  payment: Presented
  request: Request
  body: Bytes
}
/** A payment that this attempt works on. */
type Attempt = Asked & { attempt: string; sent: PaymentBody; id: string }

/** Claims the payment for this request. One of all who present it is admitted. */
async function take(asked: Asked): Promise<Admission> {
  const { till, payment, visit, options } = asked
  const sent: PaymentBody | Unreadable = bodyOf(payment, asked)
  if ('fault' in sent) return deny(unreadable(sent.fault))
  const attempt = randomText()
  const claim = await till.claim({
    ...{ attempt, resource: visit.resource, request: await nameOf(asked) },
    ...(options.handlerSeconds !== undefined && { lease_seconds: options.handlerSeconds }),
    ...sent,
  })
  const { status, id } = claim
  if (status === 'refused' || id === null) return deny(await refuse(asked, refusalOf(claim)))
  if (status === 'busy') return deny(busy(claim.retry_seconds ?? 1))
  if (status === 'used') return deny(await answerAgain(asked, claim))
  const work: Attempt = { ...asked, attempt, sent, id }
  const payer = claim.payer ?? ''
  if (status === 'settling') return goOn(work, payer, claim.is_answer_kept)
  if (status === 'paid') return admitted(work, payer, claim.receipt ?? undefined)
  if (options.settle !== 'before') return admitted(work, payer, undefined)
  return settleFirst(work, payer)
}

/** The name of a request: a payment is good for one. */
async function nameOf({ visit, body }: Asked): Promise<string> {
  const text = `${visit.method} ${visit.resource} ${visit.search} ${visit.digest ?? body.length}`
  return base64url(await sha256(utf8(text)))
}

const refuse = async (asked: Asked, refusal: Refusal): Promise<Answer> =>
  refusal.code === NOT_CHECKED ? unchecked(refusal.detail) : demand(asked, refusal)

/** The answer that was given before, to one who has the payment; else that it is used. */
async function answerAgain(
  { payment, terms }: Asked,
  { answer, receipt }: { answer: string | null; receipt: Receipt | null },
): Promise<Answer> {
  const kept = answer === null ? undefined : await openAnswer(payment.header, answer)
  if (!kept || !receipt) return used(receipt)
  const headers = new Headers(kept.headers)
  for (const [name, value] of Object.entries(receiptHeaders(payment, receipt, terms)))
    headers.set(name, value)
  keepPrivate(headers)
  const isBare = [204, 205, 304].includes(kept.status)
  return {
    status: kept.status,
    headers: Object.fromEntries(headers),
    body: isBare ? null : kept.body,
  }
}

/** An attempt before this one has served, and the chain did not show it yet. Without its answer the handler runs again. */
async function goOn(work: Attempt, payer: string, isKept: boolean): Promise<Admission> {
  if (!isKept) return settleFirst(work, payer)
  const settled = await settle(work, {})
  const refusal = await refusalIn(work, settled)
  if (refusal) return deny(refusal)
  return deny(await answerAgain(work, settled))
}

/** Takes the money, then admits. */
async function settleFirst(work: Attempt, payer: string): Promise<Admission> {
  const used = work.quote.isUpTo ? { used: String(work.quote.amount) } : {}
  const settled = await settle(work, { serve_after: true, ...used })
  const refusal = await refusalIn(work, settled)
  if (refusal) return deny(refusal)
  if (!settled.is_first) return deny(await answerAgain(work, settled))
  return admitted(work, payer, settled.receipt ?? undefined)
}

/**
 * A payment that has to wait for gas, or whose end was not heard, is given back once the retries have ended: nothing is given for it
 * here, so that it may be presented again at once.
 */
async function settle({ till, id, attempt, sent }: Attempt, more: object): Promise<Settled> {
  try {
    return await till.settle(id, { attempt, ...sent, ...more })
  } catch (error) {
    if (error instanceof ServiceSilent) await till.release(id, attempt, RELEASE_MS)
    throw error
  }
}

/** The payer has waited for the settlement before. */
const RELEASE_MS = 2_000

/** The answer for a settlement that is no success. */
async function refusalIn(work: Attempt, settled: Settled): Promise<Answer | undefined> {
  if (settled.status === 'pending') return pending()
  return settled.status === 'refused' ? refuse(work, refusalOf(settled)) : undefined
}

function admitted(work: Attempt, payer: string, receipt: Receipt | undefined): Admitted {
  const { request, quote, payment, till, id, attempt } = work
  let isEnded = false
  const abandon = async () => {
    if (isEnded) return
    isEnded = true
    await till.release(id, attempt)
  }
  return {
    kind: 'admitted',
    request,
    paid: { amount: quote.amount, payer, protocol: payment.protocol },
    abandon,
    async conclude(made) {
      if (isEnded) return { kind: 'give' }
      if (request.signal.aborted) {
        await abandon()
        return { kind: 'give' }
      }
      isEnded = true
      try {
        return await conclude(work, made, receipt)
      } catch (error) {
        if (!(error instanceof ServiceSilent)) throw error
        work.options.onError?.(error)
        return { kind: 'instead', answer: silent(error) }
      }
    },
  }
}

/** Takes the money for an answer. Nothing is taken for one that is not charged. */
async function conclude(work: Attempt, made: Made, receipt: Receipt | undefined): Promise<Verdict> {
  const { options, payment, terms, till, id, attempt } = work
  const { headers, status } = made
  const charge = headers.get(CHARGE_HEADER)
  headers.delete(CHARGE_HEADER)
  const isCharged = options.charge?.({ status, headers }) ?? (status >= 200 && status < 300)
  if (!isCharged) {
    await till.release(id, attempt)
    // The payment is free to be presented again.
    if (status >= 500 && !headers.has('retry-after')) headers.set('retry-after', '1')
    if (receipt) addHeaders(headers, receiptHeaders(payment, receipt, terms))
    keepPrivate(headers)
    return { kind: 'give' }
  }
  const used = usedOf(work, charge)
  if (used instanceof PaywallError) {
    await till.release(id, attempt)
    options.onError?.(used)
    return { kind: 'instead', answer: misconfigured(used) }
  }
  const kept = await keptOf(payment, made)
  const settled = await settle(work, {
    ...(used !== undefined && { used }),
    ...(kept !== undefined && { answer: kept }),
  })
  const refusal = await refusalIn(work, settled)
  if (refusal) return { kind: 'instead', answer: refusal }
  if (!settled.is_first || !settled.receipt)
    return { kind: 'instead', answer: await answerAgain(work, settled) }
  addHeaders(headers, receiptHeaders(payment, settled.receipt, terms))
  keepPrivate(headers)
  return { kind: 'give' }
}

function addHeaders(headers: Headers, more: Record<string, string>): void {
  for (const [name, value] of Object.entries(more)) headers.set(name, value)
}

/** The part that was used of a price by use, in base units. Undefined for a fixed price. */
function usedOf(
  { quote, terms }: Attempt,
  charge: string | null,
): string | PaywallError | undefined {
  if (!quote.isUpTo) return undefined
  if (charge === null)
    return new PaywallError(
      'charge_missing',
      `The price is by use, and the handler did not say how much: it sets the header ${CHARGE_HEADER}.`,
    )
  try {
    const used = atomic(charge, terms.asset.decimals)
    if (used <= quote.amount) return String(used)
    return new PaywallError('charge_too_high', 'The handler charged more than the price allows.')
  } catch (error) {
    if (error instanceof PaywallError) return error
    throw error
  }
}

async function keptOf(payment: Presented, made: Made): Promise<string | undefined> {
  const { status, headers, body } = made
  if (body === null || body.length > KEPT_MAX) return undefined
  const kept = [...headers].filter(([name]) => !['set-cookie', 'date', 'vary'].includes(name))
  return sealAnswer(payment.header, { status, headers: kept, body })
}
