import { one, type Reader, run, sql, type Tx } from '../../db/sql.ts'
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
 * Stores the clock's new offset and moves the run times of queued jobs back as far, so that jobs due by the new time
 * run now. Scheduled tasks run once.
 */
export async function shiftTime(
  tx: Tx,
  to: { offsetMs: number; bySeconds: number },
): Promise<void> {
  await run(
    tx,
    sql`insert into dev_clock (offset_ms) values (${to.offsetMs})
      on conflict (only_row) do update set offset_ms = excluded.offset_ms`,
  )
  await bringForward(tx, to.bySeconds)
}
