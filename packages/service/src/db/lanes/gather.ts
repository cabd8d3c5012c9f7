/** The most keys in one read. */
const KEYS_MAX = 256

type Waiting<V> = { resolve(value: V | undefined): void; reject(error: unknown): void }

/**
 * Reads by key for many callers at once: those that ask while a read is under way share the next one. Nothing is kept:
 * every answer was read after it was asked for.
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
      // After the requests that arrived in the same turn have asked too.
      setImmediate(() => void readAll())
    })
}
