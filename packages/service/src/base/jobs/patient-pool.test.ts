import { expect, test } from 'vitest'
import { world } from '../../../test/world.ts'
import { openPool } from '../db/sql.ts'
import { patient } from './patient-pool.ts'

test('a connection that is given back twice is free once, and ends nothing', async () => {
  await using w = await world()
  const pool = patient(openPool(w.databaseUrl, 1), new AbortController().signal)
  try {
    const release = await new Promise<(error?: Error) => void>((resolve, reject) =>
      pool.connect((error, _client, done) => (error ? reject(error) : resolve(done))),
    )
    release()
    release(new Error('the connection is lost'))
    expect([pool.totalCount, pool.idleCount]).toEqual([1, 1])
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  } finally {
    await pool.end()
  }
})
