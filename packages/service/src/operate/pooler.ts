import pg from 'pg'
import { sqlState } from '../db/sql.ts'
import { codeOf, StartError } from './start-error.ts'

const PATIENCE_MS = 10_000
/** What a server says that has never seen the statement: another than the one that prepared it. */
const NO_SUCH_STATEMENT = '26000'
const STATEMENT = { name: 'purser_pooler_check', text: 'select pg_backend_pid() as server' }

/**
 * Whether a pooler such as pgBouncer stands before the database and lends its connections for one transaction each.
 * Throws a sentence if statements that were prepared are then gone: the service prepares each of its own once.
 */
export async function checkPooler(url: string): Promise<boolean> {
  const [first, second] = [clientOf(url), clientOf(url)] as const
  try {
    await Promise.all([first.connect(), second.connect()])
    const before = await serverOf(first)
    // Whatever connection the pooler would lend again first is now taken.
    await second.query('begin')
    await second.query('select 1')
    const after = await serverOf(first)
    await second.query('rollback')
    return before !== after
  } catch (error) {
    throw explained(error)
  } finally {
    // One that is still being tried for must not hold up the answer.
    for (const client of [first, second]) void client.end().catch(() => undefined)
  }
}

const clientOf = (url: string): pg.Client => {
  const times = { connectionTimeoutMillis: PATIENCE_MS, query_timeout: PATIENCE_MS }
  const client = new pg.Client({ connectionString: url, ...times })
  client.on('error', () => undefined)
  return client
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
