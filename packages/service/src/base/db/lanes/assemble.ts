/**
 * Lets callers that do the same work finish together, so that their next writes share a batch. A caller that finishes while
 * others are still working waits for them, at most `mostMs`. A lone caller never waits.
 */
export function assemble(mostMs: number): <T>(work: () => Promise<T>) => Promise<T> {
  let working = 0
  const waiting = new Set<() => void>()
  const others = () =>
    new Promise<void>((resolve) => {
      const go = () => {
        clearTimeout(timer)
        waiting.delete(go)
        resolve()
      }
      const timer = setTimeout(go, mostMs)
      waiting.add(go)
    })
  return async (work) => {
    working++
    try {
      return await work()
    } finally {
      working--
      if (working > 0) await others()
      else for (const go of waiting) go()
    }
  }
}
