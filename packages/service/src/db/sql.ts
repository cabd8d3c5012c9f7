import { Kysely, PostgresDialect, type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { assert } from '../kernel/assert.ts'
import { type Purpose, settingsFor } from './pool/limits.ts'
import { onConnection } from './pool/one-connection.ts'
import { beginWith, poolOf } from './pool/pool.ts'
import { PreparingClient } from './pool/preparing-client.ts'
import { CountingClient } from './pool/silence.ts'

export { type RawBuilder, sql }

declare const transaction: unique symbol
/** What can be queried: the pool, or a transaction. */
export type Reader = Kysely<unknown>
/** An open transaction. Only `Db.write` makes one, so a write outside a transaction does not compile. */
export type Tx = Reader & { readonly [transaction]: true }

export type Db = {
  readonly reader: Reader
  /**
   * Runs `work` in one transaction and commits. A deadlock or serialization failure runs it again, so `work` touches
   * nothing but its `tx`: no network, no variables of the caller.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs reads on one connection: those that are asked for together travel together. No transaction. */
  together<T>(work: (on: Reader) => Promise<T>): Promise<T>
  close(): Promise<void>
}

const INT8 = 20
const NUMERIC = 1700
const DATE = 1082
/** Only whole numbers are stored as `numeric`, so both integer types are read as bigint; a `date` stays text. */
const PARSERS: Record<number, (text: string) => unknown> = {
  [INT8]: BigInt,
  [NUMERIC]: BigInt,
  [DATE]: (text) => text,
}
const types = {
  getTypeParser: ((oid: number, format?: string) =>
    (format !== 'binary' && PARSERS[oid]) ||
    pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

const DEADLOCK = '40P01'
const SERIALIZATION = '40001'
/** The class of SQLSTATEs by which constraints refuse. */
const INTEGRITY = '23'
const ATTEMPTS = 6

/** A bare pool, for the queue's library. */
export const openPool = (url: string, connections: number, isShared = false): pg.Pool =>
  poolOf(CountingClient, { connectionString: url, max: connections }, 'queue', isShared)

/**
 * Opens a pool of at most `connections` on a PostgreSQL url. Connects on first use. Statements of one transaction that
 * are asked for together, without an `await` between them, travel together, and run in the order they were asked for.
 * `isShared` says that a pooler lends its connections for one transaction each: settings are then made with each.
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
  const begin = isShared ? beginWith(settingsFor(purpose)) : 'begin'
  return {
    reader: kysely,
    async together(work) {
      const client = await pool.connect()
      const { queries, close } = onConnection(client)
      try {
        return await work(queries)
      } finally {
        close()
        client.release()
      }
    },
    async close() {
      await kysely.destroy()
      if (!pool.ended) await pool.end()
    },
    async write(work) {
      for (let attempt = 1; ; attempt++) {
        const client = await pool.connect()
        const state: Open = {
          client,
          attempt,
          decidesUnlocked: false,
          isCommitting: false,
          sent: [],
        }
        try {
          return await transact(state, begin, work)
        } catch (error) {
          if (!isWorthRepeating(error, state) || attempt === ATTEMPTS) throw error
        } finally {
          client.release()
        }
      }
    },
  }
}

function isWorthRepeating(error: unknown, state: Open): boolean {
  const { attempt, decidesUnlocked, isCommitting } = state
  // Not committed, as the server was not asked to: once more, on another connection.
  if (isLost(error)) return attempt === 1 && !isCommitting
  const code = sqlState(error)
  if (code === DEADLOCK || code === SERIALIZATION) return true
  return decidesUnlocked && code?.startsWith(INTEGRITY) === true
}

/** What is known of an open transaction beside its connection. */
type Open = {
  client: pg.PoolClient
  attempt: number
  decidesUnlocked: boolean
  /** The server was asked to commit: from now on a lost connection leaves open whether it did. */
  isCommitting: boolean
  sent: Promise<unknown>[]
}
const open = new WeakMap<object, Open>()

/**
 * Whether the transaction may decide on rows that it has not locked. What the database then refuses is decided once
 * more, in a transaction that is told to lock.
 */
export function mayDecideUnlocked(tx: Tx): boolean {
  const state = open.get(tx)
  if (state?.attempt !== 1) return false
  state.decidesUnlocked = true
  return true
}

/**
 * Sends a statement whose answer nobody waits for: it travels with those beside it and with the commit, which does not
 * happen if it fails.
 */
export function send(tx: Tx, statement: RawBuilder<unknown> | undefined): void {
  if (!statement) return
  const state = open.get(tx)
  assert(state, 'a statement is sent in a transaction')
  const { sql: text, parameters } = statement.compile(tx)
  keep(state, state.client.query(text, [...parameters]))
}

/** Looked at before the transaction is called done. */
function keep({ sent }: Open, answer: Promise<unknown>): void {
  answer.catch(() => undefined)
  sent.push(answer)
}

/** One transaction on a connection of its own. */
async function transact<T>(state: Open, begin: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const { client } = state
  const { queries, close } = onConnection(client)
  const tx = queries as Tx
  open.set(tx, state)
  // Not waited for: it travels with the first statements, which fail if it does.
  keep(state, client.query(begin))
  let result: T
  try {
    result = await work(tx)
    close()
  } catch (error) {
    close()
    // Where this fails too the connection is lost, the transaction with it, and the pool lets go of both.
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    open.delete(tx)
  }
  state.isCommitting = true
  keep(state, client.query('commit'))
  const answers = await settled(state.sent)
  // What a statement broke and nobody looked at: the server has rolled back.
  assert(answers.at(-1)?.command === 'COMMIT', 'a failed statement was passed over')
  return result
}

/** Every answer, once all are there: nothing of this transaction is under way when its connection is another's. */
async function settled(sent: Promise<unknown>[]): Promise<{ command?: string }[]> {
  const outcomes = await Promise.allSettled(sent)
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value as { command?: string }
  })
}

/** The SQLSTATE of a database error, or undefined for anything else. */
export const sqlState = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError ? error.code : undefined

/** Whether the error says that the transaction was rolled back, as one that ends the connection does not. */
export const isRollback = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !/^(08|57P)/.test(error.code ?? '08')

const LOST_CODE = /^(ECONN|EPIPE$|ETIMEDOUT$|EHOSTUNREACH$|ENETUNREACH$)/
const LOST_TEXT =
  /^(Connection terminated|Client (has encountered a connection error|was closed)|timeout e)/
/** The connection was refused, as all are used up, or ended: broken, told to end, or too long idle in a transaction. */
const LOST_STATE = /^(08|57P|53300|25P03)/
/** A statement or the wait for a lock took longer than its timeout. */
const BUSY_STATE = /^(55P03|57014)$/

/** Whether the error says that the database is out of reach, or went away halfway: what was under way may be done. */
export function isLost(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return LOST_STATE.test(error.code ?? '')
  if (!(error instanceof Error)) return false
  const { code } = error as NodeJS.ErrnoException
  return LOST_TEXT.test(error.message) || LOST_CODE.test(code ?? '')
}

/** Whether the database gave up on a statement because others were in its way. Nothing was changed. */
export const isBusy = (error: unknown): boolean => BUSY_STATE.test(sqlState(error) ?? '')

/** Whether the error is the violation of the named unique constraint or index. */
export const violates = (error: unknown, constraint: string): boolean =>
  error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === constraint

/** Every row of the query, columns in camelCase. */
export async function all<Row>(on: Reader, query: RawBuilder<Row>): Promise<Row[]> {
  return (await query.execute(on)).rows
}

/** The first row of the query, if any. */
export async function one<Row>(on: Reader, query: RawBuilder<Row>): Promise<Row | undefined> {
  return (await query.execute(on)).rows[0]
}

/** Runs a statement and answers how many rows it changed. */
export async function run(tx: Tx, query: RawBuilder<unknown>): Promise<number> {
  return Number((await query.execute(tx)).numAffectedRows ?? 0n)
}

/** A value as a jsonb parameter; a bigint becomes a decimal string. */
export const json = (value: unknown): RawBuilder<unknown> =>
  sql`${JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? v.toString() : v))}::jsonb`
