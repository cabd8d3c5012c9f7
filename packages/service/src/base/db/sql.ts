import { Kysely, PostgresDialect, type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { assert } from '../kernel/assert.ts'
import { inSpan, type SpanOf } from '../kernel/tracing.ts'
import type { Purpose } from './pool/limits.ts'
import { onConnection } from './pool/one-connection.ts'
import { beginWith, poolOf, sessionOf } from './pool/pool.ts'
import { PreparingClient } from './pool/preparing-client.ts'
import { CountingClient } from './pool/silence.ts'

export { type RawBuilder, sql }

declare const transaction: unique symbol
/** The pool, or a transaction. */
export type Reader = Kysely<unknown>
/** An open transaction. Only `Db.write` makes one, so a write outside a transaction does not compile. */
export type Tx = Reader & { readonly [transaction]: true }

export type Db = {
  readonly reader: Reader
  /**
   * Runs `work` in one transaction and commits. After a deadlock or a serialization failure it runs `work` again, so `work`
   * uses only its `tx`: no network, no variables of the caller.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs reads on one connection, pipelined if they are sent without an `await` between them. No transaction. */
  together<T>(work: (on: Reader) => Promise<T>): Promise<T>
  /** A new line of transactions. */
  line(): Line
  /** How busy the pool is now. */
  use(): PoolUse
  /** The sums of what committed transactions have counted by `count`, since the start. */
  readonly counted: ReadonlyMap<string, number>
  /** Waits for every connection that is in use. */
  close(): Promise<void>
}

/** `waiting` callers have no connection yet; `most` is how many there can be. */
export type PoolUse = { open: number; inUse: number; waiting: number; most: number }

/**
 * Transactions that follow one another on one connection. Each is sent behind the commit of the one before: its first
 * reads are answered as soon as that commit is, and see what it wrote.
 */
export type Line = {
  /** As `Db.write`. Calls `written` once nothing but the commit is to be answered: then the next may be written. */
  write<T>(work: (tx: Tx) => Promise<T>, written: () => void): Promise<T>
}

const INT8 = 20
const NUMERIC = 1700
const NUMERICS = 1231
const DATE = 1082
/** Columns of type `numeric` hold only whole numbers, so both types become bigint, also in a list. A `date` stays text. */
const PARSERS: Record<number, (text: string) => unknown> = {
  [INT8]: BigInt,
  [NUMERIC]: BigInt,
  [NUMERICS]: (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(BigInt)),
  [DATE]: (text) => text,
}
const types = {
  getTypeParser: ((oid: number, format?: string) =>
    (format !== 'binary' && PARSERS[oid]) ||
    pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

const DEADLOCK = '40P01'
const SERIALIZATION = '40001'
const READ_ONLY = '25006'
/** The class of SQLSTATEs of constraint violations. */
const INTEGRITY = '23'
const ATTEMPTS = 6

/** A pool for the queue's library. */
export const openPool = (
  url: string,
  connections: number,
  { isShared = false, purpose = 'queue' as Purpose } = {},
): pg.Pool => {
  // All listeners of the queue are on one connection, and ask it at once.
  const options = { connectionString: url, max: connections, pipeline: true }
  return poolOf(CountingClient, options, purpose, isShared)
}

/**
 * Opens a pool of at most `connections`, which connects on first use. Statements of one transaction that are sent without
 * an `await` between them are pipelined and run in that order. Set `isShared` if a transaction pooler lends the
 * connections: each transaction then makes its own settings.
 */
export function openDb(
  url: string,
  connections = 16,
  purpose: Purpose = 'requests',
  isShared = false,
): Db {
  const options = { connectionString: url, max: connections, types, pipeline: true }
  const pool = poolOf(PreparingClient, options, purpose, isShared)
  const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  const begin = isShared ? beginWith(sessionOf(purpose, url)) : 'begin'
  const counted = new Map<string, number>()
  const whole: Lender = {
    take: () => pool.connect(),
    give: (client, isUnfit) => client.release(isUnfit),
  }
  async function write<T>(
    first: Lender,
    work: (tx: Tx) => Promise<T>,
    written?: () => void,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const { take, give } = attempt === 1 ? first : whole
      const client = await take()
      const state: Open = { client, attempt, decidesUnlocked: false, isCommitting: false, sent: [] }
      let isUnfit = false
      try {
        const result = await inSpan(
          () => spanOf('transaction', attempt),
          () => transact(state, { begin, written }, work),
        )
        for (const [what, by] of state.counts ?? []) addTo(counted, what, by)
        return result
      } catch (error) {
        // A session keeps its default for as long as it lives, and a new one may take writes.
        isUnfit = sqlState(error) === READ_ONLY
        if (!isWorthRepeating(error, state) || attempt === ATTEMPTS) throw error
      } finally {
        give(client, isUnfit)
      }
    }
  }
  return {
    reader: kysely,
    async together(work) {
      const client = await pool.connect()
      const { queries, close } = onConnection(client)
      try {
        return await inSpan(
          () => spanOf('reads', 1),
          () => work(queries),
        )
      } finally {
        close()
        client.release()
      }
    },
    write: (work) => write(whole, work),
    line() {
      const one = lendOne(whole)
      return { write: (work, written) => write(one, work, written) }
    },
    use: () => ({
      open: pool.totalCount,
      inUse: pool.totalCount - pool.idleCount,
      waiting: pool.waitingCount,
      most: connections,
    }),
    counted,
    async close() {
      await kysely.destroy()
      if (!pool.ended) await pool.end()
    },
  }
}

/** Statements are not in it: their texts are long, and their values are secret. */
const spanOf = (what: string, attempt: number): SpanOf => ({
  name: `postgresql ${what}`,
  kind: 'client',
  values: { 'db.system.name': 'postgresql', 'db.operation.name': what, 'purser.attempt': attempt },
})

type Lender = {
  take(): Promise<pg.PoolClient>
  give(client: pg.PoolClient, isUnfit: boolean): void
}

/** Lends one and the same connection until all who took it have given it back. */
function lendOne({ take, give }: Lender): Lender {
  let lent: Promise<pg.PoolClient> | undefined
  let users = 0
  const part = () => {
    if (--users === 0) lent = undefined
    return users === 0
  }
  return {
    async take() {
      users++
      lent ??= take()
      try {
        return await lent
      } catch (error) {
        part()
        throw error
      }
    },
    give(client, isUnfit) {
      if (part()) give(client, isUnfit)
    },
  }
}

function isWorthRepeating(error: unknown, state: Open): boolean {
  const { attempt, decidesUnlocked, isCommitting } = state
  // The server was not asked to commit, so it rolls back. Try once more, on another connection.
  if (isLost(error)) return attempt === 1 && !isCommitting
  const code = sqlState(error)
  if (code === DEADLOCK || code === SERIALIZATION) return true
  return decidesUnlocked && code?.startsWith(INTEGRITY) === true
}

/** The state of an open transaction. */
type Open = {
  client: pg.PoolClient
  attempt: number
  decidesUnlocked: boolean
  /** The server was asked to commit. If the connection is lost from now on, the transaction may be committed. */
  isCommitting: boolean
  sent: Promise<unknown>[]
  counts?: Map<string, number>
}
const open = new WeakMap<object, Open>()

/**
 * Whether the transaction may decide on rows that it has not locked. If the database then refuses its writes, it runs once
 * more, and this answers false.
 */
export function mayDecideUnlocked(tx: Tx): boolean {
  const state = open.get(tx)
  if (state?.attempt !== 1) return false
  state.decidesUnlocked = true
  return true
}

/**
 * Sends a statement without waiting for its answer: it is pipelined with the next statements and the commit. If it fails,
 * the transaction is not committed.
 */
export function send(tx: Tx, statement: RawBuilder<unknown> | undefined): void {
  if (!statement) return
  const state = open.get(tx)
  assert(state, 'a statement is sent in a transaction')
  const { sql: text, parameters } = statement.compile(tx)
  keep(state, state.client.query(text, [...parameters]))
}

/** Counts a fact for the metrics of this process, if the transaction commits. `what` is one of few texts. */
export function count(tx: Tx, what: string, by = 1): void {
  const state = open.get(tx)
  if (!state || by === 0) return
  state.counts ??= new Map()
  addTo(state.counts, what, by)
}

const addTo = (sums: Map<string, number>, what: string, by: number): void => {
  sums.set(what, (sums.get(what) ?? 0) + by)
}

/** Keeps an answer that `transact` checks before it reports success. */
function keep({ sent }: Open, answer: Promise<unknown>): void {
  answer.catch(() => undefined)
  sent.push(answer)
}

/** Runs one transaction on its connection. */
async function transact<T>(
  state: Open,
  { begin, written }: { begin: string; written: (() => void) | undefined },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { client } = state
  const { queries, close } = onConnection(client)
  const tx = queries as Tx
  open.set(tx, state)
  // Not awaited: it is pipelined with the first statements, which fail if it fails.
  keep(state, client.query(begin))
  let result: T
  try {
    result = await work(tx)
    close()
  } catch (error) {
    close()
    // If this fails too the connection is lost, and the transaction with it. The pool then drops the connection.
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    open.delete(tx)
  }
  state.isCommitting = true
  if (written) void Promise.all(state.sent).then(written, () => undefined)
  keep(state, client.query('commit'))
  const answers = await settled(state.sent)
  // A statement failed and its error was ignored: the server has rolled back.
  assert(answers.at(-1)?.command === 'COMMIT', 'the error of a statement was ignored')
  return result
}

/** Waits for every answer, so that nothing of this transaction is in flight when the pool lends its connection again. */
async function settled(sent: Promise<unknown>[]): Promise<{ command?: string }[]> {
  const outcomes = await Promise.allSettled(sent)
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value as { command?: string }
  })
}

/** The SQLSTATE of a database error. Undefined for other errors. */
export const sqlState = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError ? error.code : undefined

/** Whether the error proves a rollback. An error that ends the connection does not. */
export const isRollback = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !/^(08|57P)/.test(error.code ?? '08')

const LOST_CODE = /^(ECONN|EPIPE$|ETIMEDOUT$|EHOSTUNREACH$|ENETUNREACH$)/
const LOST_TEXT =
  /^(Connection terminated|Client (has encountered a connection error|was closed)|timeout e)/
/** The server has no free connection, or it ended this one: broken, shut down, or in a transaction for too long. */
const LOST_STATE = /^(08|57P|53300|25P0[34])/

/** Whether the database is out of reach or the connection was lost. What was in flight may be committed. */
export function isLost(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return LOST_STATE.test(error.code ?? '')
  if (!(error instanceof Error)) return false
  const { code } = error as NodeJS.ErrnoException
  return LOST_TEXT.test(error.message) || LOST_CODE.test(code ?? '')
}

/** Whether a value or a row is refused, so that the same statement fails for ever. */
export const isRefusedRow = (error: unknown): boolean => /^2[23]/.test(sqlState(error) ?? '')

/** Whether the error is the violation of the named unique constraint or index. */
export const violates = (error: unknown, constraint: string): boolean =>
  error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === constraint

/** All rows of the query, with camelCase columns. */
export async function all<Row>(on: Reader, query: RawBuilder<Row>): Promise<Row[]> {
  return (await query.execute(on)).rows
}

/** The first row of the query, if any. */
export async function one<Row>(on: Reader, query: RawBuilder<Row>): Promise<Row | undefined> {
  return (await query.execute(on)).rows[0]
}

/** Runs a statement. Returns how many rows it changed. */
export async function run(tx: Tx, query: RawBuilder<unknown>): Promise<number> {
  return Number((await query.execute(tx)).numAffectedRows ?? 0n)
}

/** The value as a jsonb parameter. A bigint becomes a decimal string. */
export const json = (value: unknown): RawBuilder<unknown> =>
  sql`${JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? v.toString() : v))}::jsonb`

/**
 * The values as rows of JSON text, to stand in `rows from` beside `unnest`. JSON text has no line breaks, so it is cut
 * there; in an array each of its quotes would be escaped, and read character by character.
 */
export const jsonLines = (values: readonly unknown[]): RawBuilder<unknown> =>
  sql`string_to_table(${values.map((value) => JSON.stringify(value)).join('\n')}::text, E'\n')`

/** Fails the transaction, so that it runs again on rows that it locks. */
export async function refuseStale(tx: Tx): Promise<never> {
  await sql`select refuse_stale(true)`.execute(tx)
  throw new Error('a stale transaction fails')
}
