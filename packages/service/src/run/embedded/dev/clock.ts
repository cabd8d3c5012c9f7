import { type Db, one, type Reader, run, sql, type Tx } from '../../../base/db/sql.ts'
import { bringForward } from '../../../base/jobs/queue.ts'
import { addSeconds, type Clock } from '../../../base/kernel/clock.ts'

/** A clock plus an offset in milliseconds. The offset only grows. */
export type DevClock = Clock & {
  offsetMs: number
  /** Ends with the last move that was asked for. */
  moving?: Promise<unknown>
  /** Sends the offset to the service's other processes, if any, and waits until their clocks have it. */
  moved?(offsetMs: number): Promise<void>
}

export const createDevClock = (base: Clock, offsetMs: number): DevClock => {
  const clock: DevClock = {
    ...base,
    offsetMs,
    now: () => addSeconds(base.real(), clock.offsetMs / 1000),
  }
  return clock
}

export const isDevClock = (clock: Clock): clock is DevClock => 'offsetMs' in clock

/** The stored offset of this database's clock, in milliseconds. */
export async function readClockOffset(on: Reader): Promise<number> {
  const row = await one<{ offsetMs: bigint }>(on, sql`select offset_ms from dev_clock`)
  return Number(row?.offsetMs ?? 0n)
}

export type Move = { toOffsetMs: number; moveChain(offsetSeconds: number): Promise<void> }

/**
 * Moves the clock of every process and of the chain, then the run times of queued jobs back as far, so that jobs due by the
 * new time run now. Scheduled tasks run once, and by the new time: a worker that took one of them earlier would find
 * nothing due. The offset is stored first: a start makes good what a crash left out.
 */
export function moveClock(db: Db, clock: DevClock, move: Move): Promise<void> {
  // The chain is moved by what it lacks: two moves at once would each add it.
  const moved = (clock.moving ?? Promise.resolve()).then(() => moveNow(db, clock, move))
  clock.moving = moved.catch(() => undefined)
  return moved
}

async function moveNow(db: Db, clock: DevClock, move: Move): Promise<void> {
  const offsetMs = await db.write((tx) => saveOffset(tx, move.toOffsetMs))
  await move.moveChain(offsetMs / 1000)
  clock.offsetMs = Math.max(clock.offsetMs, offsetMs)
  await clock.moved?.(offsetMs)
  await moveJobs(db)
}

/** Stores the greater of both offsets, and returns it. */
async function saveOffset(tx: Tx, offsetMs: number): Promise<number> {
  await run(
    tx,
    sql`insert into dev_clock (offset_ms) values (${offsetMs})
      on conflict (only_row) do update set offset_ms = greatest(dev_clock.offset_ms, excluded.offset_ms)`,
  )
  return readClockOffset(tx)
}

/** Makes waiting jobs due by the clock's offset, unless that is done. */
export const moveJobs = (db: Db): Promise<void> =>
  db.write(async (tx) => {
    const row = await one<{ bySeconds: bigint }>(
      tx,
      sql`select (offset_ms - jobs_offset_ms) / 1000 as by_seconds from dev_clock for update`,
    )
    const bySeconds = Number(row?.bySeconds ?? 0n)
    if (bySeconds === 0) return
    await run(tx, sql`update dev_clock set jobs_offset_ms = offset_ms`)
    await bringForward(tx, bySeconds)
  })
