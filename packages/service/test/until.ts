import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'

/** In milliseconds: a limit for what hangs, not for what is slow. Beside busy programs a test of seconds takes minutes. */
export const LONGEST_MS = 600_000
const LOOK_MS = 40

/**
 * Waits until what `look` returns is so, and returns it. `isSo` says no by `false` or by a failed assertion, and without
 * it any true value will do. At the end of the time it throws what it saw last; an error of `look` ends it at once.
 */
export async function until<Seen>(
  look: () => Seen | Promise<Seen>,
  isSo: (seen: Seen) => unknown = Boolean,
  { everyMs = LOOK_MS, longestMs = LONGEST_MS } = {},
): Promise<Seen> {
  const startedAt = performance.now()
  for (;;) {
    const seen = await look()
    const missing = whyNot(isSo, seen)
    if (!missing) return seen
    if (performance.now() - startedAt > longestMs)
      throw new Error(
        `it was not so within ${longestMs / 1000} s; last seen: ${inspect(seen, { depth: 5 })}`,
        { cause: missing },
      )
    await sleep(everyMs)
  }
}

/**
 * Lets real time pass: for a party that is slow, and for what must not happen meanwhile. A test that waits for something
 * to happen asks for it with `until`.
 */
export const pause = (ms: number): Promise<void> => sleep(ms)

function whyNot<Seen>(isSo: (seen: Seen) => unknown, seen: Seen): Error | undefined {
  try {
    return isSo(seen) === false ? new Error('not so') : undefined
  } catch (error) {
    if ((error as Error).name !== 'AssertionError') throw error
    return error as Error
  }
}

/** How many times longer than on an idle machine things take now. */
export const slowness = (): number => Math.max(1, loadavg()[0]! / availableParallelism())
