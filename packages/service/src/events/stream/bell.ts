/** Wakes one waiter. A ring that nobody waited for is kept until the next wait or `clear`. */
export type Bell = {
  ring(): void
  clear(): void
  /** Waits for a ring, at most `ms`; false if none came. */
  wait(ms: number): Promise<boolean>
}

export function createBell(): Bell {
  let isRung = false
  let wake: (() => void) | undefined
  return {
    ring() {
      isRung = true
      wake?.()
    },
    clear() {
      isRung = false
    },
    async wait(ms) {
      if (!isRung)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      wake = undefined
      const hasRung = isRung
      isRung = false
      return hasRung
    },
  }
}
