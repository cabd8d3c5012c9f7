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

/** Sends every statement at once. Kysely's own driver makes each statement wait for the answer to the one before. */
class OneConnection implements Driver, DatabaseConnection {
  readonly #client: pg.ClientBase
  #isOpen = true
  constructor(client: pg.ClientBase) {
    this.#client = client
  }
  /** Refuses further statements: the connection goes back to the pool. */
  close(): void {
    this.#isOpen = false
  }
  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (!this.#isOpen) throw new Error('a statement was sent after its transaction had ended')
    const { rows, command, rowCount } = await this.#client.query(query.sql, [...query.parameters])
    return WRITES.includes(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows }
  }
  streamQuery(): never {
    throw new Error('rows cannot be streamed')
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

/** Only `transact` begins and ends transactions. */
async function refuse(): Promise<never> {
  throw new Error('only Db.write begins a transaction')
}

/** Queries on one connection. Statements run in the order in which they are sent, and none after `close`. */
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
