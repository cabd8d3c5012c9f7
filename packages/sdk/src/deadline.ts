export type Limit = { timeoutMs: number; signal?: AbortSignal | undefined }

/** Thrown by `within` when the time is over. */
export class TimeUp extends Error {
  override readonly name = 'TimeoutError'
}

/** The longest time that a timer takes: one that is given more fires at once. */
const LONGEST_MS = 2 ** 31 - 1

/**
 * Does `work`, and hands it a signal that fires when the time is over or when the caller's own signal does. Rejects at that
 * moment with `TimeUp` or the signal's reason, whether or not `work` heeds the signal. Leaves no timer and no listener.
 */
export async function within<T>(
  { timeoutMs, signal }: Limit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  // A timer and a listener hold what they end. Garbage collection takes a signal that `AbortSignal.any` made of
  // `AbortSignal.timeout`, and a Request follows its signal weakly: neither fires then (measured with Node 20 and 24).
  const stop = new AbortController()
  const { promise: ended, reject } = withRejection()
  const end = (reason: unknown) => {
    reject(reason)
    stop.abort(reason)
  }
  const onAbort = () => end(signal?.reason)
  const timer = setTimeout(() => end(new TimeUp()), Math.min(timeoutMs, LONGEST_MS))
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work(stop.signal), ended])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

/** Not `Promise.withResolvers`, which Node 20 does not have. */
function withRejection(): { promise: Promise<never>; reject: (reason: unknown) => void } {
  let reject: (reason: unknown) => void = () => undefined
  const promise = new Promise<never>((_resolve, rejectIt) => {
    reject = rejectIt
  })
  return { promise, reject }
}

/** Waits. Rejects with the signal's reason once it fires. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
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
