import type { Logger } from 'pino'
import { afterRequests } from '../../base/db/lanes/after-requests.ts'
import type { Crowd } from '../../base/db/lanes/turns.ts'
import { type Db, one, type Reader, sql } from '../../base/db/sql.ts'

/**
 * The processes that write to the books as often as this one does. While it writes, it looks once a second how many batches
 * all have written; until two looks agree on more it takes itself to be alone.
 */
export function openCrowd({ db, log }: { db: Db; log: Pick<Logger, 'debug'> }): Crowd {
  let mine = 0
  let size = 1
  let last: { mine: number; all: number } | undefined

  async function look(): Promise<void> {
    const before = last
    last = undefined
    try {
      const seen = { mine, all: await countBatches(db.reader) }
      size = before && seen.mine > before.mine ? sizeOf(before, seen) : 1
      // The next look is compared with this one if this process goes on writing.
      if (!before || seen.mine > before.mine) {
        last = seen
        soon()
      }
    } catch (error) {
      size = 1
      log.debug({ err: error }, 'the batches of all machines could not be counted')
    }
  }
  const { soon } = afterRequests(look)
  return {
    size: () => size,
    wrote() {
      mine++
      if (!last) soon()
    },
  }
}

type Seen = { mine: number; all: number }

const sizeOf = (before: Seen, now: Seen): number =>
  Math.max(1, Math.round((now.all - before.all) / (now.mine - before.mine)))

async function countBatches(on: Reader): Promise<number> {
  const found = await one<{ all: bigint }>(
    on,
    sql`select sum(seq)::bigint as all from ledger_chains`,
  )
  return Number(found?.all ?? 0n)
}
