import type { IncomingMessage } from 'node:http'
import type { LookupFunction } from 'node:net'
import { deadlineIn } from '../kernel/clock.ts'
import { reach } from '../kernel/fault-points.ts'
import { Problem } from '../kernel/problem.ts'
import { ACCEPT_ENCODING, readBody } from './body.ts'
import { egressError, type ResponseHead } from './errors.ts'
import { checkedLookup, checkedUrl } from './guard/lookup.ts'
import { createPlaces, type Place, type Places, type Purpose } from './guard/places.ts'
import { createResolver, type Resolver } from './guard/resolve.ts'
import { type Allowlist, checkUrl, readAllowlist } from './guard/url.ts'
import { headOf, requestHeaders } from './headers.ts'
import { createKeepAlive, type KeepAlive } from './keep-alive.ts'
import { send } from './send.ts'

export type EgressRequest = {
  url: string
  method: string
  /** Sent unchanged, except for headers of the connection. Pass a caller's headers through `sanitizeHeaders` first. */
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array
  /** For the whole exchange, including redirects and body. */
  timeoutMs?: number
  /** The limit for the decoded body. */
  maxBytes?: number
  /** The number of redirects that a GET or HEAD without credentials may follow on its own origin. */
  maxRedirects?: number
  /**
   * The caller's place, which the caller disposes of. Without one the request takes a place among the service's own
   * inquiries.
   */
  place?: Place | undefined
}

export type EgressResponse = ResponseHead & {
  /** Decoded, unless the headers have a `content-encoding`: it could not be decoded then, and is as it came. */
  readonly body: Buffer
  /** Whether the body went on beyond `maxBytes`. */
  readonly truncated: boolean
  /** The URL that answered, after redirects. */
  readonly url: string
}

/** The only way out of this process for URLs that others supply. */
export type Egress = {
  /** The URL if its text is acceptable. Throws the Problem `url_not_allowed`. */
  check(url: string): URL
  /** A place for a wallet's requests, until it is disposed of. Throws `rate_limited` or `overloaded`. */
  enter(wallet: string, purpose: Purpose): Place
  /**
   * Throws `EgressError` for every outside failure, including a refused URL, and a Problem for a malformed header or
   * method.
   */
  fetch(request: EgressRequest): Promise<EgressResponse>
  /** Kept connections, for endpoints that are sent to often. */
  kept: KeepAlive
}

const CONNECT_TIMEOUT_MS = 3_000
const HEADERS_TIMEOUT_MS = 10_000
const HEADERS_MAX_BYTES = 32 * 1024
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const CREDENTIALS = [
  'payment-signature',
  'x-payment',
  'payment-authorization',
  'authorization',
  'cookie',
]

/** The owner of requests that no wallet asked for. */
const SERVICE = 'service'

/** `allow` lists host names, addresses and CIDR ranges that may be reached although private, over http, on any port. */
export function createEgress(options: {
  allow: readonly string[]
  resolver?: Resolver
  places?: Places
}): Egress {
  const allowlist = readAllowlist(options.allow)
  const { resolver = createResolver(), places = createPlaces() } = options
  return {
    check: (url) => checkUrl(allowlist, url),
    enter: places.take,
    kept: createKeepAlive(allowlist, resolver),
    async fetch(request) {
      using _own = request.place ? undefined : places.take(SERVICE, 'discover')
      return await followingRedirects(request, allowlist, resolver)
    },
  }
}

async function followingRedirects(
  request: EgressRequest,
  allowlist: Allowlist,
  resolver: Resolver,
): Promise<EgressResponse> {
  using deadline = deadlineIn(request.timeoutMs ?? 15_000)
  const exchange: Exchange = {
    method: request.method.toUpperCase(),
    headers: requestHeaders(request.headers ?? {}),
    body: request.body,
    maxBytes: request.maxBytes ?? 5 * 1024 * 1024,
    lookup: checkedLookup(allowlist, resolver),
    signal: deadline.signal,
    sent: false,
  }
  if (!METHODS.has(exchange.method))
    throw new Problem('invalid_field', `method must be one of ${[...METHODS].join(', ')}.`, {
      param: 'method',
    })
  let url = checkedUrl(allowlist, request.url)
  for (let left = redirectsOf(request, exchange); ; left--) {
    const response = await once(url, exchange)
    const next = left > 0 ? redirectTarget(response, url) : undefined
    if (!next) return response
    url = checkedUrl(allowlist, next.href)
  }
}

function redirectsOf(request: EgressRequest, { method, headers }: Exchange): number {
  const isSafe = method === 'GET' || method === 'HEAD'
  const hasCredential = CREDENTIALS.some((name) => Object.hasOwn(headers, name))
  return isSafe && !hasCredential ? (request.maxRedirects ?? 0) : 0
}

function redirectTarget({ status, headers }: EgressResponse, from: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || headers.location === undefined)
    return undefined
  const target = URL.parse(headers.location, from.href)
  return target?.origin === from.origin ? target : undefined
}

type Exchange = {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body: string | Uint8Array | undefined
  readonly maxBytes: number
  readonly lookup: LookupFunction
  readonly signal: AbortSignal
  /** Set once a connection is made: from then on the request may have arrived. */
  sent: boolean
}

/** Makes one request on its own connection, which leaves no idle socket whose closing could look like a lost request. */
async function once(url: URL, exchange: Exchange): Promise<EgressResponse> {
  const { method, body, maxBytes, signal } = exchange
  let answer: IncomingMessage | undefined
  let head: ResponseHead | undefined
  try {
    answer = await send({
      ...{ url, method, body, signal, agent: false, lookup: exchange.lookup },
      headers: {
        accept: '*/*',
        'user-agent': 'purser',
        ...exchange.headers,
        'accept-encoding': ACCEPT_ENCODING,
      },
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      headTimeoutMs: HEADERS_TIMEOUT_MS,
      headMaxBytes: HEADERS_MAX_BYTES,
      onConnect: () => {
        exchange.sent = true
        reach('egress.connected')
      },
    })
    head = headOf(answer)
    const encoding = head.headers['content-encoding']
    const { bytes, truncated, isEncoded } = await readBody(answer, encoding, maxBytes)
    const shown = isEncoded ? head : decodedHead(head)
    return { ...shown, body: bytes, truncated, url: url.href }
  } catch (error) {
    throw egressError(signal.aborted ? signal.reason : error, exchange.sent, head)
  } finally {
    answer?.destroy()
  }
}

/** The head without the headers that described the encoded body. */
function decodedHead({ headers, ...head }: ResponseHead): ResponseHead {
  const { 'content-encoding': _encoding, 'content-length': _length, ...rest } = headers
  return { ...head, headers: rest }
}
