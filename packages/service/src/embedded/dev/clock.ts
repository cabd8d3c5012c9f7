import { type Db, one, type Reader, run, sql } from '../../db/sql.ts'
import { bringForward } from '../../jobs/queue.ts'
import type { Clock } from '../../kernel/clock.ts'

/** The real clock plus an offset in milliseconds. The offset only grows. */
export type DevClock = Clock & {
  offsetMs: number
  /** Sends the offset to the service's other processes, if any, and waits until their clocks have it. */
  moved?(offsetMs: number): Promise<void>
}

export const createDevClock = (offsetMs: number): DevClock => {
  const clock: DevClock = {
    offsetMs,
    now: () => new Date(Date.now() + clock.offsetMs),
  }
  return clock
}

export const isDevClock = (clock: Clock): clock is DevClock => 'offsetMs' in clock

/** The stored offset of this database's clock, in milliseconds. */
export async function readClockOffset(on: Reader): Promise<number> {
  const row = await one<{ offsetMs: bigint }>(on, sql`select offset_ms from dev_clock`)
  return Number(row?.offsetMs ?? 0n)
}

/**
 * Moves the clock of every process, then the run times of queued jobs back as far, so that jobs due by the new time run
 * now. Scheduled tasks run once, and by the new time: a worker that took one of them earlier would find nothing due.
 */
export async function shiftTime(db: Db, clock: DevClock, bySeconds: number): Promise<void> {
  const offsetMs = clock.offsetMs + bySeconds * 1000
  await db.write((tx) =>
    run(
      tx,
      sql`insert into dev_clock (offset_ms) values (${offsetMs})
      on conflict (only_row) do update set offset_ms = excluded.offset_ms`,
    ),
  )
  clock.offsetMs = offsetMs
  await clock.moved?.(offsetMs)
  await db.write((tx) => bringForward(tx, bySeconds))
}
