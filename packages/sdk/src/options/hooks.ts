import type { Fetch } from '../retry.ts'

/** A request as a log may have it: no credential, and no body. */
export type RequestSeen = {
  method: string
  /** Without its query, which can hold a token: that of a seller's URL, for instance. */
  url: string
  /** 1 for the first, and one more for each retry of the call, or each new connection of `followEvents`. */
  attempt: number
  idempotencyKey: string | undefined
}
/** A request, and what came of it. */
export type ResponseSeen = RequestSeen & {
  /** The HTTP status; 0 if no answer came, and `error` says why. */
  status: number
  /** Quote it when you ask the operator for help. */
  requestId: string | undefined
  /** Until the head of the answer. */
  durationMs: number
  error?: unknown
}
export type Hooks = {
  /** Hears of every request before it is sent, retries included. */
  onRequest?: (seen: RequestSeen) => void
  /** Hears how every request was answered, or that it was not. */
  onResponse?: (seen: ResponseSeen) => void
}

/** A `fetch` for one call that reports each of its attempts. A hook that fails does not change the call. */
export function observed(fetch: Fetch, { onRequest, onResponse }: Hooks): Fetch {
  if (!onRequest && !onResponse) return fetch
  let attempt = 0
  return async (request, init) => {
    attempt += 1
    const { origin, pathname } = new URL(request.url)
    const seen: RequestSeen = {
      ...{ method: request.method, url: origin + pathname, attempt },
      idempotencyKey: request.headers.get('idempotency-key') ?? undefined,
    }
    report(onRequest, { ...seen })
    const startedAt = performance.now()
    const durationMs = () => Math.round(performance.now() - startedAt)
    try {
      const response = await fetch(request, init)
      const requestId = response.headers.get('x-request-id') ?? undefined
      report(onResponse, { ...seen, status: response.status, requestId, durationMs: durationMs() })
      return response
    } catch (error) {
      report(onResponse, {
        ...seen,
        ...{ status: 0, requestId: undefined, durationMs: durationMs(), error },
      })
      throw error
    }
  }
}

/** A payment that was made is not lost to a line that could not be logged. */
function report<Seen>(hook: ((seen: Seen) => unknown) | undefined, seen: Seen): void {
  const ignore = () => undefined
  try {
    Promise.resolve(hook?.(seen)).catch(ignore)
  } catch {
    ignore()
  }
}
