import pg from 'pg'
import { LIMITS, type Limits } from '../../src/base/db/pool/limits.ts'
import { type Db, openDb, openPool } from '../../src/base/db/sql.ts'
import { assert } from '../../src/base/kernel/assert.ts'
import { until } from '../until.ts'
import { freshDatabase, viaSocket } from './postgres.ts'

/** The connections of one process to its database. `close` waits for what is under way. */
export type Connections = { db: Db; jobs: pg.Pool; close(): Promise<void> }

/** A database with connections that have prepared its statements, and one that empties it. */
type Warm = {
  url: string
  db: Db
  jobs: pg.Pool
  emptier: pg.Client | undefined
  worlds: number
  drop(): Promise<void>
}

/**
 * In milliseconds. A test may hold a transaction open while it waits for something else, which a busy machine does not
 * do in three seconds.
 */
const PATIENT: Limits = {
  connect: 120_000,
  wait: 120_000,
  statement: 90_000,
  lock: 60_000,
  idleInTransaction: 90_000,
  read: 120_000,
  unused: 10_000,
}
/** More than a file uses at once keep connections of the server for nothing. */
export const KEPT = 3
/** Deleted rows stay in the indexes. */
const WORLDS_EACH = 40
/** Databases whose world ended, empty again, the newest last. */
const waiting: Warm[] = []

export const openConnections = (url: string): Connections => {
  const db = openDb(url, 12)
  const jobs = openPool(url, 10)
  return {
    ...{ db, jobs },
    async close() {
      await jobs.end()
      await db.close()
    },
  }
}

/** As `openConnections`, for tests of something else: a busy machine is no fault of the database. */
export function openPatiently(url: string): Connections {
  const limits = [LIMITS.requests, LIMITS.queue]
  const usual = limits.map((one) => ({ ...one }))
  for (const one of limits) Object.assign(one, PATIENT)
  try {
    return openConnections(url)
  } finally {
    for (const [i, one] of limits.entries()) Object.assign(one, usual[i])
  }
}

/**
 * A migrated, empty database for one world, with connections. Half of what a world asks of PostgreSQL is planned for the
 * first time by a new connection, so the next world of this process gets both again.
 */
export async function lendDatabase(): Promise<{
  url: string
  connections: Connections
  drop(): Promise<void>
}> {
  const warm = waiting.pop() ?? (await openWarm())
  const connections = lend(warm)
  let isBack = false
  return {
    url: warm.url,
    connections,
    async drop() {
      // A world that is disposed of twice must not take the database from the next.
      if (isBack) return
      isBack = true
      await takeBack(warm)
    },
  }
}

async function openWarm(): Promise<Warm> {
  const { url, drop } = await freshDatabase()
  const { db, jobs, close } = openPatiently(viaSocket(url))
  const warm: Warm = {
    ...{ url, db, jobs, worlds: 0, emptier: undefined },
    async drop() {
      await close()
      await warm.emptier?.end().catch(() => undefined)
      await drop()
    },
  }
  return warm
}

/** Empties the database for the next world, or drops it if that cannot be. */
async function takeBack(warm: Warm): Promise<void> {
  warm.worlds++
  if (warm.worlds < WORLDS_EACH && waiting.length < KEPT && (await isEmptied(warm)))
    waiting.push(warm)
  else await warm.drop()
}

async function isEmptied(warm: Warm): Promise<boolean> {
  const isIdle = () => warm.jobs.idleCount === warm.jobs.totalCount
  const isOver = await until(isIdle, Boolean, { everyMs: 10, longestMs: 500 }).catch(() => false)
  if (!isOver) return false
  try {
    warm.emptier ??= await openEmptier(viaSocket(warm.url))
    const { rows } = await warm.emptier.query({ name: 'empty', text: 'select kept.empty() as why' })
    return rows[0]?.why === null
  } catch {
    return false
  }
}

async function openEmptier(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, options: '-c session_replication_role=replica' })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** The connections for one world. What a world leaves under way must not write into the next. */
function lend({ db, jobs }: Warm): Connections {
  let isOpen = true
  const underWay = new Set<Promise<unknown>>()
  const during = async <T>(work: () => Promise<T>): Promise<T> => {
    assert(isOpen, 'the world of this database has not ended')
    const done = work()
    underWay.add(done)
    return done.finally(() => underWay.delete(done))
  }
  return {
    jobs,
    db: {
      reader: db.reader,
      write: (work) => during(() => db.write(work)),
      together: (work) => during(() => db.together(work)),
      line: () => {
        const line = db.line()
        return { write: (work, written) => during(() => line.write(work, written)) }
      },
      use: db.use,
      counted: db.counted,
      close: async () => undefined,
    },
    async close() {
      isOpen = false
      await Promise.allSettled(underWay)
    },
  }
}
