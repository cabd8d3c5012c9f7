import { setTimeout as sleep } from 'node:timers/promises'
import { outageOf } from '../../base/db/outage.ts'
import { dropLeftKeys, endOf, type LeftClaim } from './idempotency.ts'
import type { Uses } from './services.ts'

const LOOK_MS = 250

/**
 * Releases the keys of requests that failed while the database took nothing, as soon as it takes writes again: a repetition would hear
 * until the claim has ended that the first request is still running, and nobody works on it.
 */
export function createLeftKeys(services: Uses<'clock' | 'db' | 'log'>, closing: AbortSignal) {
  const { clock, db, log } = services
  let left: LeftClaim[] = []
  async function release(): Promise<void> {
    while (left.length > 0 && !closing.aborted) {
      await sleep(LOOK_MS)
      const now = clock.now()
      const tried = left.filter((one) => endOf(one) > now)
      left = []
      if (tried.length === 0) continue
      try {
        await db.write((tx) => dropLeftKeys(tx, tried))
      } catch (error) {
        if (outageOf(error)) left = [...tried, ...left]
        else log.error({ err: error }, 'keys of failed requests were not freed')
      }
    }
  }
  let isReleasing = false
  return {
    /** Call it where `error` ended a request that claimed its key at `madeAt`. Another error than an outage leaves no claim behind. */
    add(claim: LeftClaim['claim'], madeAt: Date, error: unknown): void {
      if (!outageOf(error)) return
      left.push({ claim, madeAt, failedAt: clock.now() })
      if (isReleasing) return
      isReleasing = true
      void release().finally(() => {
        isReleasing = false
      })
    },
  }
}
export type LeftKeys = ReturnType<typeof createLeftKeys>
