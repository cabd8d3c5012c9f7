import type { Pool, PoolClient } from 'pg'
import { isLost } from '../db/sql.ts'

/** `cannot_connect_now`: the SQLSTATE after which graphile-worker waits some seconds and retries. */
const ASK_AGAIN = '57P03'

/**
 * Reports every loss of the database to graphile-worker as a temporary one. It retries few errors. Any other error, when it
 * stores the end of a job, would be an unhandled rejection and end the process.
 */
export function patient(pool: Pool): Pool {
  const connect = pool.connect.bind(pool) as (...args: unknown[]) => unknown
  pool.connect = ((...args: unknown[]) => passing(connect(...args))) as Pool['connect']
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((...args: unknown[]) => passing(query(...args))) as PoolClient['query']
  })
  return pool
}

const passing = (answer: unknown): unknown =>
  answer instanceof Promise
    ? answer.catch((error) => {
        throw isLost(error) ? Object.assign(error as Error, { code: ASK_AGAIN }) : error
      })
    : answer
