import { uptime } from 'node:os'

/** The source of time. Rooms get `at: Date` as an argument; only the edge (http, jobs) asks the clock. */
export type Clock = {
  now(): Date
  /** Real time, without what the development clock adds: for what others compare with their clocks. */
  real(): Date
  /** By how many milliseconds this machine's own clock is ahead of it; negative if behind. */
  aheadMs(): number
}

/** A step of this machine's clock; smaller ones are how NTP corrects it. */
const STEP_MS = 1_000

export type FollowedClock = Clock & {
  /** Asks the other clock, which answers in Unix milliseconds. */
  compare(ask: () => Promise<number>): Promise<void>
}

/**
 * Follows another clock by what it answered last. Corrects this machine's clock by no more than the answers prove, so two
 * clocks that agree stay one. A step of this machine's clock after the last answer changes nothing: time goes on steadily.
 */
export function followedClock(
  own: () => number = Date.now,
  steady: () => number = steadyNow,
): FollowedClock {
  let aheadMs = 0
  let last: { atMs: number; steadyMs: number } | undefined
  const now = () => {
    const said = own() - aheadMs
    if (!last) return new Date(said)
    const went = last.atMs + steady() - last.steadyMs
    return new Date(Math.abs(said - went) > STEP_MS ? went : said)
  }
  return {
    now,
    real: now,
    aheadMs: () => aheadMs,
    async compare(ask) {
      const askedMs = own()
      const theirsMs = await ask()
      // Whole milliseconds are read, so the true time may be later by one.
      const answeredMs = own() + 1
      aheadMs = Math.min(Math.max(aheadMs, askedMs - theirsMs), answeredMs - theirsMs)
      last = { atMs: answeredMs - aheadMs, steadyMs: steady() }
    },
  }
}

/** Milliseconds since the machine was started, with those in which it was suspended: nobody sets this clock. */
export const sinceBoot = (): number => uptime() * 1000

export const addSeconds = (at: Date, seconds: number): Date =>
  new Date(at.getTime() + seconds * 1000)
export const addHours = (at: Date, hours: number): Date => addSeconds(at, hours * 3600)
/** The UTC calendar day, `YYYY-MM-DD`, by which daily limits count. */
export const utcDay = (at: Date): string => at.toISOString().slice(0, 10)
export const unixSeconds = (at: Date): number => Math.floor(at.getTime() / 1000)

/** Milliseconds of a clock that nobody sets, from some moment of this process on: to compare moments of this process, and to measure. */
export const steadyNow = (): number => performance.now()

/**
 * The answer, or what `late` gives or throws if the answer takes longer than this. One that came while the process was held up is
 * in time, though its deadline is noticed first: what has arrived is read before anybody is called late.
 */
export function within<T>(answer: Promise<T>, ms: number, late: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<void>((resolve) => {
    timer = setTimeout(() => setImmediate(resolve), ms)
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
