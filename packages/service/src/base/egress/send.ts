import {
  type ClientRequest,
  type Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction, Socket } from 'node:net'
import { inSpan, withTrace } from '../kernel/tracing.ts'
import { CONNECT_TIMEOUT, HEAD_TIMEOUT, TOO_MANY_INTERIM, UNASKED_UPGRADE } from './errors.ts'

export type Sending = {
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
  /** The kept connections; false for one connection that is closed after the answer. */
  readonly agent: HttpAgent | false
  /** Gives the checked addresses alone. Each of them is tried until one takes the connection. */
  readonly lookup: LookupFunction
  readonly connectTimeoutMs: number
  /** For the head of the answer, once connected. */
  readonly headTimeoutMs: number
  readonly headMaxBytes: number
  /** Ends the whole exchange, the body of its answer included. */
  readonly signal: AbortSignal
  /** Called when the connection is there: from then on the request may have arrived. */
  onConnect(isReused: boolean): void
}

/** The informational answers that may come before the answer: some servers send a 102 every second while they work. */
const INTERIM_MAX = 64
/** How long one of several addresses may take before the next one is tried. */
const ADDRESS_MS = 1_000

/**
 * Sends a request, and resolves with the head of its final answer. Informational answers (100, 102, 103) are skipped,
 * as HTTP demands of every client; undici takes a 100 for a broken connection.
 */
export const send = (sending: Sending): Promise<IncomingMessage> =>
  inSpan(
    () => ({
      name: `http ${sending.method}`,
      kind: 'client',
      values: {
        'http.request.method': sending.method,
        'server.address': sending.url.hostname,
      },
    }),
    () => exchange({ ...sending, headers: withTrace(sending.headers) }),
  )

function exchange(sending: Sending): Promise<IncomingMessage> {
  const { url, body, signal } = sending
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)({
      agent: sending.agent,
      lookup: sending.lookup,
      // The types leave these out.
      ...{ autoSelectFamily: true, autoSelectFamilyAttemptTimeout: ADDRESS_MS },
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port,
      path: url.pathname + url.search,
      method: sending.method,
      headers: { host: url.host, ...sending.headers, ...lengthOf(body) },
      maxHeaderSize: sending.headMaxBytes,
    })
    // `headMaxBytes` bounds them. Beyond a number of its own Node would leave headers out without a word.
    request.maxHeadersCount = 0
    const stop = () => request.destroy(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    request.on('error', reject)
    request.on('response', resolve)
    request.on('close', () => {
      signal.removeEventListener('abort', stop)
      reject(failure('ECONNRESET'))
    })
    watchConnection(request, sending)
    refuseStrange(request)
    request.end(body)
  })
}

const lengthOf = (body: string | Uint8Array | undefined) =>
  body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }

/** Reports the connection, and ends a request whose connection or head takes too long. */
function watchConnection(request: ClientRequest, sending: Sending): void {
  const { url, connectTimeoutMs, headTimeoutMs } = sending
  let timer: NodeJS.Timeout | undefined
  const limit = (ms: number, code: string) => {
    clearTimeout(timer)
    timer = setTimeout(() => request.destroy(failure(code)), ms)
  }
  const connected = () => {
    limit(headTimeoutMs, HEAD_TIMEOUT)
    sending.onConnect(request.reusedSocket)
  }
  request.on('socket', (socket: Socket) => {
    if (request.reusedSocket) return connected()
    limit(connectTimeoutMs, CONNECT_TIMEOUT)
    socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', connected)
  })
  request.on('response', () => clearTimeout(timer))
  request.on('close', () => clearTimeout(timer))
}

/** Ends a request that is answered by interim answers without end, or by another protocol. */
function refuseStrange(request: ClientRequest): void {
  let count = 0
  request.on('information', () => {
    count += 1
    if (count > INTERIM_MAX) request.destroy(failure(TOO_MANY_INTERIM))
  })
  request.on('upgrade', (_, socket) => {
    request.emit('error', failure(UNASKED_UPGRADE))
    socket.destroy()
  })
}

const failure = (code: string): Error => Object.assign(new Error(code), { code })
