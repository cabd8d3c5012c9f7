/** The source of time. Rooms get `at: Date` as an argument; only the edge (http, jobs) asks the clock. */
export type Clock = { now(): Date }

export const addSeconds = (at: Date, seconds: number): Date =>
  new Date(at.getTime() + seconds * 1000)
export const addHours = (at: Date, hours: number): Date => addSeconds(at, hours * 3600)
/** The UTC calendar day, `YYYY-MM-DD`, by which daily limits count. */
export const utcDay = (at: Date): string => at.toISOString().slice(0, 10)
export const unixSeconds = (at: Date): number => Math.floor(at.getTime() / 1000)

/** Real time, whatever the development clock says: for what others compare with theirs, and to measure how long things take. */
export const realNow = (): Date => new Date()

/** Milliseconds of a clock that nobody sets, from some moment of this process on: to compare moments of this process. */
export const steadyNow = (): number => performance.now()

/** The answer, or what `late` gives or throws if the answer takes longer than this. */
export function within<T>(answer: Promise<T>, ms: number, late: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  return Promise.race([answer, silence.then(late)]).finally(() => clearTimeout(timer))
}

/** A signal that fires once. Disposed of, it leaves no timer and no listener. */
export type Deadline = Disposable & { readonly signal: AbortSignal }

/**
 * Fires after `ms` with a `TimeoutError`, or with the reason of `other` when that fires. A plain timer and a plain listener,
 * since both hold what they end: garbage collection takes a signal that `AbortSignal.any` made, which then never fires, and
 * the timer of `AbortSignal.timeout` stays after the answer.
 */
export function deadlineIn(ms: number, other?: AbortSignal): Deadline {
  const stop = new AbortController()
  const late = () => stop.abort(new DOMException(`not within ${ms} ms`, 'TimeoutError'))
  const timer = setTimeout(late, ms)
  const onAbort = () => stop.abort(other?.reason)
  if (other?.aborted) onAbort()
  other?.addEventListener('abort', onAbort, { once: true })
  return {
    signal: stop.signal,
    [Symbol.dispose]() {
      clearTimeout(timer)
      other?.removeEventListener('abort', onAbort)
    },
  }
}
