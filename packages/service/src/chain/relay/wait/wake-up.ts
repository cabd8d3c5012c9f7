/** A sleep that `wake` cuts short. A `wake` while nobody sleeps cuts the next sleep short. */
export type WakeUp = { wake(): void; sleep(ms: number): Promise<void> }

export function createWakeUp(): WakeUp {
  let isWoken = false
  let end: (() => void) | undefined
  return {
    wake() {
      isWoken = true
      end?.()
    },
    async sleep(ms) {
      if (!isWoken)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          end = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      isWoken = false
      end = undefined
    },
  }
}
