import type { Pool, PoolClient } from 'pg'
import { isLost } from '../db/sql.ts'

/** The SQLSTATE upon which graphile-worker waits some seconds and asks again: `cannot_connect_now`. */
const ASK_AGAIN = '57P03'

/**
 * Tells graphile-worker of every loss of the database as one that passes. It asks again for few of them; any other, met
 * while the end of a job is written down, would be an unhandled rejection, which ends the process.
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
