/** Wakes one waiting loop. A `notify` that nobody waited for is kept until the next wait or `clear`. */
export type Notice = {
  notify(): void
  clear(): void
  /** Waits to be notified, at most `ms`; false if it was not. */
  wait(ms: number): Promise<boolean>
}

export function createNotice(): Notice {
  let isNotified = false
  let wake: (() => void) | undefined
  return {
    notify() {
      isNotified = true
      wake?.()
    },
    clear() {
      isNotified = false
    },
    async wait(ms) {
      if (!isNotified)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      wake = undefined
      const wasNotified = isNotified
      isNotified = false
      return wasNotified
    },
  }
}
