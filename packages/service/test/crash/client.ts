import { setTimeout as sleep } from 'node:timers/promises'

export type Reply = { status: number; body: any }
export type Request = {
  method: string
  path: string
  body?: unknown
  headers?: Record<string, string>
}

/** How long a caller waits for an answer before it counts as lost. */
const ANSWER_MS = 60_000
const PAUSE_MS = 300
/** Refusals that say "not now". */
const LATER = new Set([
  'idempotency_in_progress',
  'settlement_pending',
  'overloaded',
  'pay_link_busy',
  'unexpected_settle_error',
])

/** One request; undefined where no answer came. */
export async function ask(baseUrl: string, request: Request): Promise<Reply | undefined> {
  const { method, path, body, headers } = request
  try {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return { status: response.status, body: isJson && text ? JSON.parse(text) : text }
  } catch (error) {
    // Nobody listens, or the connection ended before the answer did: the process was killed.
    if (error instanceof TypeError || (error as Error).name === 'TimeoutError') return undefined
    throw error
  }
}

/** What became of a request whose first answer may have been lost. */
export type Told = { reply: Reply; tries: number; lost: number; failed: number; tookMs: number }

/**
 * Repeats one and the same request until it is answered for good, as a caller does who was cut off. Undefined if
 * `isOver` said that it is too late.
 */
export async function insist(
  baseUrl: string,
  request: Request,
  isOver: () => boolean,
): Promise<Told | undefined> {
  const told = { tries: 0, lost: 0, failed: 0 }
  const startedAt = Date.now()
  while (!isOver()) {
    told.tries++
    const reply = await ask(baseUrl, request)
    if (!reply) told.lost++
    else if (reply.status >= 500) told.failed++
    const code = reply?.body?.code ?? reply?.body?.errorReason
    if (reply && reply.status < 500 && !LATER.has(code))
      return { ...told, reply, tookMs: Date.now() - startedAt }
    await sleep(PAUSE_MS)
  }
  return undefined
}
