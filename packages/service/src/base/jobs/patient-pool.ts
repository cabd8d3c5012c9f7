import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { outageOf } from '../db/outage.ts'
import { assert } from '../kernel/assert.ts'

/** `cannot_connect_now`: the SQLSTATE after which graphile-worker retries. It does so a hundred times, at last every two minutes. */
const ASK_AGAIN = '57P03'
const AGAIN_MS = 1_000

/**
 * The pool for graphile-worker, which waits for a database that is away, full or read-only for as long as that lasts, or until
 * `ending`. The library retries few errors. Any other, when it stores the end of a job, would be an unhandled rejection and end the
 * process. The listeners of all queues share one connection.
 */
export function patient(pool: Pool, ending: AbortSignal): Pool {
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>

  /** Each try takes a connection of its own, so that the tries of all jobs keep none. */
  async function ask(...args: unknown[]): Promise<unknown> {
    assert(args[0] !== 'begin', 'the queue is migrated before its workers start')
    for (;;) {
      try {
        return await query(...args)
      } catch (error) {
        if (!ending.aborted && outageOf(error)) await sleep(AGAIN_MS)
        else throw ending.aborted ? Object.assign(error as Error, { code: ASK_AGAIN }) : error
      }
    }
  }
  const lent = { query: ask, release: () => undefined } as unknown as PoolClient
  const listen = sharing(pool)
  return Object.assign(Object.create(pool) as Pool, {
    ...{ query, end: pool.end.bind(pool) },
    connect: (taken?: Taken) => (taken ? listen(taken) : Promise.resolve(lent)),
  })
}

type Release = (error?: Error | boolean) => void
type Taken = (error: Error | undefined, client?: PoolClient, release?: Release) => void
type Line = { client: PoolClient; release: Release; users: number }

/** Lends one connection to all who ask until one gives it back: it may be broken, so the next gets another. */
function sharing(pool: Pool): (taken: Taken) => void {
  let lent: Promise<Line> | undefined
  return (taken) => {
    lent ??= pool.connect().then((client) => ({
      ...{ client, users: 0 },
      release: (broken) => client.release(broken),
    }))
    const mine = lent
    const part = () => {
      if (lent === mine) lent = undefined
    }
    mine.then(
      (line) => {
        line.users++
        let isBack = false
        // A listener whose connection is lost while it stops gives it back once for each of the two.
        taken(undefined, line.client, (broken) => {
          if (isBack) return
          isBack = true
          part()
          if (--line.users === 0) line.release(broken)
        })
      },
      (error: Error) => {
        part()
        taken(error)
      },
    )
  }
}
