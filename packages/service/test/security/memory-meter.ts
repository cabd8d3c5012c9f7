import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { pause } from '../until.ts'

/** How much memory may stay, in MiB. Less is compiled code and caches that are full at some time. */
export const MOST_MIB = 20

/**
 * Measures how much memory work holds, in MiB. A full garbage collection takes a fifth of a second of CPU, so it is for
 * the work of many tests together.
 */
export function createMemoryMeter() {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  const inUse = async (): Promise<number> => {
    await pause(0)
    gc()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return (heapUsed + arrayBuffers) / 2 ** 20
  }
  let before = 0
  return {
    async begin(): Promise<void> {
      before = await inUse()
    },
    async held(): Promise<number> {
      let held = (await inUse()) - before
      // Timers keep a closed connection in memory for a second or two.
      for (let tries = 0; held > MOST_MIB && tries < 8; tries++) {
        await pause(500)
        held = (await inUse()) - before
      }
      return held
    },
  }
}
