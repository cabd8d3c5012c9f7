import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Duplex, Readable } from 'node:stream'
import { assert } from '../kernel/assert.ts'
import { Bounded } from '../kernel/bounded.ts'
import { steadyNow } from '../kernel/clock.ts'
import { EgressError, egressError, type ResponseHead } from './errors.ts'
import { checkedUrl, resolveChecked } from './guard/lookup.ts'
import type { ResolvedAddress, Resolver } from './guard/resolve.ts'
import { type Allowlist, hostOf } from './guard/url.ts'
import { headOf } from './headers.ts'
import { send } from './send.ts'

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
const IDLE_MS = 4_000
const CONNECT_MS = 5_000
const ANSWER_MS = 15_000
/** For the body, once its head is read. */
const BODY_MS = 2_000
const HEAD_MAX_BYTES = 16 * 1024
const BODY_MAX_BYTES = 64 * 1024
const START_BYTES = 1024

/** The connections to one origin, all of them to one address. The two of this machine are tried in turn. */
type Way = {
  readonly addresses: readonly [ResolvedAddress, ...ResolvedAddress[]]
  readonly agent: HttpAgent
  readonly madeAtMs: number
}

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
    const others = isLoopback(address)
      ? addresses.filter((one) => one !== address && isLoopback(one))
      : []
    return { addresses: [address, ...others], agent: openAgent(url), madeAtMs: steadyNow() }
  }

  async function wayTo(url: URL): Promise<Way> {
    const known = ways.get(url.origin)
    if (known !== undefined) {
      const way = await known.catch(() => undefined)
      if (way && steadyNow() - way.madeAtMs < RESOLVED_MS) return way
      if (ways.get(url.origin) === known) ways.delete(url.origin)
      return wayTo(url)
    }
    const made = makeWay(url)
    void ways.set(url.origin, made)
    made.catch(() => {
      if (ways.get(url.origin) === made) ways.delete(url.origin)
    })
    return made
  }

  return {
    async resolve(text) {
      const url = checkedUrl(allowlist, text)
      try {
        const way = await wayTo(url)
        const destination = { url, host: hostOf(url), address: way.addresses[0].address }
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
        return await exchange(way, to.url, request)
      } catch (error) {
        const { origin } = to.url
        const known = ways.get(origin)
        if (error instanceof EgressError && error.kind === 'connect' && (await known) === way) {
          turns.set(origin, (turns.get(origin) ?? 0) + 1)
          ways.delete(origin)
        }
        throw error
      }
    },
  }
}

/** Connections that close by themselves when they are idle, so that a way that is given up needs no end. */
const openAgent = (url: URL): HttpAgent =>
  guardIdle(
    new (url.protocol === 'https:' ? HttpsAgent : HttpAgent)({
      keepAlive: true,
      maxSockets: SOCKETS_MAX,
      maxFreeSockets: SOCKETS_MAX,
      timeout: IDLE_MS,
    }),
  )

/** Drops a connection on which something comes that no request has asked for: the next request would take it for its answer. */
function guardIdle(agent: HttpAgent): HttpAgent {
  const [keep, reuse] = [agent.keepSocketAlive.bind(agent), agent.reuseSocket.bind(agent)]
  const drop = function (this: Duplex) {
    this.destroy()
  }
  agent.keepSocketAlive = (socket) => {
    const isKept = keep(socket) as unknown as boolean
    if (isKept) socket.on('data', drop)
    return isKept
  }
  agent.reuseSocket = (socket, request) => {
    socket.off('data', drop)
    reuse(socket, request)
  }
  return agent
}

const isLoopback = ({ address }: ResolvedAddress): boolean => ['127.0.0.1', '::1'].includes(address)

const answering =
  ([first, ...others]: Way['addresses']): LookupFunction =>
  (_host, options, callback) =>
    options.all ? callback(null, [first, ...others]) : callback(null, first.address, first.family)

async function exchange(way: Way, url: URL, request: KeptRequest): Promise<KeptAnswer> {
  const late = new AbortController()
  const { timeoutMs = ANSWER_MS } = request
  const timer = setTimeout(() => late.abort(new DOMException('late', 'TimeoutError')), timeoutMs)
  const connection = { isMade: false, isReused: false }
  const ask = async (agent: HttpAgent | false) => {
    Object.assign(connection, { isMade: false, isReused: false })
    const answer = await send({
      ...{ url, method: 'POST', body: request.body, signal: late.signal },
      headers: { ...request.headers, 'accept-encoding': 'identity' },
      ...{ agent, lookup: answering(way.addresses) },
      connectTimeoutMs: CONNECT_MS,
      headTimeoutMs: timeoutMs,
      headMaxBytes: HEAD_MAX_BYTES,
      onConnect: (isReused) => Object.assign(connection, { isMade: true, isReused }),
    })
    return { ...headOf(answer), start: await readStart(answer) }
  }
  try {
    return await ask(way.agent).catch((error: unknown) => {
      // Its server closed it while it was idle, and has not read the request (RFC 9112, 9.3.1). A receiver takes twice for once.
      if (connection.isReused && isLost(error) && !late.signal.aborted) return ask(false)
      throw error
    })
  } catch (error) {
    throw egressError(late.signal.aborted ? late.signal.reason : error, connection.isMade)
  } finally {
    clearTimeout(timer)
  }
}

const isLost = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(ECONNRESET|EPIPE)$/.test(String(error.code))

/** The first bytes. The connection is kept if the whole body is short and comes soon, and else dropped. */
async function readStart(body: Readable): Promise<Buffer> {
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
