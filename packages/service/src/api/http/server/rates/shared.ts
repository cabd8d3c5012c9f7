import { afterRequests } from '../../../../base/db/lanes/after-requests.ts'
import { randomHex } from '../../../../base/kernel/secrets.ts'
import type { Uses } from '../../services.ts'
import { deleteOldCounts, exchangeCounts } from './store.ts'

const SLOT_MS = 10_000
/** The slots of a minute. */
const SLOTS = 6
/** Counts of others are believed for so long after they were read. */
const KNOWN_MS = 5_000

export type SharedRates = {
  /** How many requests are left of a limit of which this process has `left`, less what others have counted: below 0 this one is too many. Notes it. */
  take(name: string, left: number): number
  flush(): Promise<void>
}

/**
 * The rates of all processes together. Each counts in memory, and once a second writes what it has counted and reads what the
 * others have: no request waits for it, and none fails with it. So a limit may be passed by what comes within that second.
 */
export function openSharedRates({ clock, db, log }: Uses<'clock' | 'db' | 'log'>): SharedRates {
  const process = randomHex(8).slice(2)
  let counted = new Map<string, number>()
  const others = new Map<string, { count: number; at: number }>()
  let cleaned = 0

  async function exchange(): Promise<void> {
    const mine = counted
    counted = new Map()
    if (mine.size === 0) return
    const slot = Math.floor(clock.now().getTime() / SLOT_MS)
    const counts = [...mine].map(([name, count]) => ({ name, count }))
    try {
      const found = await db.write(async (tx) => {
        if (cleaned !== slot) await deleteOldCounts(tx, slot - 2 * SLOTS)
        return exchangeCounts(tx, { process, slot, since: slot - SLOTS, counts })
      })
      cleaned = slot
      const at = clock.now().getTime()
      for (const [name, known] of others)
        if (Math.abs(at - known.at) > KNOWN_MS) others.delete(name)
      for (const { name, count } of found) others.set(name, { count, at })
    } catch (error) {
      log.warn({ err: error }, 'requests could not be counted over all machines')
    }
  }
  const { soon, flush } = afterRequests(exchange)
  return {
    take(name, left) {
      const known = others.get(name)
      const elsewhere =
        known && Math.abs(clock.now().getTime() - known.at) < KNOWN_MS ? known.count : 0
      const leftOfAll = left - elsewhere
      // A refused request counts nowhere, but asks how many the others have by now.
      counted.set(name, (counted.get(name) ?? 0) + (leftOfAll < 0 ? 0 : 1))
      soon()
      return leftOfAll
    },
    flush,
  }
}
