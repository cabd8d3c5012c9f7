/** The purpose of a connection pool. Each has its own pool, so that none uses up the connections of another. */
export type Purpose = 'requests' | 'jobs' | 'queue' | 'verify' | 'replica' | 'probe'

/** The timeouts of one purpose, in milliseconds. */
export type Limits = {
  /** To open a connection. */
  connect: number
  /** To get a free connection of the pool. */
  wait: number
  /** For one statement, including its waits for locks. The server enforces this and the next two. */
  statement: number
  /** To get one lock. */
  lock: number
  /** Between two statements of a transaction, which may hold row locks. */
  idleInTransaction: number
  /** For the next byte while the server owes an answer. Longer than `statement`, so that a live server answers first. */
  read: number
  /** A connection that is not needed is closed after this. */
  unused: number
}

const UNUSED_MS = 10_000
/**
 * Longer than the jobs of a minute are apart: to open a connection costs both sides 10 ms of processor time, for its password above
 * all. They are few, whereas requests would keep a whole pool.
 */
const UNUSED_BY_JOBS_MS = 65_000

/**
 * A connection that dies silently in a transaction keeps its row locks for `idleInTransaction`. That is shorter than
 * `lock`, so other transactions get the locks before they time out. This process closes the connection after `read`.
 */
export const LIMITS: Readonly<Record<Purpose, Limits>> = {
  requests: {
    connect: 3_000,
    wait: 10_000,
    statement: 8_000,
    lock: 5_000,
    idleInTransaction: 3_000,
    read: 10_000,
    unused: UNUSED_MS,
  },
  jobs: {
    connect: 5_000,
    wait: 30_000,
    statement: 60_000,
    lock: 10_000,
    idleInTransaction: 3_000,
    read: 65_000,
    unused: UNUSED_BY_JOBS_MS,
  },
  queue: {
    connect: 3_000,
    wait: 10_000,
    statement: 8_000,
    lock: 5_000,
    idleInTransaction: 3_000,
    read: 10_000,
    unused: UNUSED_BY_JOBS_MS,
  },
  verify: {
    connect: 5_000,
    wait: 30_000,
    statement: 600_000,
    lock: 5_000,
    idleInTransaction: 60_000,
    read: 620_000,
    unused: UNUSED_MS,
  },
  // Reads that the primary answers if the replica does not, and looks at both: none is worth a wait.
  replica: {
    connect: 1_000,
    wait: 1_000,
    statement: 5_000,
    lock: 1_000,
    idleInTransaction: 3_000,
    read: 6_000,
    unused: UNUSED_MS,
  },
  probe: {
    connect: 2_000,
    wait: 2_000,
    statement: 1_000,
    lock: 500,
    idleInTransaction: 1_000,
    read: 1_500,
    unused: UNUSED_MS,
  },
}

/** How long the server keeps a connection that does not acknowledge what it sends. */
const UNACKNOWLEDGED_MS = 8_000
/** Verification reads whole tables, and its statements are planned each time. */
const PLANS_ONCE: readonly Purpose[] = ['requests', 'jobs', 'replica']
const PLAN_ONCE = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' }

/**
 * The settings of a session. Plans are generic, because planning a statement each time costs more than running it. They
 * use indexes, because a plan that was made for an empty table would scan a full one. Compiling a plan (`jit`) takes longer
 * than running it.
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
    ...(PLANS_ONCE.includes(purpose) ? PLAN_ONCE : {}),
  }
}
