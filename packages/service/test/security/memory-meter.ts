import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { pause } from '../until.ts'

/** The spaces of the heap that hold compiled code: it grows by 5 to 10 MiB as routes are called for the first time. */
const CODE = /code|trusted/
/**
 * How much memory may stay beside compiled code, in MiB. After 4,900 calls without a key 3.7 stay, most of it the page and
 * the document of the API, which are made when first asked for. After 12,000 calls with one 10.5 stay, after 24,000 11.3: by a
 * heap snapshot what the compiler learned of functions, 2.7 of strings, such as sources of the serializers of each route, and
 * 0.9 of objects, such as a client for each host of a seller.
 */
export const MOST_MIB = 12

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
    const data = getHeapSpaceStatistics().filter(({ space_name }) => !CODE.test(space_name))
    const inHeap = data.reduce((sum, { space_used_size }) => sum + space_used_size, 0)
    return (inHeap + process.memoryUsage().arrayBuffers) / 2 ** 20
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
