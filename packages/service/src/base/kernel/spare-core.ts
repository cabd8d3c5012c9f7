import { availableParallelism, cpus } from 'node:os'
import type { EventLoopUtilization } from 'node:perf_hooks'
import { steadyNow } from './clock.ts'

/** The share of its time that the main thread works, and how many cores nothing uses. */
export type Load = { busy: number; idleCores: number }

/** How often the load is measured. A measurement takes a tenth of a millisecond. */
const LOOK_MS = 1_000
/** Work moves to other threads above these. What has moved relieves the thread and fills the core, so it moves back late. */
const MOVE = { busy: 0.8, idleCores: 0.4 }
const STAY = { busy: 0.5, idleCores: 0.1 }

/**
 * Whether work should leave the main thread: the thread is busy and a core is free. Where no core is free another thread
 * only takes the main one's time, and waking it costs as much again.
 */
export function createSpareCore(readLoad: () => Load = createLoadMeter()): () => boolean {
  let lookAt = steadyNow() + LOOK_MS
  let isAside = false
  return () => {
    const now = steadyNow()
    if (now < lookAt) return isAside
    lookAt = now + LOOK_MS
    const { busy, idleCores } = readLoad()
    const least = isAside ? STAY : MOVE
    isAside = busy > least.busy && idleCores > least.idleCores
    return isAside
  }
}

/** Reads the load since the last reading. */
export function createLoadMeter(): () => Load {
  let loop: EventLoopUtilization = performance.eventLoopUtilization()
  let idle = idleMs()
  return () => {
    const [loopNow, idleNow] = [performance.eventLoopUtilization(), idleMs()]
    const since = performance.eventLoopUtilization(loopNow, loop)
    const idleCores = (idleNow - idle) / (since.active + since.idle)
    ;[loop, idle] = [loopNow, idleNow]
    return { busy: since.utilization, idleCores: Math.min(idleCores, availableParallelism() - 1) }
  }
}

/** The time that all cores have idled since the machine started. */
const idleMs = (): number => cpus().reduce((sum, { times }) => sum + times.idle, 0)
