import { isIP, type LookupFunction } from 'node:net'
import { buildConnector, type Dispatcher, Pool } from 'undici'
import { assert } from '../kernel/assert.ts'
import { Bounded } from '../kernel/bounded.ts'
import { realNow } from '../kernel/clock.ts'
import { EgressError, egressError, type ResponseHead } from './errors.ts'
import { checkedUrl, resolveChecked } from './guard/lookup.ts'
import type { ResolvedAddress, Resolver } from './guard/resolve.ts'
import { type Allowlist, hostOf } from './guard/url.ts'
import { flatHeaders } from './headers.ts'

/** The checked destination of a URL: a request goes to `address` and to no other. */
export type Destination = {
  readonly url: URL
  /** The name or address in the URL. */
  readonly host: string
  readonly address: string
}
export type KeptRequest = {
  headers: Readonly<Record<string, string>>
  body: Uint8Array
  /** Until the head of the answer is read. */
  timeoutMs?: number
}
export type KeptAnswer = ResponseHead & {
  /** How the body begins. */
  readonly start: Buffer
}
/** Posts over connections that are kept. Both throw `EgressError` for every failure outside, a refused URL included. */
export type KeepAlive = {
  /** The destination of requests for the next seconds. Resolves the name if that was not done in the last minute. */
  resolve(url: string): Promise<Destination>
  /** Follows no redirect. Reads little of the body, and a body that fails or goes on does not fail the request. */
  post(to: Destination, request: KeptRequest): Promise<KeptAnswer>
}

/** As many requests to one origin may be under way in this process. */
export const SOCKETS_MAX = 256
const ORIGINS_MAX = 2_000
const RESOLVED_MS = 60_000
/** How long a destination may still be used after its way was given up for a new one. */
const GRACE_MS = 20_000
const IDLE_MS = 4_000
const CONNECT_MS = 5_000
const ANSWER_MS = 15_000
/** For the body, once its head is read. */
const BODY_MS = 2_000
const HEAD_MAX_BYTES = 16 * 1024
const BODY_MAX_BYTES = 64 * 1024
const START_BYTES = 1024

/** The connections to one origin, all of them to one address. */
type Way = { readonly address: ResolvedAddress; readonly pool: Pool; readonly madeAtMs: number }

/** Connections to the addresses that the guard lets through, one pinned address for each origin at a time. */
export function createKeepAlive(allowlist: Allowlist, resolver: Resolver): KeepAlive {
  const ways = new Bounded<Promise<Way>>(ORIGINS_MAX)
  /** How often an origin's connections failed: the next try takes the next of its addresses. */
  const turns = new Bounded<number>(ORIGINS_MAX)
  const chosen = new WeakMap<Destination, Way>()

  async function addressesOf(
    host: string,
  ): Promise<readonly [ResolvedAddress, ...ResolvedAddress[]]> {
    const family = isIP(host)
    // The check of the URL has judged an address already.
    if (family === 4 || family === 6) return [{ address: host, family }]
    return resolveChecked(allowlist, resolver, host)
  }

  async function makeWay(url: URL): Promise<Way> {
    const addresses = await addressesOf(hostOf(url))
    const address = addresses[(turns.get(url.origin) ?? 0) % addresses.length] ?? addresses[0]
    return { address, pool: openPool(url, address), madeAtMs: realNow().getTime() }
  }

  async function wayTo(url: URL): Promise<Way> {
    const known = ways.get(url.origin)
    if (known) {
      const way = await known.catch(() => undefined)
      if (way && realNow().getTime() - way.madeAtMs < RESOLVED_MS) return way
      if (ways.get(url.origin) === known) leave(url.origin, known)
      return wayTo(url)
    }
    const made = makeWay(url)
    const evicted = ways.set(url.origin, made)
    if (evicted) close(evicted)
    made.catch(() => {
      if (ways.get(url.origin) === made) ways.delete(url.origin)
    })
    return made
  }

  function leave(origin: string, way: Promise<Way> | undefined): void {
    ways.delete(origin)
    if (way) close(way)
  }

  return {
    async resolve(text) {
      const url = checkedUrl(allowlist, text)
      try {
        const way = await wayTo(url)
        const destination = { url, host: hostOf(url), address: way.address.address }
        chosen.set(destination, way)
        return destination
      } catch (error) {
        throw egressError(error, false)
      }
    },
    async post(to, request) {
      const way = chosen.get(to)
      assert(way, 'a destination was resolved here')
      try {
        return await exchange(way.pool, to.url, request)
      } catch (error) {
        const { origin } = to.url
        const known = ways.get(origin)
        if (error instanceof EgressError && error.kind === 'connect' && (await known) === way) {
          turns.set(origin, (turns.get(origin) ?? 0) + 1)
          leave(origin, known)
        }
        throw error
      }
    },
  }
}

/** Ends the idle connections once nobody uses their destination, and the others when their requests have ended. */
const close = (way: Promise<Way>): void => {
  const end = ({ pool }: Way) => setTimeout(() => pool.close().catch(() => undefined), GRACE_MS)
  way.then(end).then(
    (timer) => timer.unref(),
    () => undefined,
  )
}

const openPool = (url: URL, pinned: ResolvedAddress): Pool =>
  new Pool(url.origin, {
    connections: SOCKETS_MAX,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: RESOLVED_MS,
    maxHeaderSize: HEAD_MAX_BYTES,
    // The signal of each request bounds both.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: buildConnector({
      timeout: CONNECT_MS,
      allowH2: false,
      lookup: answering(pinned),
    }),
  })

const answering =
  ({ address, family }: ResolvedAddress): LookupFunction =>
  (_host, options, callback) =>
    options.all ? callback(null, [{ address, family }]) : callback(null, address, family)

async function exchange(pool: Pool, url: URL, request: KeptRequest): Promise<KeptAnswer> {
  const { headers, body, timeoutMs = ANSWER_MS } = request
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new DOMException('late', 'TimeoutError')), timeoutMs)
  let isSent = false
  try {
    const response = await pool.request({
      path: url.pathname + url.search,
      method: 'POST',
      headers: { ...headers, 'accept-encoding': 'identity' },
      body,
      signal: late.signal,
    })
    isSent = true
    const start = await readStart(response.body)
    return { status: response.statusCode, headers: flatHeaders(response.headers), start }
  } catch (error) {
    throw exchangeError(error, isSent)
  } finally {
    clearTimeout(timer)
  }
}

/** Codes of undici and of sockets that say that there was no connection to send on. */
const UNCONNECTED =
  /^(UND_ERR_CONNECT_TIMEOUT|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ENOTFOUND|CERT_.*|ERR_TLS_.*|ERR_SSL_.*|DEPTH_ZERO_.*|SELF_SIGNED_.*|UNABLE_TO_.*)$/

function exchangeError(error: unknown, isSent: boolean): EgressError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return egressError(error, isSent || !UNCONNECTED.test(code))
}

/** The first bytes. The connection is kept if the whole body is short and comes soon, and else dropped. */
async function readStart(body: Dispatcher.ResponseData['body']): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  const timer = setTimeout(() => body.destroy(), BODY_MS)
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (size < START_BYTES) chunks.push(chunk)
      size += chunk.length
      if (size > BODY_MAX_BYTES) break
    }
  } catch {
    // The head has answered already; the body is shown for information only.
  } finally {
    clearTimeout(timer)
  }
  return Buffer.concat(chunks).subarray(0, START_BYTES)
}
