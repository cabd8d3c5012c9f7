import type { Logger } from 'pino'
import { assert } from '../kernel/assert.ts'
import { type Clock, followedClock } from '../kernel/clock.ts'
import { type Db, one, type RawBuilder, type Reader, sql } from './sql.ts'

const COMPARED_MS = 5_000
/** By more, and a machine is not ready: others compare what it signs and checks with their own clocks. */
export const MOST_APART_MS = 30_000

/** The time of the service, for one that runs for a moment: the database's, moved with the development clock. */
export const readNow = (on: Reader): Promise<Date> =>
  readTime(
    on,
    sql`select clock_timestamp() + coalesce((select offset_ms from dev_clock), 0) * interval '1 millisecond' as now`,
  )

export const readDatabaseTime = (on: Reader): Promise<Date> =>
  readTime(on, sql`select clock_timestamp() as now`)

async function readTime(on: Reader, query: RawBuilder<unknown>): Promise<Date> {
  const row = await one<{ now: Date }>(on, query as RawBuilder<{ now: Date }>)
  assert(row, 'a select without a table has a row')
  return row.now
}

/** How far this machine's clock is from the database's, in words for whoever sets it. */
export function apartSentence(aheadMs: number): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  return `This machine's clock is ${seconds} s ${aheadMs < 0 ? 'behind' : 'ahead of'} the database's`
}

/**
 * The clock of the database, by which everything is due on every machine. This process follows it, and asks it every few
 * seconds. While it does not answer, time goes on as steadily as before.
 */
export async function openClock(
  { reader }: Pick<Db, 'reader'>,
  log: Logger,
  clock = followedClock(),
): Promise<Clock & { stop(): Promise<void> }> {
  let wasApart = false
  const compare = async () => {
    await clock.compare(async () => (await readDatabaseTime(reader)).getTime())
    const isApart = Math.abs(clock.aheadMs()) > MOST_APART_MS
    if (isApart && !wasApart)
      log.error(`${apartSentence(clock.aheadMs())}, which decides. Set it by NTP.`)
    wasApart = isApart
  }
  await compare()
  let asked: Promise<void> | undefined
  const timer = setInterval(() => {
    asked ??= compare()
      .catch((error) => log.debug({ err: error }, 'the clock of the database was not read'))
      .finally(() => {
        asked = undefined
      })
  }, COMPARED_MS)
  return {
    ...clock,
    async stop() {
      clearInterval(timer)
      await asked
    },
  }
}
