import { errorOf, PurserError } from './error.ts'

export type Fetch = (request: Request) => Promise<Response>
type RetryOptions = {
  fetch: Fetch
  retries: number
  /** The longest that a call may take with all its retries. */
  timeoutMs: number
}

const FIRST_WAIT_MS = 200

/**
 * Sends a request, and retries it if that is safe: with the same bytes and the same Idempotency-Key, so that the service
 * recognizes the retry. Throws `PurserError` for every answer but a success.
 */
export function retryingFetch(options: RetryOptions): Fetch {
  return async (request) => {
    const deadline = performance.now() + options.timeoutMs
    for (let attempt = 0; ; attempt++) {
      const outcome = await send(options.fetch, request, deadline)
      if ('response' in outcome) return outcome.response
      const { error, waitMs } = outcome
      // An earlier attempt with this key is still running: wait for its answer.
      const isLeft = error.code === 'idempotency_in_progress' || attempt < options.retries
      const nextMs = waitMs ?? FIRST_WAIT_MS * 2 ** attempt * (0.5 + Math.random())
      if (!isLeft || !mayRepeat(request, error) || performance.now() + nextMs > deadline)
        throw error
      await sleep(nextMs, request.signal)
    }
  }
}

type Outcome = { response: Response } | { error: PurserError; waitMs: number | undefined }

async function send(fetch: Fetch, request: Request, deadline: number): Promise<Outcome> {
  const remainingMs = Math.max(1, Math.ceil(deadline - performance.now()))
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(remainingMs)])
  let response: Response
  try {
    // A body can be read once, so each attempt sends a copy.
    response = await fetch(new Request(request.clone(), { signal }))
  } catch (cause) {
    if (request.signal.aborted) throw cause
    return { error: unreached(request, cause, performance.now() >= deadline), waitMs: undefined }
  }
  if (response.ok) return { response }
  const waitMs = waitOf(response.headers.get('retry-after'))
  return { error: await errorOf(response), waitMs }
}

function unreached(request: Request, cause: unknown, isLate: boolean): PurserError {
  const { origin } = new URL(request.url)
  const error = isLate
    ? `${origin} did not answer in time.`
    : `${origin} could not be reached. Check the base URL, and that the service runs.`
  return new PurserError(0, { error, code: 'connection_failed' }, { cause })
}

/** Whether a retry is safe and may succeed. */
function mayRepeat(request: Request, error: PurserError): boolean {
  // The service refused the request before it did any work.
  if (error.status === 429 || error.code === 'overloaded') return true
  const isRecognized = request.method === 'GET' || request.headers.has('idempotency-key')
  if (!isRecognized) return false
  return [0, 503, 504].includes(error.status) || error.code === 'idempotency_in_progress'
}

function waitOf(retryAfter: string | null): number | undefined {
  const seconds = Number(retryAfter ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}
