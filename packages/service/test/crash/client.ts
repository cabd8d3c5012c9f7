import { deadlineIn } from '../../src/base/kernel/clock.ts'
import { pause } from '../until.ts'

export type Reply = { status: number; body: any }
export type Request = {
  method: string
  path: string
  body?: unknown
  headers?: Record<string, string>
  /** Gives the request up. Nobody knows then what became of it. */
  signal?: AbortSignal
}

/** A caller counts an answer as lost after this time. */
const ANSWER_MS = 60_000
const PAUSE_MS = 300
/** Refusals that mean "not now". */
const LATER = new Set([
  'idempotency_in_progress',
  'settlement_pending',
  'overloaded',
  'pay_link_busy',
  'unexpected_settle_error',
  'rate_limited',
])

/** Makes one request; undefined if no answer came. */
export async function ask(baseUrl: string, request: Request): Promise<Reply | undefined> {
  const { method, path, body, headers, signal } = request
  using deadline = deadlineIn(ANSWER_MS, signal)
  try {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: deadline.signal,
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return { status: response.status, body: isJson && text ? JSON.parse(text) : text }
  } catch (error) {
    // Nothing listens, or the connection ended before the answer did: the process was killed.
    if (error instanceof TypeError || (error as Error).name === 'TimeoutError') return undefined
    if (signal?.aborted) return undefined
    throw error
  }
}

/** The final answer to a request, and the number of attempts that were lost or failed before it. */
export type Outcome = { reply: Reply; tries: number; lost: number; failed: number; tookMs: number }

/**
 * Repeats the same request until it has a final answer, as a caller does whose connection was cut. Undefined once
 * `isOver` answers true.
 */
export async function insist(
  baseUrl: string,
  request: Request,
  isOver: () => boolean,
): Promise<Outcome | undefined> {
  const outcome = { tries: 0, lost: 0, failed: 0 }
  const startedAt = Date.now()
  while (!isOver()) {
    outcome.tries++
    const reply = await ask(baseUrl, request)
    if (!reply) outcome.lost++
    else if (reply.status >= 500) outcome.failed++
    const code = reply?.body?.code ?? reply?.body?.errorReason
    if (reply && reply.status < 500 && !LATER.has(code))
      return { ...outcome, reply, tookMs: Date.now() - startedAt }
    await pause(PAUSE_MS)
  }
  return undefined
}
