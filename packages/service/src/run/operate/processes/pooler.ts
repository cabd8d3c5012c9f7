import type pg from 'pg'
import { connectClient } from '../../../base/db/pool/client.ts'
import { inSchema } from '../../../base/db/pool/schema.ts'
import { sqlState } from '../../../base/db/sql.ts'
import type { OwnDatabase } from '../../config/database.ts'
import { codeOf, StartError } from '../start-error.ts'
import { checkDatabase } from './database.ts'

const PATIENCE_MS = 10_000
/** Several attempts: other clients of a busy pooler may take or return a connection at the wrong moment. */
const LOOKS = 20
/** The error of a server connection that has not prepared the statement. */
const NO_SUCH_STATEMENT = '26000'
const STATEMENT = { name: 'purser_pooler_check', text: 'select pg_backend_pid() as server' }

/**
 * Whether a pooler such as pgBouncer lends connections to the database for one transaction each. Throws a sentence if
 * the pooler forgets prepared statements: the service prepares each of its statements once.
 */
export async function checkPooler(url: string): Promise<boolean> {
  const opened: pg.Client[] = []
  const open = async () => {
    const client = await connectClient(url, { query_timeout: PATIENCE_MS })
    opened.push(client)
    return client
  }
  try {
    const [first, second] = await Promise.all([open(), open()])
    // The server gives its process id twice: when the connection opens, which a pooler answers by itself, and on
    // request.
    const { processID } = first as unknown as { processID: number }
    if ((await serverOf(first)) === processID) return false
    for (let look = 1; look <= LOOKS; look++) if (await isLentOn(first, second)) return true
    return false
  } catch (error) {
    throw explained(error)
  } finally {
    // Do not wait for a connection attempt that is still open.
    for (const client of opened) void client.end().catch(() => undefined)
  }
}

/** The addresses of the operator's database, with its schema in them. `sessionUrl` keeps a session, which verification needs. */
export type Ways = { databaseUrl: string; sessionUrl: string; isPooled: boolean }

/** Finds the database, and whether the ordinary way to it is shared by transaction. Throws a sentence if it cannot be used so. */
export async function reachDatabase(database: OwnDatabase): Promise<Ways> {
  const { schema, first } = await checkDatabase(database)
  const databaseUrl = inSchema(database.url.reveal(), schema)
  const sessionUrl = database.sessionUrl && inSchema(database.sessionUrl.reveal(), schema)
  if (!(await checkPooler(databaseUrl)))
    return { databaseUrl, isPooled: false, sessionUrl: sessionUrl ?? databaseUrl }
  if (first !== schema)
    throw new StartError(
      `DATABASE_URL leads through a pooler in transaction mode, and the schema of the tables, ${schema}, is not the first in the search_path of its role: run alter role ... set search_path = ${schema}.`,
    )
  if (sessionUrl === undefined || (await checkPooler(sessionUrl)))
    throw new StartError(
      'DATABASE_URL leads through a pooler in transaction mode: set PURSER_SESSION_DATABASE_URL to the database itself, or to a pooler in session mode. Verification needs a session.',
    )
  return { databaseUrl, isPooled: true, sessionUrl }
}

/** Whether the first client's connection is lent to the second between two statements of the first. */
async function isLentOn(first: pg.Client, second: pg.Client): Promise<boolean> {
  const before = await serverOf(first)
  // The pooler lends the last returned connection first, so this one is now taken.
  await second.query('begin')
  await second.query('select 1')
  const after = await serverOf(first)
  await second.query('rollback')
  return before !== after
}

async function serverOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ server: number }>(STATEMENT)
  return rows[0]?.server ?? 0
}

function explained(error: unknown): unknown {
  if (sqlState(error) === NO_SUCH_STATEMENT)
    return new StartError(
      'DATABASE_URL leads through a pooler in transaction mode that forgets prepared statements: use pgBouncer 1.21 or later with max_prepared_statements above 0, or its session mode, or the database itself.',
      { cause: error },
    )
  if (codeOf(error) === '53300')
    return new StartError(
      'The database has no free connection: raise its max_connections, or stop what holds them.',
      { cause: error },
    )
  return error
}
