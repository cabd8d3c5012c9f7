import type { Pool, PoolClient } from 'pg'
import { isLost } from '../db/sql.ts'

/** `cannot_connect_now`: the SQLSTATE after which graphile-worker waits some seconds and retries. */
const ASK_AGAIN = '57P03'

/**
 * Reports every loss of the database to graphile-worker as a temporary one. It retries few errors. Any other error, when it
 * stores the end of a job, would be an unhandled rejection and end the process. So would the second release of its
 * listener's connection: it gives back one that is lost while it stops once for each of the two.
 */
export function patient(pool: Pool): Pool {
  const connect = pool.connect.bind(pool) as (...args: unknown[]) => unknown
  pool.connect = ((taken?: Taken) =>
    passing(taken ? connect(givenBackOnce(taken)) : connect())) as Pool['connect']
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((...args: unknown[]) => passing(query(...args))) as PoolClient['query']
  })
  return pool
}

type Release = (error?: Error | boolean) => void
type Taken = (error: Error | undefined, client: PoolClient | undefined, release: Release) => void

const givenBackOnce =
  (taken: Taken): Taken =>
  (error, client, release) => {
    let isBack = false
    taken(error, client, (broken) => {
      if (!isBack) release(broken)
      isBack = true
    })
  }

const passing = (answer: unknown): unknown =>
  answer instanceof Promise
    ? answer.catch((error) => {
        throw isLost(error) ? Object.assign(error as Error, { code: ASK_AGAIN }) : error
      })
    : answer
