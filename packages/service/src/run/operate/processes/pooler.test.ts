import { afterEach, expect, test } from 'vitest'
import { place, run, start, stopPrograms } from '../../../../test/actors/program.ts'
import { transactionPooler } from '../../../../test/faults/transaction-pooler.ts'
import { freshDatabase } from '../../../../test/world/postgres.ts'
import { openDb, sql } from '../../../base/db/sql.ts'
import { checkPooler } from './pooler.ts'

afterEach(stopPrograms)

test('a pooler that forgets prepared statements is named at the start, in one sentence', async () => {
  const database = await freshDatabase()
  const pooler = await transactionPooler(database.url, { connections: 4, remembers: false })
  try {
    const program = run(['start'], { ...(await place()), DATABASE_URL: pooler.url })
    expect(await program.exited).toBe(1)
    expect(program.complaint).toMatch(
      /^DATABASE_URL leads through a pooler in transaction mode that forgets prepared statements: .*max_prepared_statements.*\.$/,
    )
  } finally {
    pooler.close()
    await database.drop()
  }
})

test('through a pooler that keeps them the service runs, and each transaction has its limits', async () => {
  const database = await freshDatabase()
  const pooler = await transactionPooler(database.url, { connections: 8, remembers: true })
  try {
    expect([await checkPooler(database.url), await checkPooler(pooler.url)]).toEqual([false, true])
    const db = openDb(pooler.url, 4, 'requests', true)
    const limit = sql<{ lockTimeout: string }>`show lock_timeout`
    const within = () => db.write(async (tx) => (await limit.execute(tx)).rows[0]?.lockTimeout)
    expect(await Promise.all([within(), within(), within()])).toEqual(['5s', '5s', '5s'])
    // Other clients of the pooler get the connection as it was.
    expect((await limit.execute(db.reader)).rows[0]?.lockTimeout).toBe('0')
    await db.close()

    const pooled = { ...(await place()), DATABASE_URL: pooler.url }
    const refused = run([], pooled)
    expect(await refused.exited).toBe(1)
    expect(refused.complaint).toMatch(/set PURSER_SESSION_DATABASE_URL .* needs a session\.$/)
    const env = { ...pooled, PURSER_SESSION_DATABASE_URL: database.url }
    const { program, dev } = await start(env)
    expect((await fetch(`${dev.base_url}/readyz`)).status).toBe(200)
    const verify = run(['verify'], env)
    expect([await verify.exited, verify.complaint]).toEqual([0, ''])
    expect(await program.stop()).toBe(0)
  } finally {
    pooler.close()
    await database.drop()
  }
})
