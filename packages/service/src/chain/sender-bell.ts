/** A sleep that may be cut short. Rung while nobody sleeps, it cuts the next one short. */
export type Bell = { ring(): void; sleep(ms: number): Promise<void> }

export function createBell(): Bell {
  let isRung = false
  let wake: (() => void) | undefined
  return {
    ring() {
      isRung = true
      wake?.()
    },
    async sleep(ms) {
      if (!isRung)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      isRung = false
      wake = undefined
    },
  }
}
