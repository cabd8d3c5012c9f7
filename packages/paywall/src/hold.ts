import type { ServerResponse } from 'node:http'
import type { Answer } from './answer.ts'
import type { Admitted } from './gate.ts'
import { KEPT_MAX } from './seal.ts'

/** Sends an answer of the paywall itself. */
export function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.statusCode = status
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.end(body ?? undefined)
}

/** The headers, where one with several values stands once with all of them. */
export function headersOf(headers: Headers): Map<string, string | string[]> {
  const all = new Map<string, string | string[]>()
  for (const [name, value] of headers) if (name !== 'set-cookie') all.set(name, value)
  const cookies = headers.getSetCookie()
  if (cookies.length > 0) all.set('set-cookie', cookies)
  return all
}

/** How long a body may take to be kept as a whole. */
const WHOLE_MS = 20

type Chunk = string | Uint8Array
type Write = (chunk: Chunk, encoding?: unknown, done?: unknown) => boolean
type End = (chunk?: unknown, encoding?: unknown, done?: unknown) => ServerResponse

/**
 * Holds back what a handler writes until the money is taken, then lets it through. A handler that streams waits for that with its
 * first part; one that fails is not charged.
 */
export function hold(response: ServerResponse, admitted: Admitted): void {
  if (!admitted.paid) return
  const open = {
    writeHead: response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse,
    write: response.write.bind(response) as unknown as Write,
    end: response.end.bind(response) as unknown as End,
  }
  const parts: Buffer[] = []
  const waiting: (() => void)[] = []
  const state = { isBegun: false, isEnded: false, length: 0 }
  const take = (chunk: unknown, encoding: unknown) => {
    if (chunk === undefined || chunk === null || typeof chunk === 'function') return
    const bytes =
      typeof chunk === 'string'
        ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
        : Buffer.from(chunk as Uint8Array)
    parts.push(bytes)
    state.length += bytes.length
  }
  const begin = (delayMs: number) => {
    if (state.isBegun) return
    state.isBegun = true
    const run = () =>
      void settleHeld(response, { admitted, open, parts, waiting, state }).catch((error) =>
        response.destroy(error),
      )
    if (delayMs === 0) run()
    else setTimeout(run, delayMs)
  }
  response.once('close', () => {
    if (!state.isBegun) void admitted.abandon()
  })
  response.writeHead = ((status: number, ...more: unknown[]) => {
    response.statusCode = status
    const headers = more.find((one) => typeof one === 'object' && one !== null)
    setHeaders(response, headers)
    return response
  }) as typeof response.writeHead
  response.flushHeaders = () => begin(WHOLE_MS)
  response.write = ((chunk: unknown, encoding?: unknown, done?: unknown) => {
    take(chunk, encoding)
    const callback = [encoding, done].find((one) => typeof one === 'function')
    if (callback) waiting.push(callback as () => void)
    begin(WHOLE_MS)
    return false
  }) as typeof response.write
  response.end = ((chunk?: unknown, encoding?: unknown, done?: unknown) => {
    take(chunk, encoding)
    const callback = [chunk, encoding, done].find((one) => typeof one === 'function')
    if (callback) waiting.push(callback as () => void)
    state.isEnded = true
    begin(0)
    return response
  }) as typeof response.end
}

function setHeaders(response: ServerResponse, headers: unknown): void {
  if (Array.isArray(headers)) {
    for (let i = 0; i < headers.length; i += 2) response.setHeader(headers[i], headers[i + 1])
    return
  }
  for (const [name, value] of Object.entries(headers ?? {}))
    if (value !== undefined) response.setHeader(name, value as string)
}

type Held = {
  admitted: Admitted
  open: { writeHead: (...args: unknown[]) => ServerResponse; write: Write; end: End }
  parts: Buffer[]
  waiting: (() => void)[]
  state: { isEnded: boolean; length: number }
}

async function settleHeld(response: ServerResponse, held: Held): Promise<void> {
  const { admitted, open, parts, waiting, state } = held
  const headers = new Headers()
  for (const [name, value] of Object.entries(response.getHeaders()))
    for (const one of Array.isArray(value) ? value : [value]) headers.append(name, String(one))
  const isWhole = state.isEnded && state.length <= KEPT_MAX
  const body = isWhole ? new Uint8Array(Buffer.concat(parts)) : null
  const verdict = await admitted.conclude({ status: response.statusCode, headers, body })
  if (response.destroyed) return
  // From here on the handler writes to the client.
  Object.assign(response, open)
  if (verdict.kind === 'instead') {
    // The rest that the handler writes goes nowhere.
    for (const name of response.getHeaderNames()) response.removeHeader(name)
    send(response, verdict.answer)
    mute(response, waiting)
    return
  }
  for (const name of response.getHeaderNames()) if (!headers.has(name)) response.removeHeader(name)
  for (const [name, value] of headersOf(headers)) response.setHeader(name, value)
  for (const part of parts) open.write(part)
  if (state.isEnded) open.end()
  for (const done of waiting) done()
  if (!state.isEnded) response.emit('drain')
}

function mute(response: ServerResponse, waiting: readonly (() => void)[]): void {
  response.write = ((_chunk: unknown, encoding?: unknown, done?: unknown) => {
    const callback = [encoding, done].find((one) => typeof one === 'function')
    if (callback) queueMicrotask(callback as () => void)
    return true
  }) as typeof response.write
  response.end = (() => response) as typeof response.end
  for (const done of waiting) done()
  response.emit('drain')
}
