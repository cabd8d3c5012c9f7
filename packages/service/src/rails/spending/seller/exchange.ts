import { setTimeout as sleep } from 'node:timers/promises'
import type { SignAsAgent } from '../../../api/agents/sign.ts'
import type { Egress, EgressRequest, EgressResponse } from '../../../base/egress/egress.ts'
import { EgressError } from '../../../base/egress/errors.ts'
import type { Place } from '../../../base/egress/guard/places.ts'
import { sanitizeHeaders } from '../../../base/egress/headers.ts'
import { scanJson } from '../../../base/kernel/json-text.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { sha256Hex } from '../../../base/kernel/secrets.ts'
import { mayServeLater } from './status.ts'

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const
export type PayMethod = (typeof METHODS)[number]

/** A caller's request, checked and ready to send with or without a payment. */
export type Outgoing = {
  url: URL
  method: PayMethod
  headers: Record<string, string>
  body: string | undefined
  /** The place that all requests of one order share. */
  place?: Place
  /** Signs the request in this service's name, where the seller asks for it. */
  signAs?: SignAsAgent | undefined
  /** The most bytes to read of the answer; egress's own limit by default. */
  maxBytes?: number
}

const REDIRECTS_MAX = 3
/** No demand is longer than this, and an inquiry needs nothing else of the answer. */
export const DEMAND_MAX_BYTES = 256 * 1024

/**
 * Checks the parts of a caller's request. A string body is sent as it is, everything else as JSON. Agents write JSON as a
 * string too: sellers would read nothing in it as text, so it is named what it is.
 */
export function readOutgoing(
  egress: Egress,
  asked: {
    url: string
    method?: PayMethod | undefined
    headers?: Record<string, string> | undefined
    body?: unknown
    signAs?: SignAsAgent
  },
): Outgoing {
  const url = egress.check(asked.url)
  const method = asked.method ?? 'POST'
  const headers = sanitizeHeaders(asked.headers ?? {})
  const { signAs } = asked
  if (asked.body === undefined || asked.body === null)
    return { url, method, headers, body: undefined, signAs }
  if (method === 'GET' || method === 'HEAD')
    throw new Problem('invalid_field', `${method} carries no body. Leave it out, or use POST.`, {
      param: 'body',
    })
  const body = typeof asked.body === 'string' ? asked.body : JSON.stringify(asked.body)
  const type = isJson(body) ? 'application/json' : 'text/plain; charset=utf-8'
  return { url, method, headers: { 'content-type': type, ...headers }, body, signAs }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/** Sends the request without a payment and answers the seller's response. Follows redirects on its own origin only. */
export async function askSeller(egress: Egress, request: Outgoing): Promise<EgressResponse> {
  try {
    return await sendSigned(egress, request, { ...wire(request), maxRedirects: REDIRECTS_MAX })
  } catch (error) {
    throw upstreamProblem(error)
  }
}

export type Presented =
  | { kind: 'answered'; response: EgressResponse }
  /** The seller may have the payment, but its answer is unknown. */
  | { kind: 'lost'; error: EgressError }
  /** It is certain that nothing left this process. */
  | { kind: 'unsent'; problem: Problem }

/**
 * Sends the request again, with the payment, to the URL that answered 402. Follows no redirect, which would pass the
 * payment on.
 */
export async function presentToSeller(
  egress: Egress,
  request: Outgoing,
  payment: { url: string; headerName: string; headerValue: string },
): Promise<Presented> {
  const { headers, ...rest } = wire(request)
  try {
    const response = await sendSigned(egress, request, {
      ...rest,
      url: payment.url,
      headers: { ...headers, [payment.headerName]: payment.headerValue },
      maxRedirects: 0,
    })
    return { kind: 'answered', response }
  } catch (error) {
    if (error instanceof EgressError && error.sent) return { kind: 'lost', error }
    return { kind: 'unsent', problem: upstreamProblem(error) }
  }
}

/** No request waits longer for a seller that says when it may serve. */
const PATIENCE_SECONDS = 5

/**
 * As `presentToSeller`. A seller that may serve within seconds, as its `Retry-After` says, is asked once more with the same payment
 * if `mayAgain` agrees.
 */
export async function presentAgain(
  egress: Egress,
  request: Outgoing,
  {
    mayAgain,
    ...payment
  }: Parameters<typeof presentToSeller>[2] & { mayAgain(): Promise<boolean> },
): Promise<Presented> {
  const first = await presentToSeller(egress, request, payment)
  const seconds = first.kind === 'answered' ? secondsUntilServed(first.response) : undefined
  if (seconds === undefined) return first
  await sleep(seconds * 1_000)
  if (!(await mayAgain())) return first
  const second = await presentToSeller(egress, request, payment)
  return second.kind === 'answered' ? second : first
}

function secondsUntilServed({ status, headers }: EgressResponse): number | undefined {
  const said = headers['retry-after'] ?? ''
  const isSoon = /^\d$/.test(said) && Number(said) <= PATIENCE_SECONDS
  return isSoon && mayServeLater(status) ? Number(said) : undefined
}

/** The statuses with which a seller asks for a signature, by `Accept-Signature` (RFC 9421, 5). */
const ASKS_TO_SIGN = [401, 402, 403]

/**
 * Sends the request; once more, signed, if the seller asks for it. A payment is the same authorization both times. If the second
 * request never leaves, the first answer stands: the payment has been seen by then.
 */
async function sendSigned(
  egress: Egress,
  { method, body, signAs }: Outgoing,
  request: EgressRequest,
): Promise<EgressResponse> {
  const answer = await egress.fetch(request)
  if (!ASKS_TO_SIGN.includes(answer.status)) return answer
  const { headers = {} } = request
  const url = new URL(answer.url)
  const message = { method, url, headers, body: Buffer.from(body ?? '') }
  const signature = await signAs?.(message, answer.headers['accept-signature'])
  if (!signature) return answer
  try {
    const signed = { ...request, url: url.href, headers: { ...headers, ...signature } }
    return await egress.fetch({ ...signed, maxRedirects: 0 })
  } catch (error) {
    if (error instanceof EgressError && !error.sent) return answer
    throw error
  }
}

const wire = ({ url, method, headers, body, place, maxBytes }: Outgoing) => ({
  url: url.href,
  method,
  headers,
  place,
  ...(maxBytes === undefined ? {} : { maxBytes }),
  ...(body === undefined ? {} : { body }),
})

/** The refusal for a request without an answer. Rethrows any error that is neither a refusal nor the network's. */
function upstreamProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (!(error instanceof EgressError)) throw error
  if (error.kind === 'blocked')
    return new Problem('url_not_allowed', error.message, { param: 'url', cause: error })
  return new Problem('upstream_failed', `${error.message} Nothing was paid.`, { cause: error })
}

/** The seller's answer as the agent sees it. */
export type ShownResponse = {
  status: number
  headers: Record<string, string>
  body: unknown
  body_encoding: 'json' | 'text' | 'base64'
  /** Whether `body` is only the beginning. */
  truncated: boolean
  /** The digest and the number of the body's bytes that were read. */
  sha256: string
  size: number
}

/** Headers that an agent may need and that carry no credential. */
const SHOWN_HEADERS = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'date',
  'etag',
  'expires',
  'last-modified',
  'link',
  'location',
  'retry-after',
  'x-request-id',
]

export function showResponse(response: EgressResponse): ShownResponse {
  const headers = Object.fromEntries(
    SHOWN_HEADERS.flatMap((name) => {
      const value = response.headers[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
  return {
    status: response.status,
    headers,
    ...showBody(response),
    truncated: response.truncated,
    sha256: sha256Hex(response.body),
    size: response.body.length,
  }
}

/** The most bytes of a seller's body that are stored for a retry. */
export const KEPT_MAX_BYTES = 64 * 1024

/** As `showResponse`, cut to the size stored for a retry. `size` and `sha256` describe the whole body. */
export function showKept(response: EgressResponse): ShownResponse {
  const whole = showResponse(response)
  if (response.body.length <= KEPT_MAX_BYTES) return whole
  const body = response.body.subarray(0, KEPT_MAX_BYTES)
  return { ...whole, ...showBody({ ...response, body, truncated: true }), truncated: true }
}

type Shown = Pick<EgressResponse, 'headers' | 'body' | 'truncated'>

function showBody(response: Shown): Pick<ShownResponse, 'body' | 'body_encoding'> {
  const isEncoded = response.headers['content-encoding'] !== undefined
  const text = isEncoded ? undefined : readText(response.body, response.truncated)
  if (text === undefined) return { body: response.body.toString('base64'), body_encoding: 'base64' }
  const isJson = /^[^;]*\bjson\b/i.test(response.headers['content-type'] ?? '')
  const parsed = isJson && !response.truncated ? readJson(text) : undefined
  return parsed === undefined
    ? { body: text, body_encoding: 'text' }
    : { body: parsed, body_encoding: 'json' }
}

/**
 * The bytes as UTF-8 text; a cut body loses the character at the cut. Bytes with control characters are not text: as
 * JSON they would grow sixfold.
 */
function readText(bytes: Uint8Array, isCut: boolean): string | undefined {
  if (bytes.some(isControl)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, {
      stream: isCut,
    })
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** Any control character except tab, line feed and carriage return. */
const isControl = (byte: number): boolean =>
  byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d

/** The parsed value, if it holds all that the text does: what JavaScript would round or drop stays text. */
function readJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    const { fault, isExact } = scanJson(text)
    return isExact && !fault ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
