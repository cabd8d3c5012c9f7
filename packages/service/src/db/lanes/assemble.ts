/**
 * Lets those who are at the same work go on together, so that what they write next is one batch: whoever is done waits
 * for the others who have begun by then, at most `mostMs`. Who is alone does not wait.
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
