/** The most keys in one read. */
const KEYS_MAX = 256

type Waiting<V> = { resolve(value: V | undefined): void; reject(error: unknown): void }

/**
 * Reads by key for many callers at once: callers that ask during a read share the next one. Nothing is cached: every
 * answer is read after its caller asked.
 */
export function gather<V>(
  read: (keys: string[]) => Promise<Map<string, V>>,
): (key: string) => Promise<V | undefined> {
  const waiting = new Map<string, Waiting<V>[]>()
  let isReading = false

  async function readNext(): Promise<void> {
    const batch = [...waiting].slice(0, KEYS_MAX)
    for (const [key] of batch) waiting.delete(key)
    try {
      const found = await read(batch.map(([key]) => key))
      for (const [key, callers] of batch) for (const { resolve } of callers) resolve(found.get(key))
    } catch (error) {
      for (const [, callers] of batch) for (const { reject } of callers) reject(error)
    }
  }

  async function readAll(): Promise<void> {
    while (waiting.size > 0) await readNext()
    isReading = false
  }

  return (key) =>
    new Promise((resolve, reject) => {
      const callers = waiting.get(key)
      if (callers) callers.push({ resolve, reject })
      else waiting.set(key, [{ resolve, reject }])
      if (isReading) return
      isReading = true
      // Waits until all requests of this turn of the event loop have asked.
      setImmediate(() => void readAll())
    })
}
