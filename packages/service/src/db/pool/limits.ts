/** The work that a pool of connections is for. Each has its own pool, so that none uses up the connections of another. */
export type Purpose = 'requests' | 'jobs' | 'queue' | 'verify'

/** How long one kind of work waits, and may make others wait. All in milliseconds. */
export type Limits = {
  /** To open a connection. */
  connect: number
  /** For a free connection of the pool. */
  wait: number
  /** One statement, its waits for locks included. The server enforces this and the next two. */
  statement: number
  /** One lock. */
  lock: number
  /** Between two statements of a transaction, which may hold row locks. */
  idleInTransaction: number
  /** For the next byte while the server owes an answer. Longer than `statement`, so that a live server answers first. */
  read: number
}

/**
 * A connection that dies silently mid-transaction keeps its row locks for `idleInTransaction`. That is less than `lock`:
 * others wait for the locks and then go on. The machine itself gives the connection up after `read`.
 */
export const LIMITS: Readonly<Record<Purpose, Limits>> = {
  requests: {
    ...{ connect: 3_000, wait: 10_000 },
    ...{ statement: 8_000, lock: 5_000, idleInTransaction: 3_000, read: 10_000 },
  },
  jobs: {
    ...{ connect: 5_000, wait: 30_000 },
    ...{ statement: 60_000, lock: 10_000, idleInTransaction: 3_000, read: 65_000 },
  },
  queue: {
    ...{ connect: 3_000, wait: 10_000 },
    ...{ statement: 8_000, lock: 5_000, idleInTransaction: 3_000, read: 10_000 },
  },
  verify: {
    ...{ connect: 5_000, wait: 30_000 },
    ...{ statement: 600_000, lock: 5_000, idleInTransaction: 60_000, read: 620_000 },
  },
}

/** How long the server keeps a connection whose bytes nobody acknowledges. */
const UNACKNOWLEDGED_MS = 8_000
/** Statements are planned once for requests and jobs; verification reads whole tables and is planned each time. */
const PLAN_ONCE = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' }

/**
 * The settings of a session. Planning each statement anew costs more than running it, and a plan that was made for an
 * empty table would read a full one whole: so plans are generic and use indexes. Compiling them (`jit`) costs more than
 * any of them takes.
 */
export function settingsFor(purpose: Purpose): Readonly<Record<string, string>> {
  const { statement, lock, idleInTransaction } = LIMITS[purpose]
  return {
    jit: 'off',
    statement_timeout: String(statement),
    lock_timeout: String(lock),
    idle_in_transaction_session_timeout: String(idleInTransaction),
    tcp_user_timeout: String(UNACKNOWLEDGED_MS),
    tcp_keepalives_idle: '10',
    tcp_keepalives_interval: '3',
    tcp_keepalives_count: '3',
    ...(purpose === 'requests' || purpose === 'jobs' ? PLAN_ONCE : {}),
  }
}
