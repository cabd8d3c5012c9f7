import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type pg from 'pg'

const WRITES = ['INSERT', 'UPDATE', 'DELETE', 'MERGE']

/** Hands every statement to the one connection at once: Kysely's own way lets each wait for the answer of the one before. */
class OneConnection implements Driver, DatabaseConnection {
  readonly #client: pg.ClientBase
  #isOpen = true
  constructor(client: pg.ClientBase) {
    this.#client = client
  }
  /** From now on the connection is somebody else's. */
  close(): void {
    this.#isOpen = false
  }
  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (!this.#isOpen) throw new Error('a statement came after the end of its transaction')
    const { rows, command, rowCount } = await this.#client.query(query.sql, [...query.parameters])
    return WRITES.includes(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows }
  }
  streamQuery(): never {
    throw new Error('rows are read whole')
  }
  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this
  }
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
  beginTransaction = refuse
  commitTransaction = refuse
  rollbackTransaction = refuse
}

/** `transact` alone begins and ends transactions. */
async function refuse(): Promise<never> {
  throw new Error('a transaction is begun by Db.write')
}

/** The connection for one piece of work: statements run in the order in which they are asked for, none after `close`. */
export function onConnection(client: pg.ClientBase): { queries: Kysely<unknown>; close(): void } {
  const driver = new OneConnection(client)
  const queries = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  return { queries, close: () => driver.close() }
}
